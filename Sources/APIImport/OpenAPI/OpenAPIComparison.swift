import EndpointKit
import EndpointTools
import JSONText

/// Where an OpenAPI document and APIs that are compiled differ: by method and path, places of parameters, and shapes.
///
/// Both sides are documents, as the APIs are written as one.
package struct OpenAPIComparison {
    /// By the names of endpoints, in their order; with an empty name, the operations that no endpoint has.
    package private(set) var results: [(name: String, problems: [CheckProblem])] = []

    private let document: OpenAPIDocument
    private let own: OpenAPIDocument
    private let isStrict: Bool
    /// The places in which credentials are sent.
    private let credentials: Set<String>
    private var problems: [(problem: CheckProblem, place: JSONValue)] = []
    /// Pairs of schemas that were compared, so that those that hold themselves come to an end.
    private var compared: Set<Pair> = []
    /// Those of operations without a problem, which need not be compared again.
    private var same: Set<Pair> = []

    /// Compares the document in `bytes` with `own`, the same of the APIs. `isStrict` tells what is wider in the APIs too.
    ///
    /// Throws ``OpenAPIError``, and what `read` throws.
    package init(
        _ bytes: [UInt8], name: String, own: JSONValue, isStrict: Bool, read: @escaping (String) throws -> [UInt8]
    ) throws {
        document = try OpenAPIDocument(bytes, name: name, read: read)
        self.own = try OpenAPIDocument(Array(own.written), name: "", read: read)
        self.isStrict = isStrict
        let schemes = try self.own.members(own["components"]?["securitySchemes"]).map(\.value)
        credentials = Set(
            schemes.compactMap { scheme in scheme["in"]?.string.map { "\($0) \(scheme["name"]?.string ?? "")" } })
        let theirs = try DocumentOperation.all(document).map { try ComparedOperation($0, document) }
        var places: [String: Int] = [:]
        for (index, operation) in theirs.enumerated() {
            for key in operation.keys.reversed() { places[key] = places[key] ?? index }
        }
        var found: Set<Int> = []
        for operation in try DocumentOperation.all(self.own).map({ try ComparedOperation($0, self.own) }) {
            let index = operation.keys.lazy.compactMap { places[$0] }.first
            if let index, found.insert(index).inserted {
                try compare(theirs[index], operation)
            } else if index == nil {
                note(.extraEndpoint, operation.source.key, document.root)
            }
            let named = sorted()
            for (place, name) in operation.names.enumerated() { results.append((name, place == 0 ? named : [])) }
        }
        for (index, operation) in theirs.enumerated() where !found.contains(index) {
            note(.missingEndpoint, operation.source.key, operation.source.value)
        }
        results.append(("", sorted()))
    }

    /// The hosts of the document's servers, the default one first.
    package var hosts: [String] {
        let servers = document.root["servers"]?.elements?.compactMap { $0["url"]?.string } ?? []
        let host = document.root["host"]?.string.map { ["https://" + $0] } ?? []
        return (servers + host).compactMap { try? BaseURL($0).host }
    }

    /// The problems so far, with their lines in the document.
    private mutating func sorted() -> [CheckProblem] {
        if problems.isEmpty { same = compared } else { compared = same }
        defer { problems = [] }
        let here = problems.map(\.place).filter {
            $0.document === document.root.document && $0.slot != JSONDocument.root
        }
        let offsets = Set(here.map(\.written.startIndex)).sorted()
        let places = document.places(of: offsets, in: document.root.document)
        let lines = Dictionary(uniqueKeysWithValues: zip(offsets, places))
        return problems.map { problem, place in
            let line = place.document === document.root.document ? lines[place.written.startIndex]?.line : nil
            return CheckProblem(
                problem.kind, path: problem.path, expected: problem.expected, found: problem.found, line: line)
        }
    }

    private mutating func note(
        _ kind: CheckProblem.Kind, _ path: String, _ place: JSONValue, expected: String? = nil, found: String? = nil
    ) {
        problems.append((CheckProblem(kind, path: path, expected: expected, found: found), place))
    }

    private mutating func compare(_ theirs: ComparedOperation, _ ours: ComparedOperation) throws {
        let (body, ownBody) = (theirs.source.body, ours.source.body)
        let constants = try isStrict ? [] : ours.fields.filter { try own.facts($0.schemas).isConstant }.map(\.key)
        var ignored = credentials.subtracting(ours.fields.map(\.key)).union(constants)
        let cookies = theirs.fields.map(\.key).filter { $0.hasPrefix("cookie ") }
        let sendsCookies = credentials.contains("header Cookie") || ours.fields.contains { $0.key == "header cookie" }
        if sendsCookies, !cookies.isEmpty { ignored.formUnion(cookies + ["header cookie"]) }
        // Bytes are given besides the parameters, and of a body without fields nothing is sent.
        let isBytes = ownBody.map { $0.media.allSatisfy { $0.schema == nil } }
        if let body, isBytes ?? (!body.isRequired && body.media.allSatisfy(\.isEmpty)) {
            ignored.insert(ComparedField.body)
        }
        try compare(
            theirs.fields.filter { !ignored.contains($0.key) }, ours.fields.filter { !ignored.contains($0.key) },
            Side(isRequest: true, isText: true), at: theirs.source.value)
        for media in ownBody?.media ?? [] {
            guard let body else { break }
            if let same = body.media.filter({ $0.commonType == media.commonType }).best {
                let (side, found) = (Side(isRequest: true, isText: !media.isJSON), same.schema ?? [:])
                try compare([found], [media.schema ?? [:]], "body", side, at: found)
            } else {
                let found = body.media.map(\.commonType).joined(separator: " or ")
                note(.parameterType, "body", body.value, expected: media.commonType, found: found)
            }
        }
        if isStrict || ours.response != nil {
            try compare(
                [theirs.response ?? Self.noJSON], [ours.response ?? Self.noJSON], "$",
                Side(isRequest: false, isText: false), at: theirs.response ?? theirs.source.value)
        }
    }

    /// The schema of a response that is not JSON.
    private static let noJSON: JSONValue = ["type": "no JSON"]

    // MARK: Shapes

    /// Of what a value is a part, and whether numbers are written as texts, or all of it as one.
    private struct Side: Hashable {
        let isRequest: Bool
        let isText: Bool
        var isOneText = false
        var type: CheckProblem.Kind { isRequest ? .parameterType : .wrongType }
        var value: CheckProblem.Kind { isRequest ? .parameterType : .wrongValue }
        var required: CheckProblem.Kind { isRequest ? .parameterRequired : .missingKey }

        func text(_ isRequired: Bool) -> String {
            let kind = isRequest ? "parameter" : "key"
            return isRequired
                ? "a required \(kind)" : isRequest ? "an optional \(kind)" : "a \(kind) that may be absent"
        }
    }

    private struct Pair: Hashable {
        let schemas: [Inference.Slot]
        let side: Side
    }

    /// Compares parameters, or the keys of objects; `saysRequired` if theirs says which ones are.
    private mutating func compare(
        _ theirs: [ComparedField], _ ours: [ComparedField], _ side: Side, saysRequired: Bool = true, at place: JSONValue
    ) throws {
        let known = Dictionary(ours.map { ($0.key, $0) }) { first, _ in first }
        var side = side
        for field in theirs {
            let same = known[field.key]
            if same == nil, !side.isRequest {
                let facts = try document.facts(field.schemas)
                note(.unexpectedKey, field.path, field.place, found: facts.text)
            } else if same == nil, !field.isRequired {
                note(.missingParameter, field.path, field.place)
            } else if field.isRequired != same?.isRequired, isStrict || same?.isRequired != false && saysRequired {
                // What is optional on our side takes both.
                let expected = same.map { side.text($0.isRequired) } ?? "no parameter"
                note(side.required, field.path, field.place, expected: expected, found: side.text(field.isRequired))
            }
            if let found = field.listStyle, let expected = same?.listStyle, expected != found {
                note(.parameterType, field.path, field.place, expected: expected, found: found)
            }
            if let same {
                side.isOneText = field.isOneText
                try compare(field.schemas, same.schemas, field.path, side, at: field.schemas.first ?? field.place)
            }
        }
        let found = Set(theirs.map(\.key))
        for field in ours where !found.contains(field.key) {
            note(side.isRequest ? .extraParameter : .missingKey, field.path, place)
        }
    }

    private mutating func compare(
        _ theirs: [JSONValue], _ ours: [JSONValue], _ path: String, _ side: Side, at place: JSONValue
    ) throws {
        let (theirs, ours) = (try Self.distinct(theirs, in: document), try Self.distinct(ours, in: own))
        guard compared.insert(Pair(schemas: (theirs + ours).map(\.inferenceSlot), side: side)).inserted else { return }
        let (found, expected) = (try document.facts(theirs), try own.facts(ours))
        func problem(_ kind: CheckProblem.Kind) { note(kind, path, place, expected: expected.text, found: found.text) }
        guard !found.isAny, !expected.isAny else {
            if isStrict, found.isAny != expected.isAny { problem(side.type) }
            return
        }
        func takes(_ kind: String) -> Bool {
            expected.kinds.contains(kind) || kind == "integer" && expected.kinds.contains("number")
                || kind == "null" && side.isRequest
                || !isStrict && side.isText && expected.kinds.contains("string")
                    && (side.isOneText || OpenAPIFacts.scalars.contains(kind))
        }
        // A field that may be absent may be null too.
        let isWider = isStrict && !expected.kinds.subtracting(["null"]).isSubset(of: found.kinds)
        guard found.kinds.allSatisfy(takes), !isWider else { return problem(side.type) }
        let (known, values) = (Set(expected.values), Set(found.values))
        let isNarrower = !known.isEmpty && !expected.isOpen && (found.isOpen || !values.isSubset(of: known))
        // A list that is open has the values that are known.
        let differs = known != values && !(expected.isOpen && found.isOpen)
        let isOtherText = expected.isTime && !found.isTime && found.kinds.contains("string")
        if isNarrower || isStrict && differs || !side.isRequest && isOtherText { problem(side.value) }
        for (step, theirs, ours) in [("[*]", found.items, expected.items), (".*", found.members, expected.members)]
        where !theirs.isEmpty && !ours.isEmpty {
            try compare(theirs, ours, path + step, side, at: theirs[0])
        }
        guard found.saysProperties, expected.saysProperties else { return }
        try compare(
            ComparedField.all(found, path, at: place), ComparedField.all(expected, path, at: place), side,
            saysRequired: side.isRequest || found.saysRequired, at: place)
    }

    /// The schemas that are referred to, each once: alternatives that hold themselves would become more and more.
    private static func distinct(_ schemas: [JSONValue], in document: OpenAPIDocument) throws -> [JSONValue] {
        var known: Set<Inference.Slot> = []
        return try schemas.map(document.resolved).filter { known.insert($0.inferenceSlot).inserted }
    }
}

