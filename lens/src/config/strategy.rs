//! Which processes of a job export at all.
//!
//! In: rank, world size and what was asked. Out: whether this one does. The names, and the hash
//! that chooses ranks, are those of nemo-lens, so that both choose the same.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::local::marker;
use super::rank::{Job, local_rank};
use super::read::{Or, Reader, code_or};
use super::{Builder, vars};

const STRATEGIES: &str = "all_ranks, single_rank, sampled or first_rank_per_node";

/// Which processes of a job export. Made from a word or a function by [`IntoStrategy`].
pub struct Strategy(Kind);

enum Kind {
    AllRanks,
    SingleRank,
    Sampled,
    FirstRankPerNode,
    Function(Box<dyn Fn(u64, u64) -> bool + Send>),
    /// A word that is none of the above, reported at start.
    Unknown(String),
}

/// What [`Builder::strategy`](crate::Builder::strategy) takes.
///
/// * `"all_ranks"`: every process;
/// * `"single_rank"`: the one of [`export_rank`](crate::Builder::export_rank), by default the last;
/// * `"sampled"`: the part of them that
///   [`export_sample_rate`](crate::Builder::export_sample_rate) says, always the same ones;
/// * `"first_rank_per_node"`: the first process on each machine;
/// * a function of the rank and the world size.
///
/// `Marker` only tells these forms apart; it is always inferred.
pub trait IntoStrategy<Marker> {
    /// Makes the strategy.
    fn into_strategy(self) -> Strategy;
}

impl IntoStrategy<marker::Word> for &str {
    fn into_strategy(self) -> Strategy {
        let unknown = || Kind::Unknown(self.to_owned());
        Strategy(Kind::from_word(self).unwrap_or_else(unknown))
    }
}

impl<F: Fn(u64, u64) -> bool + Send + 'static> IntoStrategy<marker::Function> for F {
    fn into_strategy(self) -> Strategy {
        Strategy(Kind::Function(Box::new(self)))
    }
}

impl Kind {
    fn from_word(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "all_ranks" => Some(Self::AllRanks),
            "single_rank" => Some(Self::SingleRank),
            "sampled" => Some(Self::Sampled),
            "first_rank_per_node" => Some(Self::FirstRankPerNode),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AllRanks => "all_ranks",
            Self::SingleRank => "single_rank",
            Self::Sampled => "sampled",
            Self::FirstRankPerNode => "first_rank_per_node",
            Self::Function(_) => "a function of the program",
            Self::Unknown(word) => word,
        })
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Whether this process exports, as far as its place in the job is concerned.
pub(super) fn exports(
    builder: &mut Builder,
    job: Option<Job>,
    rate: f64,
    read: &mut Reader<'_>,
) -> bool {
    let code = match builder.strategy.take().map(|Strategy(kind)| kind) {
        Some(Kind::Unknown(word)) => {
            read.say(format!(
                "invalid strategy {word:?}, expected {STRATEGIES} or a function; using all_ranks"
            ));
            None
        }
        code => code,
    };
    let or = code_or(code, Kind::AllRanks);
    let strategy = read.setting(vars::EXPORT_STRATEGY, STRATEGIES, Kind::from_word, or);
    let rank = export_rank(builder, read);
    // Alone, as nemo-lens sees it.
    let job = job.unwrap_or_else(|| Job {
        rank: 0,
        world_size: Some(1),
        local_rank: local_rank(read),
    });
    match strategy {
        Kind::AllRanks | Kind::Unknown(_) => true,
        Kind::SingleRank => match rank {
            Some(rank) => job.rank == rank,
            // Who does not know how many there are may be the last one.
            None => (job.world_size).is_none_or(|size| job.rank.checked_add(1) == Some(size)),
        },
        Kind::Sampled => is_sampled(job.rank, rate),
        Kind::FirstRankPerNode => job.local_rank.unwrap_or(0) == 0,
        Kind::Function(exports) => {
            let size = (job.world_size).unwrap_or_else(|| job.rank.saturating_add(1));
            let asked = catch_unwind(AssertUnwindSafe(|| exports(job.rank, size)));
            asked.unwrap_or_else(|_| {
                read.say("the program's strategy panicked; this process exports".to_owned());
                true
            })
        }
    }
}

/// The one rank that exports; `None` is the last.
fn export_rank(builder: &Builder, read: &mut Reader<'_>) -> Option<u64> {
    struct Rank(Option<u64>);
    impl fmt::Display for Rank {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self.0 {
                Some(rank) => rank.fmt(f),
                None => f.write_str("-1, the last"),
            }
        }
    }
    let parse = |text: &str| match text {
        "-1" => Some(Rank(None)),
        text => text.parse().ok().map(|rank| Rank(Some(rank))),
    };
    let or = code_or(builder.export_rank.map(|rank| Rank(Some(rank))), Rank(None));
    read.setting(vars::EXPORT_RANK, "a rank, or -1 for the last", parse, or)
        .0
}

