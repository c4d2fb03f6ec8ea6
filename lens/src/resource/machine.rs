//! The process, and what it runs on. Reads a few small files; what cannot be read is left out.

use std::fs;

use opentelemetry::KeyValue;

use crate::env::{self, Env};
use crate::os as system;
use crate::semconv::{container as containers, host as hosts, os as oses, process as processes};

/// What is known of the process.
pub(super) fn process(_: &Env, attributes: &mut Vec<KeyValue>) {
    let pid = i64::from(std::process::id());
    attributes.push(KeyValue::new(processes::PID, pid));
    let Some(path) = env::this_program() else {
        return;
    };
    if let Some(name) = path.file_name() {
        let name = name.to_string_lossy().into_owned();
        attributes.push(KeyValue::new(processes::EXECUTABLE_NAME, name));
    }
    let path = path.to_string_lossy().into_owned();
    attributes.push(KeyValue::new(processes::EXECUTABLE_PATH, path));
}

/// What is known of the machine.
pub(super) fn host(env: &Env, attributes: &mut Vec<KeyValue>) {
    let name = system::host_name().or_else(|| env.get("HOSTNAME").map(str::to_owned));
    attributes.extend(name.map(|name| KeyValue::new(hosts::NAME, name)));
    attributes.push(KeyValue::new(hosts::ARCH, arch(env::ARCH)));
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let id = id.trim();
    if !id.is_empty() {
        attributes.push(KeyValue::new(hosts::ID, id.to_owned()));
    }
}

/// The convention's words for what Rust calls an architecture.
fn arch(arch: &'static str) -> &'static str {
    match arch {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "arm" => "arm32",
        "powerpc" => "ppc32",
        "powerpc64" => "ppc64",
        other => other,
    }
}

/// What is known of the operating system.
pub(super) fn os(_: &Env, attributes: &mut Vec<KeyValue>) {
    let kind = match env::OS {
        "macos" => "darwin",
        other => other,
    };
    attributes.push(KeyValue::new(oses::TYPE, kind));
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let fields = [
        (oses::NAME, "NAME"),
        (oses::VERSION, "VERSION_ID"),
        (oses::DESCRIPTION, "PRETTY_NAME"),
    ];
    for (key, field) in fields {
        attributes.extend(of_release(&release, field).map(|value| KeyValue::new(key, value)));
    }
}

/// A field of `/etc/os-release`, whose values may be in quotes.
fn of_release(release: &str, field: &str) -> Option<String> {
    let mut lines = release.lines();
    let value = lines.find_map(|line| line.strip_prefix(field)?.strip_prefix('='))?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

/// The container, where there is one.
pub(super) fn container(_: &Env, attributes: &mut Vec<KeyValue>) {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let id =
        of_cgroup(&read("/proc/self/cgroup")).or_else(|| of_mounts(&read("/proc/self/mountinfo")));
    attributes.extend(id.map(|id| KeyValue::new(containers::ID, id)));
}

/// The id at the end of a control group's path, as in `…/docker/<id>` and `…/cri-<id>.scope`.
fn of_cgroup(cgroup: &str) -> Option<String> {
    cgroup.lines().find_map(|line| {
        let last = line.rsplit('/').next()?;
        let last = last.strip_suffix(".scope").unwrap_or(last);
        let last = last.rsplit(['-', ':']).next()?;
        is_id(last).then(|| last.to_owned())
    })
}

/// The id in the path of what a runtime mounts over the container's own files, as in
/// `…/containers/<id>/hostname /etc/hostname`; a machine has mounts of its containers, too.
fn of_mounts(mounts: &str) -> Option<String> {
    const OVER: [&str; 3] = ["/etc/hostname", "/etc/hosts", "/etc/resolv.conf"];
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        let (_, rest) = root.split_once("/containers/")?;
        let id = rest.split('/').next()?;
        (OVER.contains(&point) && is_id(id)).then(|| id.to_owned())
    })
}

fn is_id(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_container_is_found_where_runtimes_leave_it() {
        let id = "0123456789abcdef".repeat(4);
        for cgroup in [
            format!("12:cpu:/docker/{id}"),
            format!("0::/system.slice/cri-containerd-{id}.scope"),
            format!("1:name=systemd:/kubepods/besteffort/pod1/{id}\n"),
        ] {
            assert_eq!(of_cgroup(&cgroup).as_deref(), Some(&*id), "{cgroup}");
        }
        let mounts = format!("1 2 0:3 /var/lib/docker/containers/{id}/hostname /etc/hostname rw");
        assert_eq!(of_mounts(&mounts).as_deref(), Some(&*id));
        assert_eq!(of_cgroup("0::/user.slice/session-1.scope"), None);
        assert_eq!(of_mounts("1 2 0:3 / / rw"), None);
        let of_another = format!("1 2 0:3 / /var/lib/docker/containers/{id}/mounts/shm rw");
        assert_eq!(of_mounts(&of_another), None);
    }

    #[test]
    fn a_system_says_what_it_is_with_quotes_or_without() {
        let release = "NAME=\"Debian GNU/Linux\"\nVERSION_ID=12\nPRETTY_NAME='Debian 12'\n";
        let of = |field| of_release(release, field);
        assert_eq!(of("NAME").as_deref(), Some("Debian GNU/Linux"));
        assert_eq!(of("VERSION_ID").as_deref(), Some("12"));
        assert_eq!(of("PRETTY_NAME").as_deref(), Some("Debian 12"));
        assert_eq!(of("ID"), None);
    }
}
