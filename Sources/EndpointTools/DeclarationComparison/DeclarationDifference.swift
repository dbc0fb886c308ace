/// A difference of two declarations, with the part of the document where it is.
package struct DeclarationDifference: Sendable {
    /// The problem as a report shows it, without a line.
    package let problem: CheckProblem
    /// The path to the part of the document's declaration.
    package let path: DeclarationPath
}
