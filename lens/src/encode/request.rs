//! Records that are encoded already, put together to requests.

use std::borrow::Cow;

use opentelemetry::InstrumentationScope;
use opentelemetry_proto::tonic::common::v1::InstrumentationScope as ProtoScope;
use opentelemetry_proto::tonic::resource::v1::Resource as ProtoResource;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_sdk::Resource;
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

/// `ScopeLogs`: a scope and records that are encoded already.
struct ScopeLogs<'a> {
    scope: &'a ScopeKey,
    records: &'a [u8],
}

impl Message for ScopeLogs<'_> {
    fn write(&self, out: &mut Vec<u8>) {
        out.message(1, self.scope);
        out.extend_from_slice(self.records);
        if let Some(rest) = &self.scope.rest {
            out.text_field(3, &rest.1);
        }
    }
}

/// Makes requests of records.
#[derive(Debug)]
pub(crate) struct Requests {
    /// What `ResourceLogs` begins and ends with.
    resource: Vec<u8>,
    schema: Vec<u8>,
    /// About how long a request is at most, unless a single record is longer.
    limit: usize,
}

/// The `ScopeLogs` of a request, so far.
#[derive(Debug, Default)]
pub(crate) struct Open {
    scopes: Vec<u8>,
    pub(crate) records: u64,
    /// The bytes of the records as they were buffered.
    pub(crate) buffered: usize,
}

impl Requests {
    pub(crate) fn new(resource: &Resource, limit: usize) -> Self {
        let resource = ResourceAttributesWithSchema::from(resource);
        let message = ProtoResource {
            attributes: resource.attributes.0,
            ..ProtoResource::default()
        };
        let (mut begin, mut end) = (Vec::new(), Vec::new());
        begin.bytes_field(1, &message.encode_to_vec());
        end.text_field(3, resource.schema_url.as_deref().unwrap_or_default());
        Self {
            resource: begin,
            schema: end,
            limit,
        }
    }

    /// Adds records of one scope to the last of `requests`, or to new ones where it is full.
    pub(crate) fn add(&self, requests: &mut Vec<Open>, scope: &ScopeKey, records: &[u8]) {
        let between = |begin, end| records.get(begin..end).unwrap_or_default();
        let (mut begin, mut end, mut count) = (0, 0, 0);
        while end < records.len() {
            let length = first_record(between(end, records.len()));
            let open = requests
                .last()
                .map(|request| request.scopes.len() + end - begin);
            // A request takes one record at least, however long that is.
            if open.is_none_or(|open| open > 0 && open + length > self.limit) {
                append(requests, scope, between(begin, end), count);
                requests.push(Open::default());
                (begin, count) = (end, 0);
            }
            (end, count) = (end + length, count + 1);
        }
        append(requests, scope, between(begin, end), count);
    }

    /// The bytes of `ExportLogsServiceRequest`.
    pub(crate) fn finish(&self, request: &Open) -> Vec<u8> {
        let length = self.resource.len() + request.scopes.len() + self.schema.len();
        let mut out = Vec::with_capacity(length + 8);
        out.key(1, 2);
        out.varint(length as u64);
        out.extend_from_slice(&self.resource);
        out.extend_from_slice(&request.scopes);
        out.extend_from_slice(&self.schema);
        out
    }
}

fn append(requests: &mut [Open], scope: &ScopeKey, records: &[u8], count: u64) {
    if let Some(request) = requests.last_mut().filter(|_| count > 0) {
        request.scopes.message(2, &ScopeLogs { scope, records });
        request.records += count;
        request.buffered += records.len();
    }
}

/// The length of the first record, with its key and length in front; of everything, if that is
/// none.
fn first_record(records: &[u8]) -> usize {
    let (mut length, mut shift) = (0_usize, 0_u32);
    // The key has one byte.
    for (at, byte) in records.iter().enumerate().skip(1) {
        length |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return (at + 1 + length).min(records.len());
        }
        shift += 7;
        if shift >= usize::BITS {
            break;
        }
    }
    records.len()
}