/// A parameter, a body, or a key of an object, in one of the two documents.
private struct ComparedField {
    static let body = "body"

    /// The place in which it must be in both documents.
    let key: String
    /// Where it is, for people.
    let path: String
    let isRequired: Bool
    let schemas: [JSONValue]
    let place: JSONValue
    /// Whether it is one text, even a list or an object.
    var isOneText = false
    /// How a list of scalars is written in a query.
    var listStyle: String?

    /// The keys of an object; `key` is what is before each.
    static func all(
        _ facts: OpenAPIFacts, _ path: String, key start: String = "", isRequired: Bool = true, at place: JSONValue
    ) -> [ComparedField] {
        facts.keys.map { key in
            let schemas = facts.properties[key] ?? []
            return ComparedField(
                key: start + key, path: path + ComparisonPlaces.step(key),
                isRequired: isRequired && facts.required.contains(key), schemas: schemas, place: schemas.first ?? place)
        }
    }
}

/// An operation of one of the two documents.
private struct ComparedOperation {
    let source: DocumentOperation
    /// The method and the path, with that of the server and without.
    let keys: [String]
    /// The parameters, and the body without what is in it.
    private(set) var fields: [ComparedField] = []

    /// The names of the endpoints, in the document of APIs.
    var names: [String] { source.value["x-apictl-endpoints"]?.elements?.compactMap(\.string) ?? [] }

