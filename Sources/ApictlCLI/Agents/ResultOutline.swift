import JSONText

/// An outline of a result that is too long: the number and the size of the values at each path, and the first items of
/// the longest list.
///
///     The result has 48000 bytes, more than the 16384 that are shown. What is in it:
///       (the whole): object, 48000 bytes
///       results: array, 47000 bytes
///       results[]: 20 × object, 46000 bytes
///       …
///     The first items:
///     results[0]: {"title": …}
///     For the rest, call it again with select: "$.results[1:10]", or a field of all items such as "results.title".
struct ResultOutline {
    /// The deepest values that are counted. The advice needs the fields of the items of a list, which are not deeper.
    private static let maxDepth = 4
    /// The deepest lists whose items are shown.
    private static let maxListDepth = 2
    /// The most paths that are shown.
    private static let maxRows = 40
    /// The longest part of a key in a path, in bytes.
    private static let maxKeyLength = 40
    /// The most paths that are counted. An object of a hostile server may have any number of keys.
    private static let maxPaths = 2000
    /// The bytes that are kept free for the advice at the end.
    private static let adviceBytes = 400

    /// The values at a path.
    private struct Row {
        /// The path with `[]` for each element: `results[].title`.
        let path: String
        /// The kinds of the values, such as `string`.
        var kinds: [String] = []
        /// The number of values.
        var count = 0
        /// The length of all values together.
        var bytes = 0
    }

    /// A list whose first items are shown.
    private struct List {
        let path: String
        let items: [JSONValue]
        /// The length of the list.
        let bytes: Int
    }

    private let arguments: ToolArguments
    /// The paths of the result with the values at each, in the order in which they first come.
    private var rows: [Row] = []
    /// The indexes of ``rows`` by their paths.
    private var indexes: [String: Int] = [:]
    /// The list whose first items are shown: the longest one, or a list inside it that has most of its bytes.
    private var longestList: List?

    /// Counts the values of a result.
    ///
    /// - Parameters:
    ///   - root: The result.
    ///   - arguments: The arguments that have chosen it.
    init(_ root: JSONValue, _ arguments: ToolArguments) {
        self.arguments = arguments
        addValue(root, at: "", depth: 0)
    }

    // MARK: Counting

    /// Adds a value and the values inside it to ``rows``, and finds ``longestList``.
    ///
    /// Values at paths beyond ``maxPaths`` or below ``maxDepth`` are left out.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: Its path, such as `results[].title`; empty for the whole result.
    ///   - depth: The number of values around it.
    private mutating func addValue(_ value: JSONValue, at path: String, depth: Int) {
        guard let index = findOrAddRow(at: path) else { return }
        let bytes = value.document.range(of: value.slot).count
        let kind = value.kind.rawValue
        if !rows[index].kinds.contains(kind) { rows[index].kinds.append(kind) }
        rows[index].count += 1
        rows[index].bytes += bytes

        let elements = value.elements ?? []
        if depth <= Self.maxListDepth, !elements.isEmpty, isLongestList(bytes: bytes) {
            longestList = List(path: path, items: elements, bytes: bytes)
        }
        guard depth < Self.maxDepth else { return }
        for element in elements { addValue(element, at: path + "[]", depth: depth + 1) }
        for (key, member) in value.members ?? [] {
            let separator = path.isEmpty ? "" : "."
            addValue(member, at: path + separator + key.cut(to: Self.maxKeyLength), depth: depth + 1)
        }
    }

    /// Whether a list that is visited now takes the place of ``longestList``: it has more than two thirds of its bytes.
    ///
    /// An outer list is visited before the lists inside it. If most of its bytes are those of one inner list, the items
    /// of the inner list tell more. So the inner list need not be longer.
    ///
    /// - Parameter bytes: The length of the list.
    private func isLongestList(bytes: Int) -> Bool {
        guard let longestList else { return true }
        return bytes * 3 > longestList.bytes * 2
    }

    /// Finds the row of a path in ``rows``, or adds a row at the end for a new path.
    ///
    /// - Returns: The index of the row; nil for a new path if there are ``maxPaths`` rows already.
    private mutating func findOrAddRow(at path: String) -> Int? {
        if let index = indexes[path] { return index }
        guard rows.count < Self.maxPaths else { return nil }
        indexes[path] = rows.count
        rows.append(Row(path: path))
        return rows.count - 1
    }

