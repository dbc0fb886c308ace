import EndpointKit

/// The HTTP API of Prometheus (prometheus.io/docs/prometheus/latest/querying/api).
public enum Prometheus: API {
    case query(query: String, time: String?)
    case queryRange(query: String, start: String, end: String, step: String)
    case labels
    case series(match: [String])
    case targets

    public static let api = APIInfo(
        name: "prometheus",
        summary: "A Prometheus server",
        servers: [Server("local", url: "http://127.0.0.1:9090")],
        samples: Samples(PackageResources.prometheus_json))
    public static let examples: [Prometheus] = [
        .query(query: "prometheus_target_interval_length_seconds", time: nil),
        .queryRange(
            query: "rate(prometheus_http_requests_total[30s])", start: "2026-11-21T04:42:31Z",
            end: "2026-11-21T04:43:31Z", step: "15s"),
        .labels,
        .series(match: ["up", "prometheus_build_info"]),
        .targets,
    ]

    public var endpoint: Endpoint {
        switch self {
        case .query(let query, let time):
            .get(
                "/api/v1/query", query: ["query": query, "time": time], returns: PrometheusResponse<QueryData>.self,
                summary: "Evaluate an expression at one time",
                notes: ["query": "PromQL", "time": "RFC 3339 or Unix seconds; now unless given"])
        case .queryRange(let query, let start, let end, let step):
            .get(
                "/api/v1/query_range", query: ["query": query, "start": start, "end": end, "step": step],
                returns: PrometheusResponse<QueryData>.self, summary: "Evaluate an expression over a range of time",
                notes: [
                    "query": "PromQL", "start": "RFC 3339 or Unix seconds", "end": "RFC 3339 or Unix seconds",
                    "step": "such as 15s or 5m, or seconds",
                ])
        case .labels:
            .get("/api/v1/labels", returns: PrometheusResponse<[String]>.self, summary: "Names of all labels")
        case .series(let match):
            .get(
                "/api/v1/series", query: ["match[]": match], returns: PrometheusResponse<[[String: String]]>.self,
                summary: "Series that match one of the selectors",
                notes: ["match": "a selector, such as up{job=\"node\"}"])
        case .targets:
            .get(
                "/api/v1/targets", returns: PrometheusResponse<TargetData>.self,
                summary: "Scraped targets and their health")
        }
    }
}
