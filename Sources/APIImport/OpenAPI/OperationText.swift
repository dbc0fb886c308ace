import EndpointKit
import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An operation as Swift text: a case, an example and an arm of the switch.
struct OperationText {
    let operation: OpenAPIOperation
    let models: ModelText
    let sweep: SecretSweep
    /// How far the arms of the switch are indented.
    private let indent = 12

    // MARK: Values of the case

    /// An associated value.
    private struct Value {
        /// Nil for one without a label.
        let label: String?
        let name: String
        let type: InferredType
        let isOptional: Bool
        let example: JSONValue?
    }

    private var isMultipart: Bool { if case .multipart = operation.content { true } else { false } }
    private var isBodyUnlabelled: Bool { operation.body?.model.map { !models.models[$0].fields.isEmpty } ?? false }

    private var values: [Value] {
        var all = operation.parameters.filter { !$0.isInQuery }.map {
            Value(label: $0.name, name: $0.name, type: $0.type, isOptional: $0.isOptional, example: $0.example)
        }
        if let query = operation.query {
            let examples = operation.parameters.filter(\.isInQuery).compactMap { one in
                one.example.map { (one.key, $0) }
            }
            all.append(
                Value(
                    label: isBodyUnlabelled ? "query" : nil, name: "query", type: .model(query), isOptional: false,
                    example: JSONValue(examples)))
        }
        if let body = operation.body {
            all.append(
                Value(
                    label: isBodyUnlabelled ? nil : "body", name: "body", type: body,
                    isOptional: operation.isBodyOptional, example: operation.bodyExample))
        }
        return all
    }

    /// `update(customer: String, UpdateCustomer)`
    var declaration: String {
        let types = values.map { value in
            let type = models.typeText(value.type) + (value.isOptional ? "?" : "")
            return value.label.map { "\($0): \(type)" } ?? type
        }
        let own = SwiftNames.quoted(operation.name)
        return SwiftText.call(own, types, indent: 8, column: 5)
    }

    /// `.update(customer: "cus_1", UpdateCustomer())`, and whether every value in it is the document's; nil if a type has no value.
    var example: (text: String, isReal: Bool)? {
        var isReal = true
        var texts: [String] = []
        for value in values {
            guard let text = expression(value, indent: indent + 4, &isReal) else { return nil }
            texts.append(value.label.map { "\($0): \(text)" } ?? text)
        }
        return (SwiftText.call(".\(operation.name)", texts, indent: indent), isReal)
    }

    private func expression(_ value: Value, indent: Int, _ isReal: inout Bool) -> String? {
        // Without a body, nothing would show what is in it.
        if value.isOptional, value.example == nil, value.name != "body" { return "nil" }
        return expression(value.type, value.example, name: value.name, indent: indent, depth: 0, &isReal)
    }

    // MARK: Expressions

    /// A value of the type: the document's if it gives one, else one made up, for which `isReal` becomes false; nil if there is none.
    private func expression(
        _ type: InferredType, _ value: JSONValue?, name: String, indent: Int, depth: Int, isOpen: Bool = false,
        _ isReal: inout Bool
    ) -> String? {
        guard depth < 8 else { return nil }
        switch type {
        case .optional(let inner):
            guard let value, !value.isNull else { return "nil" }
            return expression(inner, value, name: name, indent: indent, depth: depth, isOpen: isOpen, &isReal)
        case .array(let element):
            guard let elements = value?.elements ?? (depth == 0 ? [JSONValue.null] : nil) else { return "[]" }
            let texts = elements.prefix(3).compactMap {
                expression(element, $0, name: name, indent: indent + 4, depth: depth + 1, isOpen: isOpen, &isReal)
            }
            return texts.isEmpty ? "[]" : SwiftText.list("[", texts, "]", indent: indent, column: 24)
        case .dictionary(let element):
            let texts = (value?.members ?? []).prefix(5).compactMap { key, value -> String? in
                guard key.utf8.count < 60 else { return nil }
                return expression(
                    element, value, name: name, indent: indent + 4, depth: depth + 1, isOpen: isOpen, &isReal
                )
                .map { "\(SwiftLiteral.string(key)): \($0)" }
            }
            return Set(texts).count != texts.count || texts.isEmpty
                ? "[:]" : SwiftText.list("[", texts, "]", indent: indent)
        case .model(let model):
            return self.value(of: model, value, name: name, indent: indent, depth: depth, isOpen: isOpen, &isReal)
        case .json, .unknown:
            if value == nil { isReal = false }
            let text = value.flatMap { Parameter.expression($0, sweep) }
            return text.flatMap { $0.contains("\n") || $0.count > 80 ? nil : $0 } ?? "[:]"
        default:
            if let text = value.flatMap({ scalar(type, $0) }) { return text }
            isReal = false
            switch type {
            case .bool: return "false"
            case .integer: return "1"
            case .decimal, .double: return "1"
            case .date: return "Date(timeIntervalSince1970: 0)"
            default: return SwiftLiteral.string(name)
            }
        }
    }

