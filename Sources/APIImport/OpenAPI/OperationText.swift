import EndpointKit
import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the Swift text of an operation.
struct OperationText {
    let operation: OpenAPIOperation
    let sweep: SecretSweep
    /// Whether every value of the example is the document's.
    private var isReal = true
    /// How many more parts the example may have: objects in objects are many soon.
    private var partsLeft = 2000

    init(_ operation: OpenAPIOperation, _ sweep: SecretSweep) { (self.operation, self.sweep) = (operation, sweep) }

    /// The endpoint; `credentials` if they are not the API's.
    mutating func endpoint(credentials: [Credential]?) -> EndpointText {
        var text = EndpointText(name: operation.name, method: operation.method)
        text.comments = operation.comments
        text.values = values()
        text.isExampleReal = isReal
        let (path, query, headers) = (self.path, self.query, self.headers)
        text.arguments = [path]
        if !query.isEmpty { text.arguments.append("query: \(SwiftText.sum(query))") }
        if !headers.isEmpty { text.arguments.append(.list("headers: [", headers, "]")) }
        if let body { text.arguments.append(body) }
        if operation.method != "HEAD" { text.arguments.append("returns: \(returns)") }
        text.arguments.append("summary: \(SwiftText.literal(operation.summary))")
        let notes = operation.parameters.filter { !$0.isInQuery && !$0.note.isEmpty }.map { one in
            "\"\(one.name)\": \(SwiftText.literal(one.note))" as SwiftText
        }
        if !notes.isEmpty { text.arguments.append(.list("notes: [", notes, "]")) }
        if let credentials { text.arguments.append("credentials: \(credentials.list)") }
        if let pages { text.arguments.append("pages: \(pages)") }
        return text
    }

    // MARK: Values of the case

    private mutating func values() -> [EndpointText.Value] {
        var values = operation.parameters.filter { !$0.isInQuery }.map { one in
            value(one.name, one.name, one.type, one.isOptional, one.example)
        }
        let isUnlabelled = operation.body?.model?.fields.isEmpty == false
        if let query = operation.query {
            let fields = operation.parameters.filter(\.isInQuery)
            let example = JSONValue(fields.compactMap { one in one.example.map { (one.key, $0) } })
            values.append(value(isUnlabelled ? "query" : nil, "query", .model(query), false, example))
        }
        if let body = operation.body {
            let label = isUnlabelled ? nil : "body"
            values.append(value(label, "body", body, operation.isBodyOptional, operation.bodyExample))
        }
        return values
    }

    private mutating func value(
        _ label: String?, _ name: String, _ type: InferredType, _ isOptional: Bool, _ example: JSONValue?
    ) -> EndpointText.Value {
        // Without a body, nothing would show what is in it.
        let isLeftOut = isOptional && example == nil && name != "body"
        return .init(
            label: label, name: name, type: type.text() + (isOptional ? "?" : ""),
            example: isLeftOut ? "nil" : expression(type, example, name: name))
    }

