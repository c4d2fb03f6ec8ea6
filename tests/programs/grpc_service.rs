//! A gRPC service and its clients: each call carries its context in the metadata.

use opentelemetry_proto::tonic::collector::logs::v1::logs_service_client::LogsServiceClient;
use opentelemetry_proto::tonic::collector::logs::v1::logs_service_server::{
    LogsService, LogsServiceServer,
};
use opentelemetry_proto::tonic::collector::logs::v1::{
    ExportLogsServiceRequest, ExportLogsServiceResponse,
};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Server};
use tonic::{Request, Response, Status};

const CALLS: usize = 300;

/// Says who called, by a number in the metadata, here and in a task.
struct Says;

#[tonic::async_trait]
impl LogsService for Says {
    async fn export(
        &self,
        request: Request<ExportLogsServiceRequest>,
    ) -> Result<Response<ExportLogsServiceResponse>, Status> {
        let number = request.metadata().get("number");
        let number = number.and_then(|number| number.to_str().ok());
        let number = number.unwrap_or_default().to_owned();
        log::info!(number = number.as_str(); "called");
        tokio::task::yield_now().await;
        let said = lens::spawn(async move {
            tokio::task::yield_now().await;
            log::info!(number = number.as_str(); "in a task");
        });
        said.await
            .map_err(|error| Status::internal(error.to_string()))?;
        Ok(Response::new(ExportLogsServiceResponse::default()))
    }
}

#[lens::trace(name = "call", kind = "client", fields(number))]
async fn call(mut client: LogsServiceClient<Channel>, number: usize) -> Result<(), Status> {
    let mut request = Request::new(ExportLogsServiceRequest::default());
    let text = number.to_string().parse();
    request
        .metadata_mut()
        .insert("number", text.map_err(|_| Status::internal("a number"))?);
    lens::inject(request.metadata_mut());
    client.export(request).await?;
    Ok(())
}

#[lens::main(logs = true, logger = "grpc_service")]
#[tokio::main(worker_threads = 8)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let endpoint = format!("http://{}", listener.local_addr()?);
    let server = Server::builder()
        .layer(lens::tower::ServerLayer::new().route(|_| Some("export".to_owned())))
        .add_service(LogsServiceServer::new(Says));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let client = LogsServiceClient::connect(endpoint).await?;
    let mut calls = JoinSet::new();
    for number in 0..CALLS {
        calls.spawn(call(client.clone(), number));
    }
    while let Some(called) = calls.join_next().await {
        called??;
    }
    let _ = tokio::spawn(async { log::info!("outside of every call") }).await;
    Ok(())
}
