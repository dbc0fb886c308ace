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

    /// Compares a document with endpoints, and stores the differences in ``results``.
    ///
    /// - Parameters:
    ///   - operations: The operations of the document, described in the same way as endpoints.
    ///   - endpoints: The endpoints of the APIs.
    ///   - isStrict: Whether something that the APIs accept beyond the document is a difference too.
    package init(document operations: [ComparedEndpoint], api endpoints: [ComparedEndpoint], isStrict: Bool) {
        self.isStrict = isStrict
        // Models that several operations have in common are compared once.
        let comparedModels = ComparedModels()
        var matchedIndexes: Set<Int> = []
        for (match, groupedEndpoints) in Self.groupEndpoints(endpoints, byOperations: operations) {
            switch match {
            case .operation(let index):
                matchedIndexes.insert(index)
                let group = EndpointGroup(endpoints: groupedEndpoints)
                compareOperation(operations[index], with: group, comparedModels: comparedModels)
            case .noOperation:
                addExtraEndpoints(groupedEndpoints)
            }
        }
        let unmatchedIndexes = operations.indices.filter { !matchedIndexes.contains($0) }
        addMissingEndpoints(of: unmatchedIndexes.map { operations[$0] })
    }

    // MARK: Matching endpoints with operations

    /// The operation of the document that endpoints have in common.
    private enum OperationMatch: Hashable {
        /// They have the method and path of the document's operation with that index.
        case operation(index: Int)
        /// They have the same method and path, which no operation has.
        case noOperation(at: ComparedEndpoint.Route)
    }

    /// Groups endpoints of the APIs by the operation of the document that has the same method and path.
    ///
    /// Endpoints that no operation matches are grouped by their own method and path.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints of the APIs.
    ///   - operations: The operations of the document.
    private static func groupEndpoints(
        _ endpoints: [ComparedEndpoint], byOperations operations: [ComparedEndpoint]
    ) -> [(key: OperationMatch, elements: [ComparedEndpoint])] {
        let indexesByRoute = operationIndexesByRoute(operations)
        return endpoints.grouped { endpoint in
            let indexesOfEachRoute = endpoint.routes.compactMap { indexesByRoute[$0] }
            guard let indexes = indexesOfEachRoute.first else {
                // The first route has the whole path, with that of the server's URL.
                return OperationMatch.noOperation(at: endpoint.routes[0])
            }
            // Several operations may have that route. The one with the same names of variables is taken, or else the
            // first.
            let indexWithSameVariables = indexes.first { operations[$0].variableNames == endpoint.variableNames }
            return .operation(index: indexWithSameVariables ?? indexes[0])
        }
    }

    /// Returns the operations with each route, as indexes in `operations`. A *route* is a method and a path.
    ///
    /// Operations of one method whose paths differ only by the names of variables have the same route, such as
    /// `/auth/{role}/login` and `/auth/{user}/login`.
    private static func operationIndexesByRoute(_ operations: [ComparedEndpoint]) -> [ComparedEndpoint.Route: [Int]] {
        var indexes: [ComparedEndpoint.Route: [Int]] = [:]
        for (index, operation) in operations.enumerated() {
            // Both routes of an operation are equal if its server's URL has no path. The set has them once.
            for route in Set(operation.routes) { indexes[route, default: []].append(index) }
        }
        return indexes
    }

    // MARK: Results

    /// Compares an operation with the endpoints that have its method and path, and adds a result for each of these.
    ///
    /// The differences are in the result of the first endpoint, so that a report names each of them once.
    ///
    /// - Parameters:
    ///   - operation: The operation of the document.
    ///   - group: The endpoints of the APIs.
    ///   - comparedModels: The models and the equal shapes of earlier operations. The comparison adds its own.
    private mutating func compareOperation(
        _ operation: ComparedEndpoint, with group: EndpointGroup, comparedModels: ComparedModels
    ) {
        let maxSteps = min(remainingSteps, Self.maxStepsOfOperation)
        var comparison = OperationDifferences(
            of: operation, and: group, isStrict: isStrict, maxSteps: maxSteps, comparedModels: comparedModels)
        let differences = comparison.compare()
        let usedSteps = maxSteps - comparison.remainingSteps
        remainingSteps -= usedSteps
        for (index, endpoint) in group.endpoints.enumerated() {
            let isFirst = index == 0
            let reportedDifferences = isFirst ? differences : []
            addResult(
                of: endpoint, differences: reportedDifferences, operation: operation,
                isIncomplete: comparison.isIncomplete)
        }
    }

    /// Adds a result for each endpoint whose method and path no operation of the document has.
    private mutating func addExtraEndpoints(_ endpoints: [ComparedEndpoint]) {
        for endpoint in endpoints {
            let problem = CheckProblem(.extraEndpoint, path: endpoint.shownRoute)
            let difference = DeclarationDifference(problem: problem, path: DeclarationPath(.operation))
            addResult(of: endpoint, differences: [difference], operation: nil, isIncomplete: false)
        }
    }

    /// Adds one result for all operations whose method and path no endpoint has.
    private mutating func addMissingEndpoints(of operations: [ComparedEndpoint]) {
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
    ///   - endpoint: The endpoint of an API that was compared.
    ///   - differences: The differences from the document.
    ///   - operation: The operation where the differences are; nil if the document has none.
    ///   - isIncomplete: Whether parts of the endpoint were not compared.
    private mutating func addResult(
        of endpoint: ComparedEndpoint, differences: [DeclarationDifference], operation: ComparedEndpoint?,
        isIncomplete: Bool
    ) {
        let located = differences.map { LocatedDifference(difference: $0, operation: operation) }
        results.append(Result(endpoint: endpoint, differences: located, isIncomplete: isIncomplete))
    }
}
