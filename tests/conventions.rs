//! The names that go to the wire are those of the conventions, and on their page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use opentelemetry_semantic_conventions::{attribute, metric, resource};

/// Those of OpenTelemetry that lens uses.
const STANDARD: &[&str] = &[
    attribute::CLIENT_ADDRESS,
    attribute::CODE_FILE_PATH,
    attribute::CODE_FUNCTION_NAME,
    attribute::CODE_LINE_NUMBER,
    attribute::ERROR_TYPE,
    attribute::EXCEPTION_MESSAGE,
    attribute::EXCEPTION_STACKTRACE,
    attribute::EXCEPTION_TYPE,
    attribute::HTTP_REQUEST_METHOD,
    attribute::HTTP_REQUEST_METHOD_ORIGINAL,
    attribute::HTTP_RESPONSE_STATUS_CODE,
    attribute::HTTP_ROUTE,
    attribute::NETWORK_PEER_ADDRESS,
    attribute::NETWORK_PEER_PORT,
    attribute::NETWORK_PROTOCOL_VERSION,
    attribute::SERVER_ADDRESS,
    attribute::SERVER_PORT,
    attribute::URL_PATH,
    attribute::URL_QUERY,
    attribute::URL_SCHEME,
    attribute::USER_AGENT_ORIGINAL,
    metric::HTTP_SERVER_REQUEST_DURATION,
    resource::CONTAINER_ID,
    resource::DEPLOYMENT_ENVIRONMENT_NAME,
    resource::HOST_ARCH,
    resource::HOST_ID,
    resource::HOST_NAME,
    resource::K8S_CONTAINER_NAME,
    resource::K8S_JOB_NAME,
    resource::K8S_NAMESPACE_NAME,
    resource::K8S_NODE_NAME,
    resource::K8S_POD_NAME,
    resource::K8S_POD_UID,
    resource::OS_DESCRIPTION,
    resource::OS_NAME,
    resource::OS_TYPE,
    resource::OS_VERSION,
    resource::PROCESS_EXECUTABLE_NAME,
    resource::PROCESS_EXECUTABLE_PATH,
    resource::PROCESS_PID,
    resource::SERVICE_INSTANCE_ID,
    resource::SERVICE_NAME,
    resource::SERVICE_VERSION,
    resource::TELEMETRY_DISTRO_NAME,
    resource::TELEMETRY_DISTRO_VERSION,
    resource::TELEMETRY_SDK_LANGUAGE,
    resource::TELEMETRY_SDK_NAME,
    resource::TELEMETRY_SDK_VERSION,
];

/// What begins so is of nemo-lens or of lens, or was of the conventions once and is only read.
const OWN: &[&str] = &[
    "dl.",
    "event.",
    "host.gpu.",
    "lens.",
    "nemo.",
    "otel.",
    "slurm.",
    "wandb.",
];

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).expect("the file is there")
}

/// What stands between `quote`s and looks like the name of an attribute.
fn names(text: &str, quote: char) -> BTreeSet<&str> {
    let is_name = |word: &&str| {
        let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c);
        word.contains('.') && word.chars().all(is_letter) && !word.ends_with(".rs")
    };
    let words = text.split(quote).skip(1).step_by(2);
    words.filter(is_name).collect()
}

#[test]
fn every_name_is_one_of_the_conventions_or_of_lens_and_on_the_page() {
    let (code, server, page) = (
        text("lens/src/semconv.rs"),
        text("lens/src/metrics/server.rs"),
        text("docs/conventions.md"),
    );
    // What is behind an `http:` is a link.
    let server = server.lines().filter(|line| !line.contains("//"));
    let server = server.collect::<Vec<_>>().join("\n");
    let mut in_code = names(&code, '"');
    in_code.extend(names(&server, '"'));
    assert!(in_code.len() > 60, "{in_code:?}");
    let is_own = |name: &&str| OWN.iter().any(|own| name.starts_with(own));
    let standard: BTreeSet<_> = STANDARD.iter().copied().collect();
    let foreign: BTreeSet<_> = in_code
        .iter()
        .copied()
        .filter(|name| !is_own(name))
        .collect();
    assert_eq!(foreign, standard);
    assert_eq!(in_code, names(&page, '`'));
}
