import EndpointKit

/// The differences between a document, such as an OpenAPI document, and the endpoints of APIs.
///
/// An operation of the document is compared with the endpoints that have the same method and path: parameters by their
/// places, bodies by their media types, and the shapes of all values.
package struct DeclarationComparison: Sendable {
    /// The differences at an endpoint.
    package struct Result: Sendable {
        /// The endpoint of an API; nil for the operations that no endpoint has.
        package let endpoint: ComparedEndpoint?
        package let differences: [LocatedDifference]
        /// Whether parts were not compared, because there are too many of them, or because they are too deep.
        package let isIncomplete: Bool
    }

    /// A difference with the operation of the document where it is.
    package struct LocatedDifference: Sendable {
        package let difference: DeclarationDifference
        /// The operation; nil if the document has none.
        package let operation: ComparedEndpoint?
    }

    /// The most values and keys that are compared for an operation. The largest operations of public documents have a
    /// tenth of it.
    private static let maxStepsOfOperation = 200_000
    /// The most values and keys that are compared for all operations, which takes some seconds.
    private static let maxSteps = 10_000_000

    /// The results of the API's endpoints, and last that of the operations that no endpoint has.
    package private(set) var results: [Result] = []

    private let isStrict: Bool
    private var remainingSteps = Self.maxSteps

    /// Compares a document with endpoints.
    ///
    /// - Parameters:
    ///   - document: The operations of the document.
    ///   - api: The endpoints of the APIs.
    ///   - isStrict: Whether something that the APIs accept beyond the document is a difference too.
    package init(document: [ComparedEndpoint], api: [ComparedEndpoint], isStrict: Bool) {
        self.isStrict = isStrict
        let groups = Self.groups(of: api, document)
        let memory = ComparisonMemory()
        var foundOperations: Set<Int> = []
        for (key, endpoints) in groups {
            switch key {
            case .operation(let index):
                foundOperations.insert(index)
                compare(document[index], EndpointGroup(endpoints: endpoints), memory)
            case .route:
                addExtra(endpoints)
            }
        }
        let missingOperations = document.indices.filter { !foundOperations.contains($0) }
        addMissing(missingOperations.map { document[$0] })
    }

    // MARK: Matching endpoints with operations

    /// The reason why endpoints are in one group.
    private enum GroupKey: Hashable {
        /// They have the method and path of the document's operation with that index.
        case operation(Int)
        /// They have the same method and path, which no operation has.
        case route(ComparedEndpoint.Route)
    }

    /// Returns endpoints in groups, each with the operation of the document that has their method and path.
    ///
    /// Endpoints whose method and path no operation has are grouped by these.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints of the APIs.
    ///   - document: The operations of the document.
    private static func groups(
        of endpoints: [ComparedEndpoint], _ document: [ComparedEndpoint]
    ) -> [(key: GroupKey, elements: [ComparedEndpoint])] {
        let indexesByRoute = indexesByRoute(document)
        return endpoints.grouped { endpoint in
            let knownRoute = endpoint.routes.first { indexesByRoute[$0] != nil }
            guard let knownRoute, let candidates = indexesByRoute[knownRoute] else {
                return GroupKey.route(endpoint.routes[0])
            }
            // If several operations have that route, the same names of variables decide.
            let sameVariables = candidates.first { document[$0].variables == endpoint.variables }
            return .operation(sameVariables ?? candidates[0])
        }
    }

    /// Returns the indexes of the operations for each method and path.
    ///
    /// Operations of one method whose paths differ only by the names of variables have the same route, such as
    /// `/auth/{role}/login` and `/auth/{user}/login`.
    private static func indexesByRoute(_ document: [ComparedEndpoint]) -> [ComparedEndpoint.Route: [Int]] {
        var indexes: [ComparedEndpoint.Route: [Int]] = [:]
        for (index, operation) in document.enumerated() {
            for route in Set(operation.routes) { indexes[route, default: []].append(index) }
        }
        return indexes
    }

    // MARK: Results

    /// Compares an operation with the endpoints that have its method and path, and adds a result for each of these. The
    /// differences are in the result of the first one.
    private mutating func compare(
        _ operation: ComparedEndpoint, _ group: EndpointGroup, _ memory: ComparisonMemory
    ) {
        let maxSteps = min(remainingSteps, Self.maxStepsOfOperation)
        var comparison = OperationDifferences(
            operation, group, isStrict: isStrict, maxSteps: maxSteps, memory: memory)
        let differences = comparison.compare()
        remainingSteps -= maxSteps - comparison.remainingSteps
        for (index, endpoint) in group.endpoints.enumerated() {
            let isFirst = index == 0
            add(endpoint, isFirst ? differences : [], at: operation, isIncomplete: comparison.isIncomplete)
        }
    }

    /// Adds a result for each endpoint whose method and path no operation of the document has.
    private mutating func addExtra(_ endpoints: [ComparedEndpoint]) {
        for endpoint in endpoints {
            let problem = CheckProblem(.extraEndpoint, path: endpoint.shownRoute)
            add(endpoint, [DeclarationDifference(problem: problem, path: DeclarationPath(.operation))])
        }
    }

    /// Adds the result of the operations that no endpoint has.
    private mutating func addMissing(_ operations: [ComparedEndpoint]) {
        let differences = operations.map { operation in
            let problem = CheckProblem(.missingEndpoint, path: operation.shownRoute)
            let difference = DeclarationDifference(problem: problem, path: DeclarationPath(.operation))
            return LocatedDifference(difference: difference, operation: operation)
        }
        results.append(Result(endpoint: nil, differences: differences, isIncomplete: false))
    }

    /// Adds the result of an endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - differences: The differences from the document.
    ///   - operation: The operation where the differences are; nil if the document has none.
    ///   - isIncomplete: Whether parts of the endpoint were not compared.
    private mutating func add(
        _ endpoint: ComparedEndpoint, _ differences: [DeclarationDifference], at operation: ComparedEndpoint? = nil,
        isIncomplete: Bool = false
    ) {
        let located = differences.map { LocatedDifference(difference: $0, operation: operation) }
        results.append(Result(endpoint: endpoint, differences: located, isIncomplete: isIncomplete))
    }
}