    /// A value of the type: the document's if it gives one, else one made up, for which `isReal` becomes false; nil if there is none. In models that
    /// responses have too, an enum is open.
    private mutating func expression(
        _ type: InferredType, _ value: JSONValue?, name: String, depth: Int = 0, isOpen: Bool = false
    ) -> SwiftText? {
        partsLeft -= 1
        guard depth < 8, partsLeft > 0 else { return nil }
        switch type {
        case .optional(let inner):
            guard let value, !value.isNull else { return "nil" }
            return expression(inner, value, name: name, depth: depth, isOpen: isOpen)
        case .array(let element):
            let elements = value?.elements?.prefix(3) ?? (depth == 0 ? [.null] : [])
            return .list(
                "[", elements.compactMap { expression(element, $0, name: name, depth: depth + 1, isOpen: isOpen) }, "]")
        case .dictionary(let element):
            let members = (value?.members ?? []).prefix(5).filter { $0.key.utf8.count < 60 }
            let texts = members.compactMap { key, value in
                expression(element, value, name: name, depth: depth + 1, isOpen: isOpen)
                    .map { "\(SwiftText.literal(key)): \($0)" as SwiftText }
            }
            return texts.isEmpty || Set(members.map(\.key)).count < members.count ? "[:]" : .list("[", texts, "]")
        case .model(let model): return self.value(of: model, value, name: name, depth: depth, isOpen: isOpen)
        case .json, .unknown:
            isReal = isReal && value != nil
            let text = value.flatMap { Parameter.expression($0, sweep) } ?? "[:]"
            return text.count > 80 ? "[:]" : "\(text)"
        case .bool, .integer, .decimal, .double, .string, .date:
            if let text = value.flatMap({ scalar(type, $0) }) { return "\(text)" }
            isReal = false
            switch type {
            case .bool: return "false"
            case .string: return .literal(name)
            case .date: return "Date(timeIntervalSince1970: 0)"
            default: return "1"
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

    private mutating func value(
        of model: InferredModel, _ value: JSONValue?, name: String, depth: Int, isOpen: Bool
    ) -> SwiftText? {
        switch model.form {
        case .values(let values):
            let known = value?.string.flatMap { values.firstIndex(of: $0) } ?? 0
            let text = ".\(model.labels[known])"
            return isOpen ? ".known(\(text))" : "\(text)"
        case .structure(let fields):
            var texts: [SwiftText] = []
            for (field, property) in zip(fields, model.labels) {
                let member = value?[field.key]
                // What a multipart body lacks, nothing else shows.
                let isPart = operation.isMultipart && depth == 0 && name == "body" && field.isPart
                if field.isOptional, !isPart, member == nil || member?.isNull == true || depth > 2 { continue }
                let inner = isPart ? 0 : depth + 1
                guard
                    let text = expression(
                        field.type, member, name: property, depth: inner, isOpen: model.isReceived)
                else {
                    if field.isOptional { continue }
                    return nil
                }
                texts.append(model.sendsNull(field) ? "\(property): .value(\(text))" : "\(property): \(text)")
            }
            return .list("\(model.name)(", texts, ")")
        case .union(let all, let key):
            if key != nil { isReal = isReal && value != nil }
            let tag = key.flatMap { value?[$0]?.string } ?? all.first?.tag
            for (one, label) in zip(all, model.labels)
            where key == nil ? value == nil || one.type.jsonKind == value?.kind : one.tag == tag {
                let text = expression(
                    one.type, value, name: key == nil ? label : name, depth: depth + 1, isOpen: model.isReceived)
                if let text { return ".\(label)(\(text))" }
            }
            return nil
        }
    }

    // MARK: The request

    /// A value as text: of an enum its raw value, of a list its elements with commas.
    private func text(_ type: InferredType, _ value: String, isOptional: Bool = false) -> String {
        let dot = isOptional ? "?." : "."
        switch type {
        case .string: return value
        case .array(.string): return "\(value)\(dot)joined(separator: \",\")"
        case .array(let element): return "\(value)\(dot)map { \(text(element, "$0")) }.joined(separator: \",\")"
        case .model: return "\(value)\(dot)rawValue"
        default: return isOptional ? "\(value).map { \"\\($0)\" }" : "\"\\(\(value))\""
        }
    }

    private var path: SwiftText {
        .literal(
            of: OpenAPINames.pieces(operation.path).flatMap { piece -> [String] in
                let own = operation.parameters.first { $0.place == "path" && $0.key == piece.text && piece.isVariable }
                guard let own else { return Self.literal(piece.isVariable ? "{\(piece.text)}" : piece.text) }
                if case .array = own.type { return ["\\(\(text(own.type, own.quoted)))"] }
                if own.type.model != nil { return ["\\(\(own.quoted).rawValue)"] }
                return ["\\(\(own.style == .segments ? "rest: " : "")\(own.quoted))"]
            })
    }

    /// Fixed text of a path, in which everything else is percent-encoded.
    private static func literal(_ text: String) -> [String] {
        let encoded = text.utf8.map { byte in
            let isPlain = byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : PercentEncoding.encode(bytes: [byte])
        }
        return SwiftLiteral.pieces(ofPath: encoded.joined())
    }

    /// The terms of the query.
    private var query: [SwiftText] {
        let listed = operation.parameters.filter { $0.place == "query" && !$0.isInQuery && $0.style != .fields }
        // Positions are for lists alone, so that scalars may stand among them.
        let areScalars = listed.allSatisfy { one in
            if one.style == .indexed { return true }
            if case .array = one.type { return one.style != .plain }
            return one.type.isScalar
        }
        let indexed = listed.filter { $0.style == .indexed }
        let isOne = !indexed.isEmpty && areScalars
        let parts = isOne ? [listed] : [listed.filter { $0.style != .indexed }, indexed]
        let whole = operation.parameters.filter { $0.style == .fields }.map(\.quoted)
        let others = ((operation.query == nil ? [] : ["query"]) + whole).map { "Endpoint.Query(\($0))" as SwiftText }
        let isAlone = parts.count { !$0.isEmpty } + others.count == 1
        return parts.filter { !$0.isEmpty }.map { part in
            let isIndexed = part.contains { $0.style == .indexed }
            let start = !isIndexed ? "[" : isAlone ? ".indexed([" : "Endpoint.Query.indexed(["
            return .list(start, part.map(item), isIndexed ? "])" : "]")
        } + others
    }

    private func item(_ parameter: OpenAPIOperation.Parameter) -> SwiftText {
        var value = parameter.quoted
        if case .joined(let separator) = parameter.style {
            value += parameter.isOptional ? "?" : ""
            if case .array(let element) = parameter.type, element.model?.isText == true { value += ".map(\\.rawValue)" }
            value += ".joined(by: \(SwiftLiteral.string(separator)))"
        }
        return "\(SwiftText.literal(parameter.key)): \(value)"
    }

    private var headers: [SwiftText] {
        let elements = operation.parameters.filter { $0.place == "header" }.map { one in
            "\(SwiftText.literal(one.key)): \(text(one.type, one.quoted, isOptional: one.isOptional))" as SwiftText
        }
        return elements + (operation.contentType.map { ["\"Content-Type\": \"\($0)\""] } ?? [])
    }

    private var body: SwiftText? {
        if let type = operation.bytesType { return "body: .data([], contentType: \"\(type)\")" }
        guard let body = operation.body else { return nil }
        if operation.isMultipart { return body.model.map(multipart) }
        let (start, end) = operation.bodyText
        return operation.isBodyOptional ? "body: body.map { Body\(start)$0\(end) }" : "body: \(start)body\(end)"
    }

    private func multipart(_ model: InferredModel) -> SwiftText {
        var parts: [String] = []
        var lists: [SwiftText] = []
        for (field, property) in zip(model.fields, model.labels) where field.isPart {
            let isOptional = field.isOptional || operation.isBodyOptional
            let name = (operation.isBodyOptional ? "body?." : "body.") + SwiftNames.quoted(property)
            let key = SwiftLiteral.string(field.key)
            func part(_ type: InferredType, _ value: String) -> String {
                field.isFile
                    ? ".file(\(key), path: \(value))" : ".field(\(key), \(text(type, value)))"
            }
            if case .array(let element) = field.type {
                lists.append("\(isOptional ? "(\(name) ?? [])" : name).map { Part\(part(element, "$0")) }")
            } else {
                parts.append(isOptional ? "\(name).map { Part\(part(field.type, "$0")) }" : part(field.type, name))
            }
        }
        // Elements that may be nil make the list one of optionals.
        let hasNil = parts.contains { $0.hasSuffix("}") }
        let items = parts.map { "\($0)" as SwiftText }
        if lists.isEmpty, !hasNil { return .list("body: .multipart([", items, "])") }
        let list = SwiftText.list(hasNil ? "[Part?]([" : "[", items, hasNil ? "]).compactMap(\\.self)" : "]")
        return .list("body: .multipart(", [.sum((items.isEmpty ? [] : [list]) + lists)], ")")
    }

    var returns: String {
        guard let response = operation.response else {
            return operation.isBytes ? "RawResponse.self" : "EmptyResponse.self"
        }
        return response.unwrapped.type.text() + ".self"
    }

    // MARK: Pages

    /// How the list is divided into pages, as far as the names of parameters and fields tell.
    private var pages: String? {
        guard operation.method == "GET", let response = operation.response?.unwrapped.type else { return nil }
        func fields(_ type: InferredType) -> [InferredModel.Field] { type.leaf.model?.fields ?? [] }
        let all = response.model == nil ? [] : fields(response)
        let lists = all.filter { if case .array = $0.type { true } else { false } }
        let list = lists.first { ["data", "items", "results"].contains($0.key) } ?? lists.first
        if case .array = response {} else if list == nil || lists.count > 2 { return nil }
        let items = list?.key ?? ""
        guard items.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        func field(_ keys: String...) -> String? { keys.first { key in all.contains { $0.key == key } } }
        func parameter(_ keys: String..., where isRight: (InferredType) -> Bool = { _ in true }) -> String? {
            keys.first { key in
                operation.parameters.contains { $0.place == "query" && $0.key == key && isRight($0.type) }
            }
        }
        if operation.hasLinks { return items.isEmpty ? ".link()" : ".link(items: \"\(items)\")" }
        if let after = parameter("starting_after"), let more = field("has_more"),
            list.map({ fields($0.type) })?.contains(where: { $0.key == "id" }) == true
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
        guard let page = parameter("page", where: { $0 == .integer }) else { return nil }
        let last = field("total_pages", "totalPages", "page_count", "last_page").map { "last: \"\($0)\", " } ?? ""
        return ".number(\"\(page)\", \(last)items: \"\(items)\")"
    }
}
