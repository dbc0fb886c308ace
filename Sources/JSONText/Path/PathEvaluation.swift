/// A query at work in one document.
///
/// Values are known by their slots, which follow each other as in the text. Each segment turns a list of values into the next one; only
/// filters within filters are nested, as deep as the query is. Every value that is looked at and every byte that is compared is a step.
final class PathEvaluation {
    let document: JSONDocument
    private let check: (() throws -> Void)?
    private let limit: Int
    private var steps = 0
    private var nextCheck = 0
    /// Regular expressions by their text, which may come out of the document; nil for those that are none.
    private var patterns: [String: Result<IRegexp, JSONPathLimit>?] = [:]

    init(_ document: JSONDocument, limit: Int, check: (() throws -> Void)?) {
        self.document = document
        self.limit = limit
        self.check = check
    }

    @inline(__always)
    func step(_ count: Int = 1) throws {
        steps &+= count
        if steps >= nextCheck { try pause() }
    }

    @inline(never)
    private func pause() throws {
        if steps > limit { throw JSONPathLimit.tooManySteps(limit) }
        nextCheck = steps + 4096
        try check?()
    }

    /// Calls `body` with each value that is selected, until it returns false; returns whether it never did.
    func select(_ query: PathQuery, from current: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        let start = query.isAbsolute ? JSONDocument.root : current
        guard let last = query.segments.last else { return try body(start) }
        var values = [UInt32(truncatingIfNeeded: start)]
        for segment in query.segments.dropLast() {
            var next: [UInt32] = []
            for value in values {
                _ = try select(segment, in: Int(value)) {
                    next.append(UInt32(truncatingIfNeeded: $0))
                    return true
                }
            }
            values = next
        }
        for value in values where try !select(last, in: Int(value), body) { return false }
        return true
    }

    private func select(_ segment: PathQuery.Segment, in value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        guard segment.isDescendant else { return try select(segment.selectors, in: value, body) }
        guard try select(segment.selectors, in: value, body) else { return false }
        guard isContainer(value) else { return true }
        var open = [(end: document.next(after: value), isObject: document.kind(of: value) == .object)]
        var slot = document.first(in: value)
        while let (end, isObject) = open.last {
            if slot >= end {
                open.removeLast()
                continue
            }
            let child = isObject ? slot + 1 : slot
            try step()
            if isContainer(child) {
                guard try select(segment.selectors, in: child, body) else { return false }
                open.append((document.next(after: child), document.kind(of: child) == .object))
                slot = document.first(in: child)
            } else {
                slot = child + 1
            }
        }
        return true
    }

    private func isContainer(_ value: Int) -> Bool { document.slots[value].isContainer }

    private func select(_ selectors: [PathQuery.Selector], in value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        for selector in selectors where try !select(selector, in: value, body) { return false }
        return true
    }

    private func select(_ selector: PathQuery.Selector, in value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        let kind = document.kind(of: value)
        switch (selector, kind) {
        case (.name(let name), .object), (.walk(let name, _), .object):
            return try member(name, of: value).map(body) ?? true
        case (.index(let index), .array): return try element(index, of: value).map(body) ?? true
        case (.wildcard, .object), (.wildcard, .array): return try children(of: value, body)
        case (.filter(let expression), .object), (.filter(let expression), .array):
            return try children(of: value) { try !test(expression, $0) || body($0) }
        case (.slice(let start, let end, let step), .array):
            return try slice(value, start, end, step, body)
        case (.walk(let name, let index), .array): return try walk(name, index, in: value, body)
        default: return true
        }
    }

    private func children(of value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        for child in document.values(in: value) {
            try step()
            guard try body(child) else { return false }
        }
        return true
    }

    /// The first member of that name.
    private func member(_ name: String, of object: Int) throws -> Int? {
        try document.member(name, of: object, isExact: true) { try step() }
    }

    private func element(_ index: Int, of array: Int) throws -> Int? {
        let count = document.count(of: array)
        let position = index < 0 ? count + index : index
        guard 0..<count ~= position else { return nil }
        try step(position)
        return document.values(in: array).dropFirst(position).first { _ in true }
    }

    /// RFC 9535, 2.3.4.2.2.
    private func slice(
        _ array: Int, _ start: Int?, _ end: Int?, _ step: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        var elements: [UInt32] = []
        _ = try children(of: array) {
            elements.append(UInt32(truncatingIfNeeded: $0))
            return true
        }
        let count = elements.count
        if step == 0 { return true }
        /// The positions to start at and to end before.
        let bounds = step > 0 ? 0...count : -1...count - 1
        func position(_ index: Int) -> Int {
            min(max(index < 0 ? count + index : index, bounds.lowerBound), bounds.upperBound)
        }
        let first = start.map(position) ?? (step > 0 ? 0 : count - 1)
        let last = end.map(position) ?? (step > 0 ? count : -1)
        for index in stride(from: first, to: last, by: step) where try !body(Int(elements[index])) { return false }
        return true
    }

    /// The member of each element that is an object, lists in lists included; of the list itself, the element at `index`.
    private func walk(
        _ name: String, _ index: Int?, in list: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        if let index { return try element(index, of: list).map(body) ?? true }
        // The slots of everything in the list follow each other; objects are passed over whole.
        let end = document.next(after: list)
        var slot = document.first(in: list)
        while slot < end {
            try step()
            if document.kind(of: slot) == .array {
                slot = document.first(in: slot)
                continue
            }
            if document.kind(of: slot) == .object, let value = try member(name, of: slot), try !body(value) {
                return false
            }
            slot = document.next(after: slot)
        }
        return true
    }

    func matches(_ text: String, _ pattern: String, isWhole: Bool) throws -> Bool {
        if patterns[pattern] == nil {
            try step(IRegexp.largestProgram)
            if patterns.count == Self.maxPatterns { patterns = [:] }
            patterns[pattern] = .some(IRegexp.compile(pattern))
        }
        let expression = try patterns[pattern]??.get()
        return try expression?.matches(text.unicodeScalars, isWhole: isWhole) { try step($0) } ?? false
    }

    private static let maxPatterns = 64
}