    // MARK: Text

    /// Returns the outline.
    ///
    /// Half of the length is for the rows of paths, the rest for the first items and the advice.
    ///
    /// - Parameters:
    ///   - totalBytes: The length of the result.
    ///   - maxBytes: The longest outline, in bytes.
    func text(totalBytes: Int, maxBytes: Int) -> String {
        var lines = ["The result has \(totalBytes) bytes, more than the \(maxBytes) that are shown. What is in it:"]

        let rowLines = rows.prefix(Self.maxRows).map(Self.line)
        let shownRowLines = Self.firstLines(of: rowLines, fittingIn: maxBytes / 2)
        lines += shownRowLines
        let omittedCount = rows.count - shownRowLines.count
        if omittedCount > 0 { lines.append("  … and \(omittedCount) more") }

        // Each line has a line feed at its end.
        let usedBytes = lines.reduce(0) { $0 + $1.utf8.count + 1 }
        let bytesForItems = maxBytes - usedBytes - Self.adviceBytes
        let shownItemLines = Self.firstLines(of: itemLines, fittingIn: bytesForItems)
        if !shownItemLines.isEmpty { lines.append("The first items:") }
        lines += shownItemLines
        lines.append(advice(shownItemCount: shownItemLines.count))
        return lines.joined(separator: "\n").safeForModels.cut(to: maxBytes)
    }

    /// Returns the line of a row: `  results[].title: 20 × string, 480 bytes`.
    private static func line(_ row: Row) -> String {
        let path = row.path.isEmpty ? "(the whole)" : row.path
        let count = row.count == 1 ? "" : "\(row.count) × "
        let kinds = row.kinds.joined(separator: " or ")
        return "  \(path): \(count)\(kinds), \(row.bytes.counted("byte"))".safeForModels
    }

    /// The lines of the items of the longest list: `results[0]: {"title": …}`. They are made only as far as they are
    /// read, because a list may have very many items.
    private var itemLines: some Sequence<String> {
        let path = longestList?.path ?? ""
        let items = longestList?.items ?? []
        return items.enumerated().lazy.map { index, item in "\(path)[\(index)]: \(item)".safeForModels }
    }

    /// Returns the first lines, as many as fit into `maxBytes` with their line feeds.
    private static func firstLines(of lines: some Sequence<String>, fittingIn maxBytes: Int) -> [String] {
        var remainingBytes = maxBytes
        var firstLines: [String] = []
        for line in lines {
            remainingBytes -= line.utf8.count + 1
            if remainingBytes < 0 { break }
            firstLines.append(line)
        }
        return firstLines
    }

    /// Returns a sentence that says how to get the rest of the result, or a smaller part.
    ///
    /// | Result | Advice |
    /// |---|---|
    /// | a part that the call has chosen | to choose less |
    /// | with a list | the next slice of the list, such as `$.results[3:10]`, and a field of all items |
    /// | any other, or with a list whose first item is too long to show | a field |
    ///
    /// - Parameter shownItemCount: The number of items of the longest list that the outline shows.
    private func advice(shownItemCount: Int) -> String {
        if arguments.select != nil || arguments.allPages == true {
            return "For less, select a smaller part, or ask for fewer items."
        }
        guard let longestList else {
            return "For a part, call it again with select: a field such as \"\(exampleField)\"."
        }
        let field = "a field of all items such as \"\(exampleField)\"."
        guard shownItemCount > 0 else { return "For a part, call it again with select: \(field)" }
        let separator = longestList.path.isEmpty ? "" : "."
        // The next slice is as long as what is shown, and ends at the tenth item if fewer than five are shown.
        let sliceEnd = 2 * max(shownItemCount, 5)
        let slice = "$\(separator)\(longestList.path)[\(shownItemCount):\(sliceEnd)]"
        return "For the rest, call it again with select: \"\(slice)\", or \(field)"
    }

    /// An example for the argument `select`: the last path in the longest list, or in the whole result if there is no
    /// list. Brackets are left out: `results[].title` becomes `results.title`.
    private var exampleField: String {
        let listPath = longestList?.path ?? ""
        let path = rows.last { $0.path.hasPrefix(listPath) }?.path ?? ""
        return path.replacingBytes(of: "[]", with: "")
    }
}
