/// The directory of samples as a resource of its target in `Package.swift`.
struct SamplesResource {
    /// The line to add to `Package.swift`: `to the target in Sources/App: resources: [.embedInCode("Shop/Samples")]`.
    let text: String

    /// Finds the path of the directory relative to its target.
    ///
    /// | Path | Target | Resource |
    /// |---|---|---|
    /// | `Endpoints/Samples/`, with a `Catalogue.swift` in `Endpoints` | `Endpoints` | `Samples` |
    /// | `Sources/App/Shop/Samples/` | `Sources/App`, as SwiftPM looks for targets | `Shop/Samples` |
    /// | `out/Shop/Samples/` | `out`, the first directory | `Shop/Samples` |
    ///
    /// - Parameters:
    ///   - directory: The directory of samples, with a slash at its end.
    ///   - knownTarget: The directory of the target, with a slash at its end; nil if there is no `Catalogue.swift` that
    ///     would show it.
    init(_ directory: String, of knownTarget: String?) {
        let target = knownTarget ?? Self.likelyTarget(of: directory)
        let resource = directory.dropFirst(target.utf8.count).dropLast()
        let targetName = target.isEmpty ? "." : String(target.dropLast())
        text = "to the target in \(targetName): resources: [.embedInCode(\"\(resource)\")]"
    }

    /// Returns the directory of the target that a directory of samples probably belongs to, with a slash at its end.
    ///
    /// The target is the directory in `Sources` or `Tests`, where SwiftPM looks for targets. Without one of these, it
    /// is the first directory of the path, or the directory around the samples if the path starts with `/`, `.` or
    /// `..`.
    private static func likelyTarget(of directory: String) -> String {
        let parts = directory.split(separator: "/", omittingEmptySubsequences: false)
        // The last two parts are `Samples` and the empty text after the last slash.
        let parents = parts.dropLast(2)
        let rootIndex = parents.lastIndex { $0 == "Sources" || $0 == "Tests" }
        let targetParts: ArraySlice<Substring>
        // The target is a directory inside `Sources` or `Tests`. There may be none.
        if let rootIndex, rootIndex + 1 < parents.count {
            targetParts = parents[...(rootIndex + 1)]
        } else if let first = parents.first, ["", ".", ".."].contains(first) {
            targetParts = parents
        } else {
            targetParts = parents.prefix(1)
        }
        return targetParts.map { $0 + "/" }.joined()
    }
}
