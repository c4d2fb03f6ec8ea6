//! Records that are encoded already, put together to requests.

use std::borrow::Cow;

use opentelemetry::InstrumentationScope;
use opentelemetry_proto::tonic::common::v1::InstrumentationScope as ProtoScope;
use opentelemetry_proto::tonic::resource::v1::Resource as ProtoResource;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use prost::Message as _;

use super::proto::{Message, Out};

/// The scope that records share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScopeKey {
    /// Its name: the target of the records.
    pub(crate) target: Cow<'static, str>,
    /// Its other fields and those of `ScopeLogs`, encoded; none for what the bridge takes.
    pub(crate) rest: Option<Box<(Vec<u8>, String)>>,
}

impl ScopeKey {
    /// The scope of an SDK's record.
    pub(crate) fn of(target: Option<&Cow<'static, str>>, scope: &InstrumentationScope) -> Self {
        let name = scope.name();
        let target = target
            .cloned()
            .unwrap_or_else(|| Cow::Owned(name.to_owned()));
        let is_plain = scope.version().is_none()
            && scope.schema_url().is_none()
            && scope.attributes().next().is_none();
        let rest = (!is_plain).then(|| {
            let mut rest = ProtoScope::from((scope, None));
            rest.name.clear();
            let schema_url = scope.schema_url().unwrap_or_default().to_owned();
            Box::new((rest.encode_to_vec(), schema_url))
        });
        Self { target, rest }
    }

    /// How many bytes a run of it takes beside its records.
    pub(crate) fn size(&self) -> usize {
        let rest = (self.rest.as_ref()).map_or(0, |rest| rest.0.len() + rest.1.len());
        size_of::<Run>() + self.target.len() + rest
    }
}

/// `InstrumentationScope`.
impl Message for ScopeKey {
    fn write(&self, out: &mut Vec<u8>) {
        out.text_field(1, &self.target);
        if let Some(rest) = &self.rest {
            out.extend_from_slice(&rest.0);
        }
    }
}

/// Records of one scope that are encoded, one behind another.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) scope: ScopeKey,
    pub(crate) records: Vec<u8>,
    pub(crate) count: u64,
}

impl Run {
    /// How many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        self.records.len() + self.scope.size()
    }
}

/// `ScopeLogs`.
impl Message for Run {
    fn write(&self, out: &mut Vec<u8>) {
        out.message(1, &self.scope);
        out.extend_from_slice(&self.records);
        if let Some(rest) = &self.scope.rest {
            out.text_field(3, &rest.1);
        }
    }
}

/// A resource, encoded once for all requests.
pub(crate) struct EncodedResource {
    resource: Vec<u8>,
    schema_url: String,
}

impl EncodedResource {
    pub(crate) fn new(resource: &ResourceAttributesWithSchema) -> Self {
        let encoded = ProtoResource {
            attributes: resource.attributes.0.clone(),
            ..ProtoResource::default()
        };
        Self {
            resource: encoded.encode_to_vec(),
            schema_url: resource.schema_url.clone().unwrap_or_default(),
        }
    }
}

/// `ResourceLogs`.
struct ResourceLogs<'a> {
    resource: &'a EncodedResource,
    runs: &'a [Run],
}

impl Message for ResourceLogs<'_> {
    fn write(&self, out: &mut Vec<u8>) {
        out.bytes_field(1, &self.resource.resource);
        for run in self.runs {
            out.message(2, run);
        }
        out.text_field(3, &self.resource.schema_url);
    }
}

/// The bytes of `ExportLogsServiceRequest`.
pub(crate) fn request(resource: &EncodedResource, runs: &[Run]) -> Vec<u8> {
    let size: usize = runs.iter().map(Run::size).sum();
    let mut out = Vec::with_capacity(size + resource.resource.len());
    out.message(1, &ResourceLogs { resource, runs });
    out
}
