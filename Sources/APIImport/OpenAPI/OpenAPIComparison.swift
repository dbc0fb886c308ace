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
    private var compared: Set<[Int]> = []

    /// Compares the document in `bytes` with `own`, the same of the APIs. `isStrict` tells what is wider in the APIs too.
    ///
    /// Throws ``OpenAPIError``, and what `read` throws.
    package init(
        _ bytes: [UInt8], name: String, own: JSONValue, isStrict: Bool, read: @escaping (String) throws -> [UInt8]
    ) throws {
        document = try OpenAPIDocument(bytes, name: name, read: read)
        self.own = try OpenAPIDocument(Array(own.written), name: "", read: read)
        self.isStrict = isStrict
        let theirs = try ComparedOperation.all(document)
        var places: [String: Int] = [:]
        for (index, operation) in theirs.enumerated() {
            for key in operation.keys.reversed() { places[key] = places[key] ?? index }
        }
        var found: Set<Int> = []
        for operation in try ComparedOperation.all(self.own) {
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
            note(.missingEndpoint, operation.text, operation.value)
        }
        results.append(("", sorted()))
    }

    /// The problems so far, with their lines in the document.
    private mutating func sorted() -> [CheckProblem] {
        defer { (problems, compared) = ([], []) }
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
        let credentials = try own.members(own.root["components"]?["securitySchemes"]).map(\.value)
        let own = try ours.parameters(self.own)
        let known = try theirs.parameters(document)
        for parameter in known {
            if let same = own.first(where: { $0.key == parameter.key }) {
                let isConstant = try OpenAPIFacts([same.schema], in: self.own).isConstant
                if isConstant, !isStrict { continue }
                compareRequired(parameter.isRequired, same.isRequired, parameter.path, parameter.value)
                let side = Side(isRequest: true, isText: true)
                try compare([parameter.schema], [same.schema], parameter.path, side, at: parameter.value)
            } else if !credentials.contains(where: {
                $0["in"]?.string == parameter.place && $0["name"]?.string == parameter.name
            }) {
                compareRequired(parameter.isRequired, nil, parameter.path, parameter.value)
            }
        }
        for parameter in own where !known.contains(where: { $0.key == parameter.key }) {
            let isConstant = try OpenAPIFacts([parameter.schema], in: self.own).isConstant
            if isStrict || !isConstant { note(.extraParameter, parameter.path, theirs.value) }
        }
        try compareBodies(theirs, ours)
        let (answer, model) = (try theirs.response(document), try ours.response(self.own))
        if let answer, let model {
            try compare([answer], [model], "$", Side(isRequest: false, isText: false), at: answer)
        } else if let model {
            let expected = try OpenAPIFacts([model], in: self.own)
            if !expected.isAny || isStrict {
                note(.wrongType, "$", theirs.value, expected: expected.text, found: "no JSON")
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
        let (body, model) = (try theirs.body(document), try ours.body(own))
        guard let body else {
            if model != nil { note(.extraParameter, "body", theirs.value) }
            return
        }
        guard let model else {
            compareRequired(body.isRequired, nil, "body", body.value)
            return
        }
        compareRequired(body.isRequired, model.isRequired, "body", body.value)
        for (type, schema) in model.types {
            guard let same = body.types.first(where: { $0.name == type }) else {
                let found = body.types.map(\.name).joined(separator: " or ")
                note(.parameterType, "body", body.value, expected: type, found: found)
                continue
            }
            let side = Side(isRequest: true, isText: !type.contains("json"))
            try compare([same.schema], [schema], "body", side, at: body.value)
        }
    }

    // MARK: Shapes

    /// Of what a value is a part, and whether numbers are written as texts.
    private struct Side {
        let isRequest: Bool
        let isText: Bool
        var type: CheckProblem.Kind { isRequest ? .parameterType : .wrongType }
        var value: CheckProblem.Kind { isRequest ? .parameterType : .wrongValue }
    }

    private mutating func compare(
        _ theirs: [JSONValue], _ ours: [JSONValue], _ path: String, _ side: Side, at place: JSONValue
    ) throws {
        guard
            compared.insert(
                try theirs.map { try document.resolved($0).slot } + [-1] + ours.map { try own.resolved($0).slot }
            )
            .inserted
        else { return }
        let (found, expected) = (try OpenAPIFacts(theirs, in: document), try OpenAPIFacts(ours, in: own))
        let place = theirs.first ?? place
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
        let place: String
        let name: String
        /// The place in which it must be in both documents.
        let key: String
        let isRequired: Bool
        let schema: JSONValue
        let value: JSONValue
        var path: String { place + FoldedPlaces.step(name) }
    }

    let method: String
    let path: String
    let value: JSONValue
    private let item: JSONValue
    /// The method and the path, with that of the server and without.
    let keys: [String]

    var text: String { "\(method.uppercased()) \(path)" }
    /// The names of the endpoints, in the document of APIs.
    var names: [String] { value["x-apictl-endpoints"]?.elements?.compactMap(\.string) ?? [] }

    static func all(_ document: OpenAPIDocument) throws -> [ComparedOperation] {
        try document.members(document.root["paths"]).flatMap { path, value in
            let item = try document.resolved(value)
            return try document.members(item).filter { OpenAPIOperation.methods.contains($0.key) }.map {
                method, value in
                let servers = (value["servers"] ?? item["servers"] ?? document.root["servers"])?.elements
                let url = servers?.first?["url"]?.string ?? ""
                let afterHost = url.firstRange(of: "://").map { url[$0.upperBound...].drop { $0 != "/" } } ?? url[...]
                var base = document.root["basePath"]?.string ?? String(afterHost)
                while base.hasSuffix("/") { base.removeLast() }
                let plain = path.split(separator: "{", omittingEmptySubsequences: false).enumerated()
                    .map { $0 == 0 ? $1 : $1.drop { $0 != "}" } }.joined(separator: "{")
                return ComparedOperation(
                    method: method, path: path, value: value, item: item,
                    keys: ["\(method) \(base)\(plain)", "\(method) \(plain)"])
            }
        }
    }

    func parameters(_ document: OpenAPIDocument) throws -> [Parameter] {
        let variables = OpenAPINames.variables(path)
        var all: [Parameter] = []
        for value in try document.elements(item["parameters"]) + document.elements(value["parameters"]) {
            let value = try document.resolved(value)
            guard let place = value["in"]?.string, let name = value["name"]?.string,
                ["path", "query", "header"].contains(place)
            else { continue }
            var key = "\(place) \(name)"
            if place == "path" { key = "path \(variables.firstIndex(of: name).map(String.init) ?? name)" }
            if place == "header" {
                key = key.lowercased()
                if ["header accept", "header content-type", "header authorization"].contains(key) { continue }
            }
            all.removeAll { $0.key == key }
            let text: JSONValue = ["type": "string"]
            let other = value["content"] != nil ? text : document.isSwagger ? value : Self.anything
            all.append(
                Parameter(
                    place: place, name: name, key: key, isRequired: place == "path" || value["required"]?.bool == true,
                    schema: value["schema"] ?? other, value: value))
        }
        return all
    }

    private static let anything: JSONValue = [:]

    /// The body's content types and schemas; nil if there is no body.
    func body(_ document: OpenAPIDocument) throws -> (
        isRequired: Bool, types: [(name: String, schema: JSONValue)], value: JSONValue
    )? {
        if let body = try value["requestBody"].map({ try document.resolved($0) }) {
            let types: [(name: String, schema: JSONValue)] = try document.members(body["content"]).map { type, media in
                (Self.plain(type), media["schema"] ?? Self.anything)
            }
            if types.isEmpty { return nil }
            return (body["required"]?.bool == true, types, body)
        }
        let all = try document.elements(item["parameters"]) + document.elements(value["parameters"])
        let parameters = try all.map { try document.resolved($0) }
        if let body = parameters.first(where: { $0["in"]?.string == "body" }) {
            return (body["required"]?.bool == true, [("application/json", body["schema"] ?? Self.anything)], body)
        }
        let fields = parameters.filter { $0["in"]?.string == "formData" }
        guard let first = fields.first else { return nil }
        let required: [JSONValue] = fields.filter { $0["required"]?.bool == true }.compactMap { $0["name"] }
        let properties: [(String, JSONValue)] = fields.map { ($0["name"]?.string ?? "", $0) }
        let schema: JSONValue = [
            "type": "object", "properties": JSONValue(properties), "required": JSONValue(required),
        ]
        let isMultipart = fields.contains { $0["type"]?.string == "file" }
        let type = isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded"
        return (!required.isEmpty, [(type, schema)], first)
    }

    /// The schema of the JSON of a success; nil if that is not JSON.
    func response(_ document: OpenAPIDocument) throws -> JSONValue? {
        for (status, value) in try document.members(value["responses"]) where status.hasPrefix("2") {
            let response = try document.resolved(value)
            if document.isSwagger, let schema = response["schema"] { return schema }
            for (type, media) in try document.members(response["content"]) where Self.plain(type).contains("json") {
                return media["schema"] ?? [:]
            }
        }
        return nil
    }

    /// A content type without parameters; the same for all kinds of JSON.
    private static func plain(_ type: String) -> String {
        let plain = type.prefix { $0 != ";" }.lowercased()
        return plain.hasSuffix("json") ? "application/json" : plain
    }
}
