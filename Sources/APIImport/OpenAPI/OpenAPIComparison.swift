import EndpointKit
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
                note(.extraEndpoint, operation.text, document.root)
            }
            let named = sorted()
            for (place, name) in operation.names.enumerated() { results.append((name, place == 0 ? named : [])) }
        }
        for (index, operation) in theirs.enumerated() where !found.contains(index) {
            note(.missingEndpoint, operation.text, operation.source.value)
        }
        results.append(("", sorted()))
    }

    /// The problems so far, with their lines in the document.
    private mutating func sorted() -> [CheckProblem] {
        if problems.isEmpty { same = compared } else { compared = same }
        defer { problems = [] }
        let here = problems.filter { $0.place.document === document.root.document }
        let offsets = Set(here.map { $0.place.written.startIndex }).sorted()
        let lines = Dictionary(uniqueKeysWithValues: zip(offsets, document.root.document.positions(of: offsets)))
        return problems.map { problem, place in
            let line = place.document === document.root.document ? lines[place.written.startIndex]?.line : nil
            return CheckProblem(
                problem.kind, path: problem.path, expected: problem.expected, found: problem.found,
                line: place.slot == JSONDocument.root ? nil : line)
        }
    }

    private mutating func note(
        _ kind: CheckProblem.Kind, _ path: String, _ place: JSONValue, expected: String? = nil, found: String? = nil
    ) {
        problems.append((CheckProblem(kind, path: path, expected: expected, found: found), place))
    }

    // MARK: Requests

    private mutating func compare(_ theirs: ComparedOperation, _ ours: ComparedOperation) throws {
        let credentials = try own.members(own.root["components"]?["securitySchemes"]).compactMap { _, scheme in
            scheme["in"]?.string.map { "\($0) \(scheme["name"]?.string ?? "")" }
        }
        for parameter in theirs.parameters {
            if let same = ours.parameters.first(where: { $0.key == parameter.key }) {
                if !isStrict, try OpenAPIFacts(same.schemas, in: own).isConstant { continue }
                compareRequired(parameter.isRequired, same.isRequired, parameter.path, parameter.value)
                let side = Side(isRequest: true, isText: true)
                try compare(parameter.schemas, same.schemas, parameter.path, side, at: parameter.value)
            } else if !credentials.contains(parameter.key) {
                compareRequired(parameter.isRequired, nil, parameter.path, parameter.value)
            }
        }
        for parameter in ours.parameters where !theirs.parameters.contains(where: { $0.key == parameter.key }) {
            let isConstant = try OpenAPIFacts(parameter.schemas, in: own).isConstant
            if isStrict || !isConstant { note(.extraParameter, parameter.path, theirs.source.value) }
        }
        try compareBodies(theirs, ours)
        let (answer, model) = (theirs.response, ours.response)
        if let answer, let model {
            try compare([answer], [model], "$", Side(isRequest: false, isText: false), at: answer)
        } else if let model {
            let expected = try OpenAPIFacts([model], in: own)
            if !expected.isAny || isStrict {
                note(.wrongType, "$", theirs.source.value, expected: expected.text, found: "no JSON")
            }
        } else if let answer, isStrict {
            note(.wrongType, "$", answer, expected: "no JSON", found: try OpenAPIFacts([answer], in: document).text)
        }
    }

    /// Notes a parameter that is required on one side; on ours there may be none.
    private mutating func compareRequired(_ theirs: Bool, _ ours: Bool?, _ path: String, _ place: JSONValue) {
        if !theirs, ours == nil { return note(.missingParameter, path, place) }
        guard theirs != ours, ours != false || isStrict else { return }
        func text(_ isRequired: Bool?) -> String {
            isRequired.map { $0 ? "a required parameter" : "an optional parameter" } ?? "no parameter"
        }
        note(.parameterRequired, path, place, expected: text(ours), found: text(theirs))
    }

    private mutating func compareBodies(_ theirs: ComparedOperation, _ ours: ComparedOperation) throws {
        guard let body = theirs.source.body else {
            if ours.source.body != nil { note(.extraParameter, "body", theirs.source.value) }
            return
        }
        if ours.source.body == nil, !body.isRequired, body.media.allSatisfy(\.isEmpty) { return }
        // Bytes are given besides the parameters.
        let isBytes = ours.source.body?.media.allSatisfy { $0.schema == nil } == true
        if !isBytes { compareRequired(body.isRequired, ours.source.body?.isRequired, "body", body.value) }
        for media in ours.source.body?.media ?? [] {
            let type = media.plainType
            guard let same = body.media.first(where: { $0.plainType == type }) else {
                let found = body.media.map(\.plainType).joined(separator: " or ")
                note(.parameterType, "body", body.value, expected: type, found: found)
                continue
            }
            let side = Side(isRequest: true, isText: !type.contains("json"))
            try compare([same.schema ?? [:]], [media.schema ?? [:]], "body", side, at: body.value)
        }
    }

    // MARK: Shapes

    /// Of what a value is a part, and whether numbers are written as texts.
    private struct Side: Hashable {
        let isRequest: Bool
        let isText: Bool
        var type: CheckProblem.Kind { isRequest ? .parameterType : .wrongType }
        var value: CheckProblem.Kind { isRequest ? .parameterType : .wrongValue }
    }

    private struct Pair: Hashable {
        let schemas: [Inference.Slot]
        let side: Side
    }

    private mutating func compare(
        _ theirs: [JSONValue], _ ours: [JSONValue], _ path: String, _ side: Side, at place: JSONValue
    ) throws {
        let place = theirs.first ?? place
        let (theirs, ours) = (try Self.distinct(theirs, in: document), try Self.distinct(ours, in: own))
        guard compared.insert(Pair(schemas: (theirs + ours).map(\.inferenceSlot), side: side)).inserted else { return }
        let (found, expected) = (try OpenAPIFacts(theirs, in: document), try OpenAPIFacts(ours, in: own))
        func problem(_ kind: CheckProblem.Kind) { note(kind, path, place, expected: expected.text, found: found.text) }
        guard !found.isAny, !expected.isAny else {
            if isStrict, found.isAny != expected.isAny { problem(side.type) }
            return
        }
        func takes(_ kind: String, _ facts: OpenAPIFacts) -> Bool {
            facts.kinds.contains(kind) || kind == "integer" && facts.kinds.contains("number")
                || kind == "null" && side.isRequest
                || !isStrict && side.isText && facts.kinds.contains("string") && OpenAPIFacts.scalars.contains(kind)
        }
        // A field that may be absent may be null too.
        let isWider = isStrict && !expected.kinds.subtracting(["null"]).isSubset(of: found.kinds)
        guard found.kinds.allSatisfy({ takes($0, expected) }), !isWider else { return problem(side.type) }
        let unlisted = expected.isOpen ? [] : found.values.filter { !expected.values.contains($0) }
        let isNarrower = !expected.values.isEmpty && !expected.isOpen && (found.isOpen || !unlisted.isEmpty)
        // A list that is open has the values that are known.
        let differs = Set(expected.values) != Set(found.values) && !(expected.isOpen && found.isOpen)
        if isNarrower || isStrict && differs { problem(side.value) }
        if !found.items.isEmpty, !expected.items.isEmpty {
            try compare(found.items, expected.items, path + "[*]", side, at: place)
        }
        if !found.members.isEmpty, !expected.members.isEmpty {
            try compare(found.members, expected.members, path + ".*", side, at: place)
        }
        if found.isObject, expected.isObject { try compareKeys(found, expected, path, side, at: place) }
    }

    /// The schemas that are referred to, each once: alternatives that hold themselves would become more and more.
    private static func distinct(_ schemas: [JSONValue], in document: OpenAPIDocument) throws -> [JSONValue] {
        var known: Set<Inference.Slot> = []
        return try schemas.map(document.resolved).filter { known.insert($0.inferenceSlot).inserted }
    }

    private mutating func compareKeys(
        _ found: OpenAPIFacts, _ expected: OpenAPIFacts, _ path: String, _ side: Side, at place: JSONValue
    ) throws {
        for key in found.keys {
            let (path, theirs) = (path + FoldedPlaces.step(key), found.properties[key] ?? [])
            let isRequired = found.required.contains(key)
            guard let ours = expected.properties[key] else {
                if side.isRequest {
                    compareRequired(isRequired, nil, path, theirs.first ?? place)
                } else {
                    let text = try OpenAPIFacts(theirs, in: document).text
                    note(.unexpectedKey, path, theirs.first ?? place, found: text)
                }
                continue
            }
            if side.isRequest {
                compareRequired(isRequired, expected.required.contains(key), path, theirs.first ?? place)
            } else if isRequired != expected.required.contains(key), isStrict || !isRequired && found.saysRequired {
                let words = ["a key that may be absent", "a required key"]
                note(
                    .missingKey, path, theirs.first ?? place, expected: words[isRequired ? 0 : 1],
                    found: words[isRequired ? 1 : 0])
            }
            try compare(theirs, ours, path, side, at: place)
        }
        for key in expected.keys where found.properties[key] == nil {
            note(side.isRequest ? .extraParameter : .missingKey, path + FoldedPlaces.step(key), place)
        }
    }
}

