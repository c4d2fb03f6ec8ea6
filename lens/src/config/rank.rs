//! Which process of a job this is, and whether it is one of those that bridge.
//!
//! In: the variables of launchers. Out: the rank and how many there are.

use std::fmt;

use super::read::Reader;
use super::{Builder, vars};

/// This process among those of its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) rank: u64,
    pub(crate) world_size: Option<u64>,
    /// Its number on its machine.
    pub(crate) local_rank: Option<u64>,
}

/// What code says, and else a launcher; `None` where nobody does.
pub(super) fn job(builder: &Builder, read: &mut Reader<'_>) -> Option<Job> {
    let mut number = |var| read.text(var)?.parse().ok();
    let told = vars::LAUNCHERS.iter().find_map(|launcher| {
        let (rank, size) = (number(launcher.rank)?, number(launcher.world_size));
        Some((rank, size))
    });
    let (rank, world_size) = match (builder.rank, told) {
        (Some(rank), told) => (rank, told.and_then(|(_, size)| size)),
        (None, told) => told?,
    };
    Some(Job {
        rank,
        world_size: builder.world_size.or(world_size),
        local_rank: local_rank(read),
    })
}

/// The number of this process on its machine, as a launcher says; zero where none does.
pub(super) fn local_rank(read: &mut Reader<'_>) -> Option<u64> {
    let mut launchers = vars::LAUNCHERS.iter();
    launchers.find_map(|launcher| read.text(launcher.local_rank)?.parse().ok())
}

/// The ranks that bridge their log records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranks(Vec<Part>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    All,
    Last,
    Range(u64, u64),
}

impl Ranks {
    pub(super) fn all() -> Self {
        Self(vec![Part::All])
    }

    /// Reads `all`, `first`, `last`, numbers and ranges, with commas between them.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let part = |text: &str| match text.trim().to_ascii_lowercase().as_str() {
            "all" => Some(Part::All),
            "first" => Some(Part::Range(0, 0)),
            "last" => Some(Part::Last),
            text => {
                let (from, to) = text.split_once('-').unwrap_or((text, text));
                let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
                (from <= to).then_some(Part::Range(from, to))
            }
        };
        text.split(',').map(part).collect::<Option<_>>().map(Self)
    }

    /// Whether `job` is among them; it is where nobody knows.
    pub(super) fn has(&self, job: Option<Job>) -> bool {
        let Some(job) = job else { return true };
        self.0.iter().any(|part| match part {
            Part::All => true,
            Part::Last => job
                .world_size
                .is_none_or(|size| job.rank.checked_add(1) == Some(size)),
            Part::Range(from, to) => (*from..=*to).contains(&job.rank),
        })
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = (self.0.iter())
            .map(|part| match part {
                Part::All => "all".to_owned(),
                Part::Last => "last".to_owned(),
                Part::Range(from, to) if from == to => from.to_string(),
                Part::Range(from, to) => format!("{from}-{to}"),
            })
            .collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;

    #[test]
    fn every_launcher_says_the_rank_in_its_own_variables() {
        let found = |pairs: &[(&str, &str)]| {
            let env = Env::from_iter(pairs.iter().copied());
            job(&Builder::new(), &mut Reader::new(&env)).map(|job| (job.rank, job.world_size))
        };
        assert_eq!(
            found(&[("RANK", "3"), ("WORLD_SIZE", "8")]),
            Some((3, Some(8)))
        );
        assert_eq!(
            found(&[("SLURM_PROCID", "5"), ("SLURM_NTASKS", "16")]),
            Some((5, Some(16)))
        );
        assert_eq!(
            found(&[("OMPI_COMM_WORLD_RANK", "0"), ("OMPI_COMM_WORLD_SIZE", "2")]),
            Some((0, Some(2)))
        );
        assert_eq!(found(&[("PMI_RANK", "1")]), Some((1, None)));
        assert_eq!(
            found(&[("RANK", "x"), ("SLURM_PROCID", "5"), ("WORLD_SIZE", "8")]),
            Some((5, None))
        );
        assert_eq!(found(&[("WORLD_SIZE", "8")]), None);
        let env = Env::from_iter([("RANK", "3"), ("WORLD_SIZE", "8"), ("LOCAL_RANK", "1")]);
        let code = Builder::new().rank(5).world_size(6);
        let expected = Job {
            rank: 5,
            world_size: Some(6),
            local_rank: Some(1),
        };
        assert_eq!(job(&code, &mut Reader::new(&env)), Some(expected));
    }

    #[test]
    fn ranks_are_numbers_ranges_and_words() {
        let has = |text: &str, rank, world_size| {
            let job = Job {
                rank,
                world_size,
                local_rank: None,
            };
            Ranks::parse(text).unwrap().has(Some(job))
        };
        assert!(has("0", 0, None) && !has("0", 1, None));
        assert!(has("0, 8", 8, None) && !has("0,8", 7, None));
        assert!(has("0-3", 3, None) && !has("0-3", 4, None));
        assert!(has("First", 0, Some(4)) && !has("first", 1, Some(4)));
        assert!(has("last", 3, Some(4)) && !has("last", 2, Some(4)) && has("last", 2, None));
        assert!(has("first,last", 3, Some(4)) && has("all", 9, None));
        assert!(Ranks::parse("0").unwrap().has(None));
        for text in ["", "x", "3-1", "-1", "0,,1", "1-"] {
            assert_eq!(Ranks::parse(text), None, "{text}");
        }
    }
}