    /// The document's value as a literal; nil if it does not fit.
    private func scalar(_ type: InferredType, _ value: JSONValue) -> String? {
        switch type {
        case .bool: return (value.bool ?? value.string.flatMap(Bool.init)).map { "\($0)" }
        case .integer:
            return (value.integer(Int.self) ?? value.string.flatMap { Int($0) }).map { Parameter.grouped("\($0)") }
        case .decimal, .double:
            guard let number = value.double, number.magnitude < 1e9 else { return nil }
            return number == number.rounded() ? Parameter.grouped("\(Int(number))") : "\(number)"
        case .date:
            guard let date = value.string.flatMap({ DateText.parse($0) }) else { return nil }
            let seconds = Int(date.timeIntervalSince1970.rounded())
            return "Date(timeIntervalSince1970: \(Parameter.grouped("\(seconds)")))"
        default:
            guard value.members == nil, value.elements == nil, !value.isNull else { return nil }
            let text = sweep.cleaned(value.string ?? value.description)
            return text.isEmpty || text.utf8.count > 60 ? nil : SwiftLiteral.string(text)
        }
    }

    private func value(
        of model: Int, _ value: JSONValue?, name: String, indent: Int, depth: Int, isOpen: Bool,
        _ isReal: inout Bool
    ) -> String? {
        let own = models.names[model]
        // What responses have too, may have values that nobody knows yet.
        let isReceived = models.models[model].isReceived
        switch models.models[model].form {
        case .values(let values):
            let known = value?.string.flatMap { values.firstIndex(of: $0) } ?? 0
            let text = ".\(ModelText.cases(values)[known].name)"
            return isOpen ? ".known(\(text))" : text
        case .structure(let fields):
            var texts: [String] = []
            for (field, property) in zip(fields, models.propertyNames(model)) {
                let member = value?[field.key]
                let isOptional = field.isOptional || field.isReadOnly && models.models[model].isSent
                // What a multipart body lacks, nothing else shows.
                let isPart = isMultipart && depth == 0 && name == "body" && Self.isSendable(field, models.models)
                if isOptional, !isPart, member == nil || member?.isNull == true || depth > 2 { continue }
                let text = expression(
                    field.type, member, name: property, indent: indent + 4, depth: isPart ? 0 : depth + 1,
                    isOpen: isReceived, &isReal)
                guard let text else {
                    if isOptional { continue }
                    return nil
                }
                texts.append("\(property): \(models.models[model].sendsNull(field) ? ".value(\(text))" : text)")
            }
            return SwiftText.list("\(own)(", texts, ")", indent: indent, column: name.count + depth + 4)
        case .kinds(let types):
            for (type, name) in zip(types, models.kindCases(types))
            where value == nil || type.jsonKind(models.models) == value?.kind {
                if let text = expression(
                    type, value, name: name, indent: indent, depth: depth + 1, isOpen: isReceived, &isReal)
                {
                    return ".\(name)(\(text))"
                }
            }
            return nil
        case .tagged(let key, let cases):
            isReal = isReal && value != nil
            guard let tag = value?[key]?.string ?? cases.first?.tag,
                let index = cases.firstIndex(where: { $0.tag == tag }),
                let text = self.value(
                    of: cases[index].model, value, name: name, indent: indent, depth: depth + 1, isOpen: isReceived,
                    &isReal)
            else { return nil }
            return ".\(models.taggedCases(cases.map(\.tag))[index])(\(text))"
        }
    }

    // MARK: The arm

    /// `case .update(let customer, let body):` and what it returns; `credentials` if they are not the API's.
    func arm(credentials: String?) -> String {
        var arguments = [path] + query + headers + body
        if operation.method != "HEAD" { arguments.append("returns: \(returns)") }
        arguments.append("summary: \(SwiftLiteral.string(operation.summary, column: 40, indent: indent + 8))")
        let notes = values.compactMap { value -> String? in
            let note = operation.parameters.first { $0.name == value.label }?.note ?? ""
            if note.isEmpty { return nil }
            let key = "\"\(value.name)\": "
            return key + SwiftLiteral.string(note, column: indent + 14 + key.count, indent: indent + 8)
        }
        if !notes.isEmpty { arguments.append(SwiftText.list("notes: [", notes, "]", indent: indent + 8)) }
        if let credentials { arguments.append(credentials) }
        if let pages { arguments.append("pages: \(pages)") }
        return SwiftText.arm(
            operation.name, values.map(\.name), method: operation.method, arguments, indent: indent, usesReturn: true)
    }

