import EndpointTools

/// The lines of a document where it differs from endpoints.
struct DifferenceLines {
    /// A part of an operation of the document.
    private struct OperationPart: Hashable {
        let operationName: String
        let path: DeclarationPath
    }

    /// The line of each part of an operation that differs.
    private var lines: [OperationPart: Int] = [:]

    /// Finds the lines of all differences between a document and endpoints. The text of the document is read only once
    /// for all of them, because each search for a line begins at its start.
    init(of comparison: DeclarationComparison, in document: CatalogueAPI) {
        let offsets = Self.offsets(of: comparison.results.flatMap(\.differences))
        let linesOfOffsets = document.lines(of: Set(offsets.values))
        lines = offsets.compactMapValues { linesOfOffsets[$0] }
    }

    /// Returns the offset in the document's text for each part of an operation that differs. A part that the document
    /// does not have has no offset.
    private static func offsets(
        of differences: [DeclarationComparison.LocatedDifference]
    ) -> [OperationPart: Int] {
        var offsets: [OperationPart: Int] = [:]
        for (operationName, differencesOfOperation) in differences.grouped(by: { $0.operation?.declaration.name }) {
            guard let operationName, let operation = differencesOfOperation.first?.operation else { continue }
            // The operation finds the offsets of all its paths at once.
            let paths = differencesOfOperation.map(\.difference.path)
            for (path, offset) in zip(paths, operation.declaration.offsets(of: paths)) {
                offsets[OperationPart(operationName: operationName, path: path)] = offset
            }
        }
        return offsets
    }

    /// Returns the problem of a difference, with its line in the document if it has one.
    func problem(of locatedDifference: DeclarationComparison.LocatedDifference) -> CheckProblem {
        let problem = locatedDifference.difference.problem
        let line = locatedDifference.operation.flatMap { operation in
            let path = locatedDifference.difference.path
            return lines[OperationPart(operationName: operation.declaration.name, path: path)]
        }
        return CheckProblem(
            problem.kind, path: problem.path, expected: problem.expected, found: problem.found, line: line)
    }
}
