import EndpointKit
import JSONText

/// What is said about models beyond their samples.
package struct ModelOptions: Sendable {
    /// The API's name as a type: it goes before names that are taken, as in `MarvelCharacter`.
    package var api: String?
    /// How the API codes JSON; nil for a new one, for which ``InferredModels/coding`` tells.
    package var coding: Coding?
    /// Queries for objects that are dictionaries, whatever their keys look like: JSONPath, or names with dots.
    package var maps: [String] = []
    /// Queries for objects that are structures.
    package var structs: [String] = []
    /// Names of types by the names that they would have.
    package var typeNames: [String: String] = [:]
    /// Names of properties by their keys in JSON, or by type and key: `Movie.vote_average`.
    package var fieldNames: [String: String] = [:]
    /// Names of types that exist where the models will stand.
    package var taken: Set<String> = []

    package init() {}
}

/// Swift models of JSON samples.
package struct InferredModels {
    /// Samples of the responses of one endpoint.
    package struct Response {
        /// What it is about, such as `movies` or `rate_limit`: the model is named after it.
        package var subject: String
        package var samples: [JSONDocument]

        package init(_ subject: String, _ samples: [JSONDocument]) {
            self.subject = subject
            self.samples = samples
        }
    }

    /// A type at the top level of a file.
    package struct Declaration: Sendable, Equatable {
        package var name: String
        /// Formatted, with a line break at the end.
        package var text: String
        /// The modules whose types it uses: `EndpointKit`, `Foundation`.
        package var imports: Set<String>
    }

    /// Of each response, the expression for `returns:`, such as `[Movie].self`.
    package private(set) var roots: [String] = []
    package private(set) var declarations: [Declaration] = []
    /// The modules that the types of ``roots`` belong to.
    package private(set) var rootImports: Set<String> = []
    /// The API's `coding` as an expression, if it must be declared for these models.
    package private(set) var coding: String?
    /// What should be looked at: `$.results[*].price: Double, because 40.0 came`. Safe for a terminal.
    package private(set) var notes: [String] = []

    /// The models of the responses of one API; those with the same fields are one.
    package init(_ responses: [Response], options: ModelOptions = ModelOptions()) throws {
    }

    /// `import` lines for the modules, with an empty line after them; empty if there are none.
    package static func imports(_ modules: Set<String>) -> String { "" }
}