    private func isText(_ type: InferredType) -> Bool { type.model.map { models.models[$0].isText } ?? false }

    private var path: String {
        let texts = OpenAPINames.pieces(operation.path).map { piece in
            guard piece.isVariable else { return Self.literal(piece.text) }
            let own = operation.parameters.first { $0.place == .path && $0.key == piece.text }
            guard let own else { return Self.literal("{\(piece.text)}") }
            let name = SwiftNames.quoted(own.name)
            switch own.type {
            case .array(let element):
                let map = isText(element) ? ".map(\\.rawValue)" : element == .string ? "" : ".map { \"\\($0)\" }"
                return "\\(\(name)\(map).joined(separator: \",\"))"
            case _ where isText(own.type): return "\\(\(name).rawValue)"
            default: return own.style == .segments ? "\\(rest: \(name))" : "\\(\(name))"
            }
        }
        return SwiftText.path(texts.joined(), margin: indent + 8)
    }

    /// Fixed text of a path, in which everything else is percent-encoded.
    private static func literal(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : PercentEncoding.encode(bytes: [byte])
        }.joined()
    }

    private var query: [String] {
        let listed = operation.parameters.filter { $0.place == .query && !$0.isInQuery }
        var items: [(text: String, isIndexed: Bool)] = []
        var others = operation.query == nil ? [] : ["Endpoint.Query(query)"]
        for parameter in listed {
            let key = SwiftLiteral.string(parameter.key)
            let name = SwiftNames.quoted(parameter.name)
            switch parameter.style {
            case .fields: others.append("Endpoint.Query(\(name))")
            case .joined(let separator):
                var list = name + (parameter.isOptional ? "?" : "")
                if case .array(let element) = parameter.type, isText(element) { list += ".map(\\.rawValue)" }
                items.append(("\(key): \(list).joined(by: \(SwiftLiteral.string(separator)))", false))
            default: items.append(("\(key): \(name)", parameter.style == .indexed))
            }
        }
        let isScalar = listed.allSatisfy { parameter in
            if parameter.style == .indexed { return true }
            if case .array = parameter.type { return parameter.style != .plain }
            return isText(parameter.type) || !parameter.type.holdsJSON
        }
        // Positions are for lists alone, so that scalars may stand among them.
        let parts =
            isScalar && items.contains(where: \.isIndexed)
            ? [items] : [items.filter { !$0.isIndexed }, items.filter(\.isIndexed)]
        var texts = parts.filter { !$0.isEmpty }.enumerated().map { place, part in
            let isIndexed = part.contains(where: \.isIndexed)
            let (open, close) = isIndexed ? ("Endpoint.Query.indexed([", "])") : ("[", "]")
            return SwiftText.list(open, part.map(\.text), close, indent: indent + (place == 0 ? 8 : 12), column: 7)
        }
        texts += others
        if texts.isEmpty { return [] }
        let start = "Endpoint.Query.indexed("
        if texts.count == 1, texts[0].hasPrefix(start) { texts[0] = ".indexed(" + texts[0].dropFirst(start.count) }
        return [SwiftText.sum("query: ", texts, "", indent: indent + 8)]
    }

    private var headers: [String] {
        var elements = operation.parameters.filter { $0.place == .header }.map { parameter in
            let name = SwiftNames.quoted(parameter.name)
            let dot = parameter.isOptional ? "?." : "."
            let text =
                switch parameter.type {
                case .string: name
                case .array(let element):
                    "\(name)\(dot)map { \(isText(element) ? "$0.rawValue" : "\"\\($0)\"") }.joined(separator: \",\")"
                case _ where isText(parameter.type): "\(name)\(dot)rawValue"
                default: parameter.isOptional ? "\(name).map { \"\\($0)\" }" : "\"\\(\(name))\""
                }
            return "\(SwiftLiteral.string(parameter.key)): \(text)"
        }
        if let type = operation.contentType { elements.append("\"Content-Type\": \"\(type)\"") }
        return elements.isEmpty ? [] : [SwiftText.list("headers: [", elements, "]", indent: indent + 8)]
    }

    private var body: [String] {
        func made(_ start: String, _ end: String = ")") -> [String] {
            operation.isBodyOptional ? ["body: body.map { Body\(start)$0\(end) }"] : ["body: \(start)body\(end)"]
        }
        switch operation.content {
        case .none: return []
        case .json: return made(".json(")
        case .form(let isIndexed):
            return isIndexed ? made(".form(.indexed(Endpoint.Query(", ")))") : made(".form(Endpoint.Query(", "))")
        case .text(let type):
            return made(".text(", ", contentType: \"\(type)\")")
        case .bytes(let type):
            return ["body: .data([], contentType: \"\(type)\")"]
        case .multipart: return multipart
        }
    }

    /// Whether a field can be a part of a multipart body: a scalar, or a list of them.
    static func isSendable(_ field: InferredModel.Field, _ models: [InferredModel]) -> Bool {
        var type = field.type.unwrapped.type
        if case .array(let element) = type { type = element }
        let isText = if case .model(let model) = type { models[model].isText } else { false }
        return (isText || [.bool, .integer, .decimal, .double, .string].contains(type))
            && SwiftLiteral.string(field.key).count <= OperationReader.longestKey
    }

    private var multipart: [String] {
        guard let model = operation.body?.model else { return [] }
        let dot = operation.isBodyOptional ? "body?." : "body."
        var parts: [String] = []
        var lists: [String] = []
        for (field, property) in zip(models.models[model].fields, models.propertyNames(model))
        where Self.isSendable(field, models.models) {
            let isOptional = field.isOptional || operation.isBodyOptional || field.isReadOnly
            let name = dot + SwiftNames.quoted(property)
            func part(_ type: InferredType, _ value: String) -> String {
                let key = SwiftLiteral.string(field.key)
                if field.path == SchemaReader.file { return ".file(\(key), path: \(value))" }
                let text = isText(type) ? "\(value).rawValue" : type == .string ? value : "\"\\(\(value))\""
                return ".field(\(key), \(text))"
            }
            let type = field.type.unwrapped.type
            if case .array(let element) = type {
                lists.append("\(isOptional ? "(\(name) ?? [])" : name).map { Part\(part(element, "$0")) }")
            } else {
                parts.append(isOptional ? "\(name).map { Part\(part(type, "$0")) }" : part(type, name))
            }
        }
        // Elements that may be nil make the list one of optionals.
        let hasNil = parts.contains { $0.hasSuffix("}") }
        let (open, close) = hasNil ? ("[Part?]([", "]).compactMap(\\.self)") : ("[", "]")
        let line = SwiftText.list("body: .multipart(" + open, parts, close + ")", indent: indent + 8)
        if lists.isEmpty, !hasNil || !line.contains("\n") { return [line] }
        let first = parts.isEmpty ? [] : [SwiftText.list(open, parts, close, indent: indent + 12)]
        return [SwiftText.sum("body: .multipart(", first + lists, ")", indent: indent + 8)]
    }

    var returns: String {
        guard let response = operation.response else {
            return operation.isBytes ? "RawResponse.self" : "EmptyResponse.self"
        }
        return models.typeText(response.unwrapped.type) + ".self"
    }

    // MARK: Pages

    /// How the list is divided into pages, as far as the names of parameters and fields tell.
    private var pages: String? {
        guard operation.method == "GET", let response = operation.response?.unwrapped.type else { return nil }
        let fields = response.model.map { models.models[$0].fields } ?? []
        let lists = fields.filter { if case .array = $0.type { true } else { false } }
        let list = lists.first { ["data", "items", "results"].contains($0.key) } ?? lists.first
        if case .array = response {} else if list == nil || lists.count > 2 { return nil }
        let items = list?.key ?? ""
        guard items.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        func field(_ keys: String...) -> String? { keys.first { key in fields.contains { $0.key == key } } }
        func parameter(_ keys: String...) -> String? {
            keys.first { key in operation.parameters.contains { $0.place == .query && $0.key == key } }
        }
        if operation.hasLinks { return items.isEmpty ? ".link()" : ".link(items: \"\(items)\")" }
        let element = list?.type.models.first.map { models.models[$0].fields } ?? []
        if let after = parameter("starting_after"), let more = field("has_more"),
            element.contains(where: { $0.key == "id" })
        {
            return ".cursor(\"\(after)\", from: \"\(items).id\", more: \"\(more)\", items: \"\(items)\")"
        }
        if let next = field("next_page_uri", "next_page_url", "nextPageUrl") {
            return ".link(from: \"\(next)\", items: \"\(items)\")"
        }
        if let from = field(
            "next_page_token", "nextPageToken", "next_cursor", "nextCursor", "next_token", "nextToken"),
            let cursor = parameter("page_token", "pageToken", "cursor", "next_token", "nextToken", "next_cursor")
        {
            return ".cursor(\"\(cursor)\", from: \"\(from)\", items: \"\(items)\")"
        }
        guard let page = parameter("page"),
            operation.parameters.contains(where: { $0.key == page && $0.type == .integer })
        else { return nil }
        let last = field("total_pages", "totalPages", "page_count", "last_page").map { "last: \"\($0)\", " } ?? ""
        return ".number(\"\(page)\", \(last)items: \"\(items)\")"
    }
}
