import EndpointKit
import JSONText

extension ToolResult {
    /// The result of an exchange that printed these bytes, and notes about them: the whole, or an outline of what is too long.
    init(
        _ exchange: Exchange, _ printed: [UInt8], notes: [UInt8], _ wanted: ToolArguments, _ options: AgentOptions
    ) {
        let (redactor, head, limit) = (exchange.redactor, exchange.log.facts.head, options.maxBytes)
        let bytes = redactor.redact(printed)
        // The values of a selection are one in each line.
        let lines = wanted.select.map { _ in bytes.split(separator: UInt8(ascii: "\n")).joined(separator: ",".utf8) }
        let value = try? JSONValue(text: lines.map { Array("[".utf8) + $0 + Array("]".utf8) } ?? bytes)
        var text = String(decoding: bytes.prefix(limit + 1), as: UTF8.self).trimmingLineBreaks.safeForModels
        let isWhole = text.utf8.count <= limit
        if bytes.isEmpty {
            let nothing = "(\(head?.statusText ?? ""), \(wanted.select.map { "nothing found at \($0)" } ?? "no body"))"
            let isHead = [.head, .options].contains(exchange.plan.endpoint.method)
            text = redactor.redact(isHead ? head?.lines.joined(separator: "\n") ?? "" : nothing).safeForModels
        } else if bytes.prefix(8192).contains(0) || String(validating: bytes, as: UTF8.self) == nil {
            let type = head?.mediaType(redactedBy: redactor) ?? "binary data"
            text = "(\(type), \(printed.count) bytes, not shown)".safeForModels
        } else if !isWhole {
            text =
                value.map { ResultOutline($0, wanted).text(bytes.count, maxBytes: limit) }
                ?? "(the first of \(bytes.count) bytes; a larger --max-bytes allows more)\n" + text
        }
        let notes = redactor.redact(String(exactBytes: notes)).trimmingLineBreaks.safeForModels
        self.init(texts: [text.cut(to: limit)] + (notes.isEmpty ? [] : [notes]))
    }
}

/// What is in a result that is too long: how many values, and how many bytes, there are at each path.
private struct ResultOutline {
    private static let (maxDepth, maxRows, maxKeyLength) = (4, 40, 40)
    /// How many different paths are counted: the keys of a hostile object are without number.
    private static let maxPaths = 2000

    private let wanted: ToolArguments
    private var paths: [(path: String, kinds: [String], count: Int, bytes: Int)] = []
    private var places: [String: Int] = [:]
    /// The list with most bytes; one that has nearly all of the list around it stands for that.
    private var list: (path: String, items: [JSONValue], bytes: Int)?

    init(_ root: JSONValue, _ wanted: ToolArguments) {
        self.wanted = wanted
        add(root, at: "", depth: 0)
    }

    private mutating func add(_ value: JSONValue, at path: String, depth: Int) {
        let size = value.document.range(of: value.slot).count
        if places[path] == nil, paths.count < Self.maxPaths {
            places[path] = paths.count
            paths.append((path, [], 0, 0))
        }
        guard let place = places[path] else { return }
        if !paths[place].kinds.contains(value.kind.rawValue) { paths[place].kinds.append(value.kind.rawValue) }
        paths[place].count += 1
        paths[place].bytes += size
        let elements = value.elements ?? []
        if depth < 3, !elements.isEmpty, size * 3 > (list?.bytes ?? 0) * 2 { list = (path, elements, size) }
        guard depth < Self.maxDepth else { return }
        for element in elements { add(element, at: path + "[]", depth: depth + 1) }
        for (key, member) in value.members ?? [] {
            add(member, at: path + (path.isEmpty ? "" : ".") + key.cut(to: Self.maxKeyLength), depth: depth + 1)
        }
    }

    /// The paths, the first items as far as there is room, and how to ask for the rest.
    func text(_ size: Int, maxBytes: Int) -> String {
        var lines = ["The result has \(size) bytes, more than the \(maxBytes) that are shown. What is in it:"]
        var room = maxBytes / 2
        func fits(_ line: String) -> Bool {
            room -= line.utf8.count + 1
            return room >= 0
        }
        let rows = paths.prefix(Self.maxRows).map { path, kinds, count, bytes in
            let kind = (count == 1 ? "" : "\(count) × ") + kinds.joined(separator: " or ")
            return "  \(path.isEmpty ? "(the whole)" : path): \(kind), \(bytes.counted("byte"))".safeForModels
        }.prefix(while: fits)
        lines += rows + (paths.count > rows.count ? ["  … and \(paths.count - rows.count) more"] : [])
        // With room for the advice.
        room = maxBytes - lines.reduce(400) { $0 + $1.utf8.count + 1 }
        let items: [String] = (list?.items ?? []).enumerated().lazy
            .map { "\(list?.path ?? "")[\($0)]: \($1)".safeForModels }.prefix(while: fits)
        lines += (items.isEmpty ? [] : ["The first items:"]) + items + [advice(items.count)]
        return lines.joined(separator: "\n").safeForModels.cut(to: maxBytes)
    }

    private func advice(_ shown: Int) -> String {
        if wanted.select != nil || wanted.allPages == true {
            return "For less, select a smaller part, or ask for fewer items."
        }
        let field = paths.last { $0.path.hasPrefix(list?.path ?? "") }?.path.replacingBytes(of: "[]", with: "") ?? ""
        let other = "a field\(list == nil ? "" : " of all items") such as \"\(field)\"."
        guard let list, shown > 0 else { return "For a part, call it again with select: \(other)" }
        let slice = "\(list.path.isEmpty ? "" : ".")\(list.path)[\(shown):\(2 * max(shown, 5))]"
        return "For the rest, call it again with select: \"$\(slice)\", or \(other)"
    }
}

extension String {
    /// This text with escapes, as in JSON, in place of what is not seen or changes how the rest is seen: a model may obey what no person sees.
    var safeForModels: String {
        // Most text.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) { return self }
        return unicodeScalars.map { scalar in
            // Format characters are bidi controls and tags too.
            let kinds: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
            let isHidden =
                scalar != "\t" && scalar != "\n" && kinds.contains(scalar.properties.generalCategory)
                || scalar.properties.isDefaultIgnorableCodePoint
            guard isHidden else { return String(scalar) }
            return String(decoding: Hexadecimal.escape(scalar.value), as: UTF8.self)
        }.joined()
    }

    /// The beginning, with a mark if that is not all; at most so many bytes.
    func cut(to count: Int) -> String {
        // A character of which a part is left takes three bytes.
        utf8.count <= count ? self : String(decoding: utf8.prefix(max(count - 6, 0)), as: UTF8.self) + "…"
    }
}
