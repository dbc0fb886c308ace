import EndpointKit
import JSONText

/// `diff`: sends the same call to two servers and compares the responses.
struct DiffCommand: Command {
    static let name = "diff"
    static let usage = "diff API.ENDPOINT [parameters] --env NAME --env NAME [options]"
    static let summary = "compare the responses of two servers to the same call"
    static let operands = Operands.call
    /// The options of how requests are sent, and what is compared.
    static let table = OptionTable<CallOptions>(
        command: [
            OptionGroup(
                title: "Comparison",
                options: [
                    Option("values", "compare values too, not only which there are and of what type") {
                        $0.comparesValues = true
                    }
                ])
        ] + CallOptions.sending(\.self))

    static func notes(_ context: RunContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            "Exit codes: 0 if the responses are alike, 1 if they differ, otherwise those of call."
        ])
    }

    /// Differences that are printed, at most.
    private static let maxLines = 1000

    private let words: CallWords

    init(_ words: CommandWords<CallOptions>) throws {
        var words = try words.call(of: Self.name)
        words.table = Self.table
        self.words = words
        let count = words.options.servers.count
        if count != 2 {
            throw UsageError(
                "diff compares two servers (--env NAME --env NAME, or --base-url URL --base-url URL), not \(count)")
        }
    }

    /// One of the two responses.
    private struct Side: Sendable {
        /// The server, as it was given.
        let name: String
        let response: Response
        let redactor: Redactor
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let resolver = try Resolver(
            context, environmentFiles: words.options.environmentFiles, apis: [words.declaration.api])
        let (context, servers) = (resolver.context, words.options.servers)
        context.environment.watchSignals(.milliseconds(200))
        context.environment.transport.prepare()
        var plans: [CallPlan] = []
        for server in servers {
            var words = words
            if words.options.baseURL == nil { words.options.server = server } else { words.options.baseURL = server }
            // Stdin can be read only once.
            words.call = plans.first?.call
            plans.append(try resolver.plan(words))
        }
        async let first = side(servers[0], plans[0], context)
        async let second = side(servers[1], plans[1], context)
        let (one, other) = try await (first, second)
        let lines = try differences(one, other).map { one.redactor.redact(other.redactor.redact($0)).safeToShow }
        let more = lines.count > Self.maxLines ? ["… and \(lines.count - Self.maxLines) more"] : []
        for line in lines.prefix(Self.maxLines) + more { try context.environment.stdout.write(line + "\n") }
        if let failed = [one, other].first(where: { !$0.response.head.isSuccess }) {
            let head = failed.response.head.redacted(by: failed.redactor)
            let server = one.response.head.status == other.response.head.status ? "both" : failed.name
            throw Failure(
                "\(words.declaration.name): \(server) answered \(head.statusText)", ExitCode(status: head.status))
        }
        return lines.isEmpty ? .success : .failure
    }

    private func side(_ name: String, _ plan: CallPlan, _ context: RunContext) async throws -> Side {
        let exchange = Exchange(plan, context)
        let response = try await exchange.run { streamed in
            Response(head: streamed.head, body: try await streamed.body.collect(limit: exchange.client.maxBodySize))
        }
        return Side(name: name, response: response, redactor: exchange.redactor)
    }

    private func differences(_ one: Side, _ other: Side) throws -> [String] {
        var differences = Differences(names: (one.name, other.name))
        let (first, second) = (one.response, other.response)
        if first.head.status != second.head.status {
            differences.change("status", first.head.statusText, second.head.statusText)
        }
        if first.body == second.body { return differences.lines }
        if let one = try? JSONDocument(first.body), let other = try? JSONDocument(second.body) {
            let (one, other) = (JSONValue(one), JSONValue(other))
            words.options.comparesValues ? differences.addValues(one, other) : differences.addShapes(one, other)
        } else {
            differences.change("body", "\(first.body.count) bytes", "\(second.body.count) other bytes")
        }
        return differences.lines
    }
}

/// The differences of two documents, a line each.
private struct Differences {
    /// The names of the two servers.
    let names: (one: String, other: String)
    private(set) var lines: [String] = []

