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
        let lines = differences(one, other).map { one.redactor.redact(other.redactor.redact($0)).safeToShow }
        let more = lines.count > Self.maxLines ? ["… and \(lines.count - Self.maxLines) more"] : []
        for line in lines.prefix(Self.maxLines) + more {
            try context.environment.stdout.write(context.environment.marked(line) + "\n")
        }
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

    /// A line for each difference.
    private func differences(_ one: Side, _ other: Side) -> [String] {
        func change(_ place: String, _ text: String, _ otherText: String) -> String {
            "~ \(place): \(text) in \(one.name), \(otherText) in \(other.name)"
        }
        let (first, second) = (one.response, other.response)
        var lines: [String] = []
        if first.head.status != second.head.status {
            lines.append(change("status", first.head.statusText, second.head.statusText))
        }
        if first.body == second.body { return lines }
        let comparesValues = words.options.comparesValues
        guard let places = Places(first.body, comparesValues), let others = Places(second.body, comparesValues) else {
            return lines + [change("body", "\(first.body.count) bytes", "\(second.body.count) other bytes")]
        }
        for path in places.order {
            if let text = places.missing(path, in: others) {
                lines.append("- \(path): \(text); only in \(one.name)")
            }
            if let (text, otherText) = places.change(path, in: others) { lines.append(change(path, text, otherText)) }
        }
        for path in others.order {
            if let text = others.missing(path, in: places) {
                lines.append("+ \(path): \(text); only in \(other.name)")
            }
        }
        return lines
    }
}

/// What a document has at each path. If only its shape counts, the elements of a list share one path.
private struct Places {
    private struct Place {
        let parent: String
        let value: JSONValue
        var kinds: Set<String> = []
        /// Whether a document of the same shape would have what is in it; an empty list tells nothing about shape.
        var hasChildren = false
    }

    private let holdsValues: Bool
    /// The paths in the order of the text.
    private(set) var order: [String] = []
    private var places: [String: Place] = [:]

    /// Nil if `body` is not JSON.
    init?(_ body: [UInt8], _ holdsValues: Bool) {
        guard let document = try? JSONValue(text: body) else { return nil }
        self.holdsValues = holdsValues
        add(document, "$", "")
    }

    private mutating func add(_ value: JSONValue, _ path: String, _ parent: String) {
        if places[path] == nil {
            places[path] = Place(parent: parent, value: value)
            order.append(path)
        }
        let kind: String
        switch value.content {
        case .null: kind = "null"
        case .bool: kind = "boolean"
        case .number: kind = "number"
        case .string: kind = "string"
        case .array(let elements):
            kind = "array"
            if holdsValues || elements.count > 0 { places[path]?.hasChildren = true }
            for (index, element) in elements.enumerated() {
                add(element, path + (holdsValues ? "[\(index)]" : "[*]"), path)
            }
        case .object(let members):
            kind = "object"
            places[path]?.hasChildren = true
            for (key, member) in members { add(member, path + FoldedPlaces.step(key), path) }
        }
        places[path]?.kinds.insert(kind)
    }

    /// The text of what is at `path`, if it is the outermost of what `others` lack.
    func missing(_ path: String, in others: Places) -> String? {
        guard let place = places[path], others.places[path] == nil, let parent = others.places[place.parent],
            parent.hasChildren, let own = places[place.parent], !own.kinds.isDisjoint(with: parent.kinds)
        else { return nil }
        return text(of: place)
    }

    /// The texts of what is at `path` here and in `others`, if they differ.
    func change(_ path: String, in others: Places) -> (String, String)? {
        guard let place = places[path], let other = others.places[path] else { return nil }
        // Null says nothing about what else may be there.
        let (kinds, otherKinds) = (place.kinds.subtracting(["null"]), other.kinds.subtracting(["null"]))
        let isAlike =
            holdsValues
            ? place.hasChildren && place.kinds == other.kinds || place.value == other.value
            : kinds == otherKinds || kinds.isEmpty || otherKinds.isEmpty
        return isAlike ? nil : (text(of: place), text(of: other))
    }

    /// The kinds, or the start of the value as it is written.
    private func text(of place: Place) -> String {
        holdsValues ? place.value.shown : place.kinds.sorted().joined(separator: " or ")
    }
}

extension JSONValue {
    /// The start of it as it is written.
    var shown: String {
        let (text, longest) = (String(decoding: written.prefix(320), as: UTF8.self), 80)
        return text.count > longest ? text.prefix(longest) + "…" : text
    }
}
