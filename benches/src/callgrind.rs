//! Instructions, counted by callgrind.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs this program again under callgrind, with these arguments, and returns the instructions
/// of each of its loops, which are functions of the module `loops` of the benchmark `bench`, run
/// one after another and then `loops::end`; nothing where valgrind is not installed.
///
/// # Panics
///
/// When the program fails.
pub fn count(
    bench: &str,
    arguments: &[&str],
    loops: &[&'static str],
) -> Option<HashMap<&'static str, u64>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/callgrind")
        .join(bench)
        .join(arguments.join("-"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for what is counted");
    let this = std::env::current_exe().expect("a benchmark has a path");
    let callgrind = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--dump-before={bench}::loops::*"))
        .arg(format!("--callgrind-out-file={}/out", folder.display()))
        .arg(this)
        .args(arguments)
        .output();
    let Ok(callgrind) = callgrind else {
        println!("valgrind is not installed: nothing is counted");
        return None;
    };
    let said = String::from_utf8_lossy(&callgrind.stderr);
    assert!(callgrind.status.success(), "{said}");
    Some(counts(&folder, loops))
}

/// A file is written where the next loop begins, with what was counted since the last file. The
/// first has what was before all loops.
fn counts(folder: &Path, loops: &[&'static str]) -> HashMap<&'static str, u64> {
    let files = fs::read_dir(folder).expect("the folder is there");
    let mut parts: Vec<_> = files.filter_map(|file| part(&file.ok()?.path())).collect();
    parts.sort_unstable();
    let parts = parts.into_iter().skip(1).map(|(_, count)| count);
    loops.iter().copied().zip(parts).collect()
}

/// The number of a file, and what was counted.
fn part(file: &Path) -> Option<(u32, u64)> {
    let text = fs::read_to_string(file).ok()?;
    let after = |start: &str| text.lines().find_map(|line| line.strip_prefix(start));
    let number = after("part: ")?.trim().parse().ok()?;
    Some((number, after("summary: ")?.trim().parse().ok()?))
}

/// Prints each form, and says whether none costs more above `base` than is allowed; both say
/// how often each call was counted.
#[must_use]
pub fn compare(
    titles: [&str; 2],
    forms: &[(&str, f64)],
    base: impl Fn(&str) -> f64,
    ours: impl Fn(&str) -> f64,
) -> bool {
    let mut fine = true;
    let [bare, measured] = titles;
    println!("instructions of a call {bare:>9} {measured:>9}  difference  allowed");
    for (form, allowed) in forms {
        let (base, ours) = (base(form), ours(form));
        let difference = ours - base;
        println!("{form:<22} {base:9.2} {ours:9.2} {difference:11.2} {allowed:8.2}");
        fine &= difference <= *allowed;
    }
    if !fine {
        println!("more than is allowed");
    }
    fine
}
