//! Which traces are recorded.
//!
//! <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration>

use std::fmt;

use opentelemetry_sdk::trace::{Sampler, ShouldSample};

use super::rank::Job;
use super::read::{Reader, code_or};
use super::strategy::is_sampled;
use super::{Builder, vars};

const SAMPLERS: &str = "always_on, always_off, traceidratio, parentbased_always_on, \
    parentbased_always_off or parentbased_traceidratio";

/// A sampler, and what to call it.
struct Chosen {
    sampler: Box<dyn ShouldSample>,
    name: String,
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Settles the sampler, on a process of `job` that may be one whose own traces are not wanted.
pub(super) fn sampler(
    builder: &Builder,
    job: Option<Job>,
    rate: f64,
    read: &mut Reader<'_>,
) -> Box<dyn ShouldSample> {
    let has_sampler = read.find(vars::SAMPLER).is_some();
    if !has_sampler && read.find(vars::SAMPLER_ARG).is_some() {
        read.advise(format!(
            "{} does nothing without {}",
            vars::SAMPLER_ARG,
            vars::SAMPLER
        ));
    }
    let mut ratio = 1.0;
    if has_sampler {
        let parse = |text: &str| {
            text.parse()
                .ok()
                .filter(|ratio| (0.0..=1.0).contains(ratio))
        };
        let default = code_or(None, ratio);
        ratio = read.setting(vars::SAMPLER_ARG, "a number from 0 to 1", parse, default);
    }
    let own = builder.sampler.clone().map(|sampler| Chosen {
        name: format!("{sampler:?}"),
        sampler,
    });
    let default = named("parentbased_always_on", ratio);
    let default = default.unwrap_or_else(|| Chosen {
        sampler: Box::new(Sampler::AlwaysOn),
        name: String::new(),
    });
    let or = code_or(own, default);
    let chosen = read.setting(vars::SAMPLER, SAMPLERS, |text| named(text, ratio), or);
    let by_rank = code_or(builder.rank_sampler, false);
    let by_rank = read.switch(vars::SAMPLER_ENABLED, by_rank);
    // Alone, as nemo-lens sees it.
    let rank = job.map_or(0, |job| job.rank);
    if by_rank && !is_sampled(rank, rate) {
        let origin = read.origin(vars::SAMPLER_ENABLED);
        let shown = "parentbased_always_off, since this rank is not sampled";
        read.settle(vars::SAMPLER, shown, origin);
        // What another process began goes on; nothing begins here.
        return Box::new(Sampler::ParentBased(Box::new(Sampler::AlwaysOff)));
    }
    chosen.sampler
}

fn named(name: &str, ratio: f64) -> Option<Chosen> {
    let name = name.to_ascii_lowercase();
    let (is_parent_based, root) = match name.strip_prefix("parentbased_") {
        Some(root) => (true, root),
        None => (false, name.as_str()),
    };
    let sampler = match root {
        "always_on" => Sampler::AlwaysOn,
        "always_off" => Sampler::AlwaysOff,
        "traceidratio" => Sampler::TraceIdRatioBased(ratio),
        _ => return None,
    };
    let sampler = if is_parent_based {
        Sampler::ParentBased(Box::new(sampler))
    } else {
        sampler
    };
    Some(Chosen {
        sampler: Box::new(sampler),
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;

    fn settled(builder: &Builder, env: &[(&str, &str)]) -> (String, usize) {
        let env = Env::from_iter(env.iter().copied());
        let mut read = Reader::new(&env);
        let job = super::super::rank::job(builder, &mut read);
        let rate = super::super::strategy::sample_rate(builder, &mut read);
        let sampler = sampler(builder, job, rate, &mut read);
        (format!("{sampler:?}"), read.notices.len())
    }

    #[test]
    fn on_a_rank_that_is_not_sampled_no_trace_begins_and_others_go_on() {
        let env = [
            ("RANK", "0"),
            ("NEMO_LENS_SAMPLER_ENABLED", "1"),
            ("NEMO_LENS_EXPORT_SAMPLE_RATE", "0.5"),
            ("OTEL_TRACES_SAMPLER", "always_on"),
        ];
        let (sampler, notices) = settled(&Builder::new(), &env);
        assert_eq!((sampler.as_str(), notices), ("ParentBased(AlwaysOff)", 0));
        let env = [&env[..2], &[("NEMO_LENS_EXPORT_SAMPLE_RATE", "0.9")]].concat();
        let own = Builder::new().sampler(Sampler::AlwaysOff);
        assert_eq!(settled(&own, &env).0, "AlwaysOff");
    }
}
