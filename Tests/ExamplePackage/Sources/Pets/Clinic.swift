import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An API with one endpoint for each feature that real APIs need.
public enum Clinic: API {
    case visits(since: Date?, page: Int?, kinds: [Kind]?, filters: [String: String]?)
    case book(_ visit: NewVisit)
    case change(id: Int, vet: String?, note: Nullable<String>?)
    case scan(path: String)
    case cancel(id: Int)
    case login(user: String, note: String?)

    public enum Kind: String, Codable, CaseIterable, ScalarParameter { case checkup, surgery }

    public static let api = APIInfo(
        name: "clinic",
        servers: [
            Server("production", url: "https://clinic.example.com/v2"),
            Server(
                "staging", url: "https://staging.example.com/v2",
                credentials: [.bearer(variable: "CLINIC_STAGING_TOKEN")]),
        ],
        coding: Coding(keys: .convertFromSnakeCase, dates: .secondsSince1970),
        credentials: [
            .query("api_key", variable: "CLINIC_KEY", helpURL: "https://clinic.example.com/keys")
                .or(.basic(userVariable: "CLINIC_USER", passwordVariable: "CLINIC_PASSWORD")),
            .header("X-Tenant", variable: "CLINIC_TENANT").optional,
        ],
        headers: ["Accept-Language": "en"],
        samples: Samples(PackageResources.clinic_json),
        errorModel: ClinicError.self)
    public static let examples: [Clinic] = [
        .visits(since: nil, page: 1, kinds: [.checkup], filters: ["vet": "ada"]),
        .book(NewVisit(pet: 7, startsAt: Date(timeIntervalSince1970: 1_800_000_000), kind: .surgery)),
        .change(id: 1, vet: "ada", note: .null), .scan(path: "2026/x-ray.png"), .cancel(id: 1),
        .login(user: "ada", note: "hi"),
    ]

    public var endpoint: Endpoint {
        switch self {
        case .visits(let since, let page, let kinds, let filters):
            .get(
                "/visits",
                query: ["since": since, "page": page ?? 1, "kinds": kinds?.joined(by: ","), "filter": filters],
                returns: [Visit].self, summary: "Visits, the newest first",
                notes: ["since": "only visits from then on"],
                rules: [.range("page", 1...)])
        case .book(let visit):
            .post("/visits", body: .json(visit), returns: Visit.self, summary: "Book a visit")
        case .change(let id, let vet, let note):
            .patch(
                "/visits/\(id)", body: .object(["vet": vet, "note": note]), returns: Visit.self,
                summary: "Change a visit")
        case .scan(let path): .get("/scans/\(segments: path)", returns: RawResponse.self, summary: "An image, as bytes")
        case .cancel(let id): .delete("/visits/\(id)", returns: EmptyResponse.self, summary: "Cancel a visit")
        case .login(let user, let note):
            .post(
                "/login", body: .form(["user": user, "note": note]), returns: JSONValue.self, summary: "Any JSON",
                credentials: [])
        }
    }
}

public struct NewVisit: Codable, Sendable {
    public var pet: Int
    public var startsAt: Date
    public var kind: Clinic.Kind?
}

public struct Visit: Codable, Sendable {
    public var id: Int
    public var startsAt: Date
    public var note: String?
}

public struct ClinicError: ErrorModel {
    public var code: Int
    public var message: String
}
