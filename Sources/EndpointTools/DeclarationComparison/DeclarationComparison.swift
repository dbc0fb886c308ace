import EndpointKit

/// The differences between a document and the endpoints of APIs.
///
/// Both are lists of declarations. Endpoints with the same method and path are compared: parameters by their places,
/// bodies by their media types, and the shapes of all values.
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
        let operationIndexes = Self.indexesByRoute(document)
        var usedOperations: Set<Int> = []
        let groups = api.grouped { endpoint in
            let candidates = endpoint.routes.lazy.compactMap { operationIndexes[$0] }.first ?? []
            let index = candidates.first { document[$0].variables == endpoint.variables } ?? candidates.first
            return index.map(GroupKey.operation) ?? .route(endpoint.routes[0])
        }
        let memory = ComparisonMemory()
        for (key, endpoints) in groups {
            guard case .operation(let index) = key else {
                addExtra(endpoints)
                continue
            }
            usedOperations.insert(index)
            compare(document[index], EndpointGroup(endpoints: endpoints), memory)
        }
        let missing = document.indices.filter { !usedOperations.contains($0) }.map { document[$0] }
        addMissing(missing)
    }

    /// The reason why endpoints are compared together.
    private enum GroupKey: Hashable {
        /// They are the operation with that index.
        case operation(Int)
        /// They are none of the operations, and have the same method and path.
        case route(ComparedEndpoint.Route)
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

    /// Compares an operation with the endpoints that it is. The first of these has the differences.
    private mutating func compare(
        _ operation: ComparedEndpoint, _ group: EndpointGroup, _ memory: ComparisonMemory
    ) {
        let maxSteps = min(remainingSteps, Self.maxStepsOfOperation)
        var comparison = OperationDifferences(
            operation, group, isStrict: isStrict, maxSteps: maxSteps, memory: memory)
        let differences = comparison.compare()
        remainingSteps -= maxSteps - comparison.remainingSteps
        for (index, endpoint) in group.endpoints.enumerated() {
            add(
                endpoint, index == 0 ? differences : [], at: operation,
                isIncomplete: comparison.isIncomplete)
        }
    }

    /// Adds the results of endpoints that are none of the operations.
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

    private mutating func add(
        _ endpoint: ComparedEndpoint, _ differences: [DeclarationDifference], at operation: ComparedEndpoint? = nil,
        isIncomplete: Bool = false
    ) {
        let located = differences.map { LocatedDifference(difference: $0, operation: operation) }
        results.append(Result(endpoint: endpoint, differences: located, isIncomplete: isIncomplete))
    }
}