    init(_ operation: DocumentOperation, _ document: OpenAPIDocument) throws {
        var source = operation
        try source.read(document)
        self.source = source
        let servers = (source.servers ?? document.root["servers"])?.elements
        let url = servers?.first?["url"]?.string ?? ""
        let afterHost = url.firstRange(of: "://").map { url[$0.upperBound...].drop { $0 != "/" } } ?? url[...]
        var base = document.root["basePath"]?.string ?? String(afterHost)
        while base.hasSuffix("/") { base.removeLast() }
        let plain = OpenAPINames.pieces(source.path).map { $0.isVariable ? "{}" : $0.text }.joined()
        keys = [base + plain, plain].map { "\(source.method) \(PercentEncoding.decode($0))" }
        let variables = OpenAPINames.variables(source.path)
        // No cookie is a parameter in APIs.
        for parameter in source.parameters where parameter.place != "cookie" || parameter.isRequired {
            let (place, name, schemas) = (parameter.place, parameter.name, [parameter.schema ?? [:]])
            // The fields of an object are items of their own.
            let facts = try document.facts(schemas)
            if place == "query", parameter.isExploded, facts.kinds.contains("object") {
                fields += ComparedField.all(
                    facts, place, key: "query ", isRequired: parameter.isRequired, at: parameter.value)
                continue
            }
            let elements = try document.facts(facts.items).kinds
            // What is printed of APIs says no style that is not known.
            let isList =
                place == "query" && facts.kinds.subtracting(["null"]) == ["array"] && elements.count == 1
                && elements.isSubset(of: OpenAPIFacts.scalars) && (names.isEmpty || parameter.value["style"] != nil)
            let position = place == "path" ? variables.firstIndex(of: name).map(String.init) : nil
            let key = position ?? (place == "header" ? name.lowercased() : name)
            fields.append(
                ComparedField(
                    key: "\(place) \(key)", path: place + ComparisonPlaces.step(name), isRequired: parameter.isRequired,
                    schemas: schemas, place: parameter.value,
                    isOneText: place != "query" || !parameter.isExploded && parameter.style != "deepObject",
                    listStyle: isList ? parameter.listStyle : nil))
        }
        if let body = source.body {
            let key = ComparedField.body
            fields.append(.init(key: key, path: key, isRequired: body.isRequired, schemas: [], place: body.value))
        }
    }

    /// The schema of the JSON of a success; nil if that is not JSON.
    var response: JSONValue? {
        guard let media = source.response, media.isJSON else { return .none }
        return media.schema ?? [:]
    }
}

extension DocumentOperation.Parameter {
    /// How the elements of a list are written in a query, in words; nil with brackets, where the names tell it.
    fileprivate var listStyle: String? {
        if isExploded { return "an item for each element" }
        if style == "deepObject" { return nil }
        return "elements joined by " + (separator == "\t" ? "tabs" : "'\(separator)'")
    }
}

extension DocumentOperation.Media {
    /// The type without parameters; the same for all kinds of JSON.
    fileprivate var commonType: String { isJSON ? "application/json" : plainType }
}