    init(names: (one: String, other: String)) { self.names = names }

    mutating func change(_ path: String, _ one: String, _ other: String) {
        lines.append("~ \(path): \(one) in \(names.one), \(other) in \(names.other)")
    }

    private mutating func remove(_ path: String, _ text: String) {
        lines.append("- \(path): \(text); only in \(names.one)")
    }

    private mutating func add(_ path: String, _ text: String) {
        lines.append("+ \(path): \(text); only in \(names.other)")
    }

    /// Compares all values.
    mutating func addValues(_ one: JSONValue, _ other: JSONValue, at path: String = "$") {
        if one.elements != nil && other.elements != nil || one.members != nil && other.members != nil {
            let (own, others) = (one.children, other.children)
            let theirs = Dictionary(others.map { ($0.step, $0.value) }) { first, _ in first }
            var known: Set<String> = []
            for (step, value) in own where known.insert(step).inserted {
                if let counterpart = theirs[step] {
                    addValues(value, counterpart, at: path + step)
                } else {
                    remove(path + step, value.shown)
                }
            }
            for (step, value) in others where known.insert(step).inserted { add(path + step, value.shown) }
        } else if one != other {
            change(path, one.shown, other.shown)
        }
    }

    /// Compares which values there are and of what types, with the positions of lists folded into one.
    mutating func addShapes(_ one: JSONValue, _ other: JSONValue) {
        let (first, second) = (Places(of: one), Places(of: other))
        for path in first.order {
            guard let place = first.places[path] else { continue }
            guard let counterpart = second.places[path] else {
                if place.isOutermost(missingIn: second) { remove(path, place.text) }
                continue
            }
            // Null says nothing about what else may be there.
            let kinds = (place.kinds.subtracting(["null"]), counterpart.kinds.subtracting(["null"]))
            if kinds.0 != kinds.1, !kinds.0.isEmpty, !kinds.1.isEmpty { change(path, place.text, counterpart.text) }
        }
        for path in second.order where first.places[path] == nil {
            if let place = second.places[path], place.isOutermost(missingIn: first) { add(path, place.text) }
        }
    }

    /// What a document has at each folded path.
    private struct Places {
        struct Place {
            let parent: String
            var kinds: Set<String> = []
            /// Whether it has a member or an element, or is an object.
            var hasChildren = false

            var text: String { kinds.sorted().joined(separator: " or ") }

            /// Whether it is the outermost of what is missing, and not just in a list that happens to be empty.
            func isOutermost(missingIn others: Places) -> Bool { others.places[parent]?.hasChildren == true }
        }

        private(set) var places: [String: Place] = [:]
        /// The paths in the order of the text.
        private(set) var order: [String] = []

        init(of document: JSONValue) { add(document, "$", "") }

        private mutating func add(_ value: JSONValue, _ path: String, _ parent: String) {
            if places[path] == nil {
                places[path] = Place(parent: parent)
                order.append(path)
            }
            places[path]?.kinds.insert(value.kindName)
            let (children, isObject) = (value.children, value.members != nil)
            for (step, child) in children { add(child, path + (isObject ? step : "[*]"), path) }
            if isObject || !children.isEmpty { places[path]?.hasChildren = true }
        }
    }
}

extension JSONValue {
    /// Characters of a value that are shown.
    private static let maxShown = 80

    /// The elements or members, each with the step of a path that leads to it.
    fileprivate var children: [(step: String, value: JSONValue)] {
        switch content {
        case .array(let elements): elements.enumerated().map { ("[\($0.offset)]", $0.element) }
        case .object(let members): members.map { (FoldedPlaces.step($0.key), $0.value) }
        case .null, .bool, .number, .string: []
        }
    }

    fileprivate var kindName: String {
        switch content {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The start of it as it is written.
    var shown: String {
        let text = String(decoding: written.prefix(Self.maxShown * 4), as: UTF8.self)
        return text.count > Self.maxShown ? String(text.prefix(Self.maxShown)) + "…" : text
    }
}
