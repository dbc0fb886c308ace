/// The name, the servers, the credentials and other properties that all endpoints of an API share.
///
///     public static let api = APIInfo(
///         name: "movies",
///         summary: "The Movie Database",
///         servers: [Server("production", url: "https://api.themoviedb.org/3")],
///         coding: Coding(keys: .convertFromSnakeCase),
///         credentials: [.bearer(variable: "TMDB_ACCESS_TOKEN")])
public struct APIInfo: Sendable {
    /// The name before the dot on the command line.
    public let name: String
    /// A few words about the API.
    package let summary: String
    /// The servers, the default one first.
    public let servers: [Server]
    /// How JSON is written: keys, dates, data. Queries, paths and flags use the same date format.
    public let coding: Coding
    /// The credentials of every request. A server or an endpoint can replace them.
    package let credentials: [Credential]
    /// Ways to get the values of the credentials' variables by logging in.
    package let logins: [Login]
    /// Headers of every request. An endpoint's header of the same name replaces one of these.
    package let headers: Headers
    /// Recorded responses by endpoint, for endpoints that name none themselves.
    package let samples: Samples?
    /// The model of a failed response's body, whose message is shown.
    package let errorModel: (any ErrorModel.Type)?

    /// Describes an API.
    ///
    /// - Parameters:
    ///   - name: The name before the dot on the command line. APIs whose names have the same first part and a dot, such
    ///     as `shop.orders` and `shop.pets`, are a group.
    ///   - summary: A few words about the API.
    ///   - servers: The servers, the default one first.
    ///   - coding: How JSON is written: keys, dates, data. By default, keys are as they are, dates in ISO 8601 and data
    ///     in Base64. Queries, paths and flags use the same date format.
    ///   - credentials: The credentials of every request. A server or an endpoint can replace them.
    ///   - logins: Ways to get the values of the credentials' variables by logging in. Without any, the variables are
    ///     set by hand.
    ///   - headers: Headers of every request. An endpoint's header of the same name replaces one of these.
    ///   - samples: Recorded responses by endpoint, for endpoints that name none themselves.
    ///   - errorModel: The model of a failed response's body, whose message is shown. Without one, the message is
    ///     searched for under the keys that APIs commonly use.
    public init(
        name: String,
        summary: String = "",
        servers: [Server],
        coding: Coding = Coding(),
        credentials: [Credential] = [],
        logins: [Login] = [],
        headers: Headers = [:],
        samples: Samples? = nil,
        errorModel: (any ErrorModel.Type)? = nil
    ) {
        self.name = name
        self.summary = summary
        self.servers = servers
        self.coding = coding
        self.credentials = credentials
        self.logins = logins
        self.headers = headers
        self.samples = samples
        self.errorModel = errorModel
    }
}