/// The part of the ranks that exports, or makes spans, where it is only a part.
pub(super) fn sample_rate(builder: &Builder, read: &mut Reader<'_>) -> f64 {
    const EXPECTED: &str = "a number from 0 to 1";
    let is_part = |rate: &f64| (0.0..=1.0).contains(rate);
    let code = builder.export_sample_rate.filter(|rate| {
        let is_fine = is_part(rate);
        if !is_fine {
            read.say(format!(
                "invalid export_sample_rate {rate}, expected {EXPECTED}; using 1"
            ));
        }
        is_fine
    });
    let or: Or<f64> = code_or(code, 1.0);
    let parse = |text: &str| text.parse().ok().filter(is_part);
    read.setting(vars::EXPORT_SAMPLE_RATE, EXPECTED, parse, or)
}

/// Whether `rank` is in the part that `rate` stands for: as nemo-lens has it, by the MD5 of its
/// decimal digits as one number, modulo 10,000.
pub(super) fn is_sampled(rank: u64, rate: f64) -> bool {
    let digest = u128::from_be_bytes(md5::compute(rank.to_string()).0);
    #[expect(clippy::cast_precision_loss, reason = "below 10,000")]
    let place = (digest % 10_000) as f64 / 10_000.0;
    place < rate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;

    fn exports(builder: Builder, env: &[(&str, &str)]) -> bool {
        let env = Env::from_iter(env.iter().copied());
        let (mut builder, mut read) = (builder, Reader::new(&env));
        let job = super::super::rank::job(&builder, &mut read);
        let rate = sample_rate(&builder, &mut read);
        let exports = super::exports(&mut builder, job, rate, &mut read);
        assert_eq!(read.notices, [""; 0]);
        exports
    }

    #[test]
    fn the_hash_is_that_of_nemo_lens() {
        // MD5 of "0" is cfcd208495d565ef66e7dff9f98764da; its last digits in decimal are 7850.
        assert!(is_sampled(0, 0.7851) && !is_sampled(0, 0.785));
        assert!(is_sampled(0, 1.0) && !is_sampled(0, 0.0));
        let sampled = (0..10_000).filter(|rank| is_sampled(*rank, 0.1)).count();
        assert!((900..1100).contains(&sampled), "{sampled}");
    }

    #[test]
    fn each_strategy_chooses_its_ranks() {
        let at = |rank: &'static str, strategy: &'static str, more: &[(&str, &str)]| {
            let job = [("RANK", rank), ("WORLD_SIZE", "4")];
            let strategy = [("NEMO_LENS_EXPORT_STRATEGY", strategy)];
            exports(Builder::new(), &[&job[..], &strategy, more].concat())
        };
        assert!(at("1", "all_ranks", &[]));
        assert!(at("3", "Single_Rank", &[]) && !at("2", "single_rank", &[]));
        let chosen = [("NEMO_LENS_EXPORT_RANK", "2")];
        assert!(at("2", "single_rank", &chosen) && !at("3", "single_rank", &chosen));
        assert!(at("3", "single_rank", &[("NEMO_LENS_EXPORT_RANK", "-1")]));
        let some = [("NEMO_LENS_EXPORT_SAMPLE_RATE", "0.5")];
        assert!(!at("0", "sampled", &some));
        assert!(at("0", "first_rank_per_node", &[("LOCAL_RANK", "0")]));
        assert!(!at("1", "first_rank_per_node", &[("LOCAL_RANK", "1")]));
        let first = || Builder::new().strategy("first_rank_per_node");
        assert!(!exports(first().rank(5), &[("LOCAL_RANK", "1")]));
        assert!(!exports(first(), &[("SLURM_LOCALID", "2")]) && exports(first(), &[]));
    }

    #[test]
    fn a_function_chooses_and_the_environment_wins_over_it() {
        let even = || Builder::new().strategy(|rank, _| rank % 2 == 0);
        let job = [("RANK", "3"), ("WORLD_SIZE", "4")];
        assert!(!exports(even(), &job));
        let all = ("NEMO_LENS_EXPORT_STRATEGY", "all_ranks");
        assert!(exports(even(), &[&job[..], &[all]].concat()));
        assert!(exports(Builder::new().strategy("single_rank"), &[]));
        let last = [("RANK", "18446744073709551615")];
        assert!(exports(
            Builder::new().strategy(|rank, size| rank == size),
            &last
        ));
    }
}