/// An operation of one of the two documents.
private struct ComparedOperation {
    struct Parameter {
        /// The place in which it must be in both documents.
        let key: String
        /// Where it is, for people.
        let path: String
        let isRequired: Bool
        let schemas: [JSONValue]
        let value: JSONValue
    }

    let source: DocumentOperation
    /// The method and the path, with that of the server and without.
    let keys: [String]
    let parameters: [Parameter]

    var text: String { "\(source.method) \(source.path)" }
    /// The names of the endpoints, in the document of APIs.
    var names: [String] { source.value["x-apictl-endpoints"]?.elements?.compactMap(\.string) ?? [] }

    init(_ source: DocumentOperation, _ document: OpenAPIDocument) throws {
        var source = source
        try source.read(document)
        self.source = source
        let servers = (source.servers ?? document.root["servers"])?.elements
        let url = servers?.first?["url"]?.string ?? ""
        let afterHost = url.firstRange(of: "://").map { url[$0.upperBound...].drop { $0 != "/" } } ?? url[...]
        var base = document.root["basePath"]?.string ?? String(afterHost)
        while base.hasSuffix("/") { base.removeLast() }
        let plain = OpenAPINames.pieces(source.path).map { $0.isVariable ? "{}" : $0.text }.joined()
        keys = ["\(source.method) \(base)\(plain)", "\(source.method) \(plain)"]
        let variables = OpenAPINames.variables(source.path)
        parameters = try source.parameters.filter { $0.place != "cookie" }.flatMap { parameter in
            func made(_ name: String, _ schemas: [JSONValue], isRequired: Bool) -> Parameter {
                let place = parameter.place
                let position = place == "path" ? variables.firstIndex(of: name).map(String.init) : nil
                let key = "\(place) \(position ?? (place == "header" ? name.lowercased() : name))"
                return Parameter(
                    key: key, path: place + FoldedPlaces.step(name), isRequired: isRequired, schemas: schemas,
                    value: parameter.value)
            }
            let schemas = [parameter.schema ?? [:]]
            // The fields of an object are items of their own.
            let facts = try OpenAPIFacts(schemas, in: document)
            let style = parameter.value["style"]?.string ?? "form"
            guard parameter.place == "query", style == "form", parameter.value["explode"]?.bool != false,
                facts.isObject, !document.isSwagger
            else { return [made(parameter.name, schemas, isRequired: parameter.isRequired)] }
            return facts.keys.map { key in
                let isRequired = parameter.isRequired && facts.required.contains(key)
                return made(key, facts.properties[key] ?? [], isRequired: isRequired)
            }
        }
    }

    /// The schema of the JSON of a success; nil if that is not JSON.
    var response: JSONValue? {
        let media = source.responses.filter { $0.status.hasPrefix("2") }.flatMap(\.media)
        return media.first { $0.plainType.contains("json") }.map { $0.schema ?? [:] }
    }
}

extension DocumentOperation.Media {
    /// The type without parameters; the same for all kinds of JSON.
    fileprivate var plainType: String {
        let plain = type.prefix { $0 != ";" }.lowercased()
        return plain.hasSuffix("json") ? "application/json" : plain
    }
}
