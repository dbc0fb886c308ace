/// The last value of each type that was in the document and fitted, or else a value that was made up.
package final class FittingValues {
    var values: [ObjectIdentifier: Any] = [:]

    package init() {}
}
