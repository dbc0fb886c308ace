import JSONText

/// Finds the API's own error message in the body of a failed response.
package enum FailedResponseMessage {
    /// The keys that APIs commonly use, in the order in which they are searched.
    ///
    /// `detail` and `title` are those of RFC 9457, `error_description` that of OAuth 2.0 (RFC 6749, section 5.2), and
    /// `msg` is how FastAPI calls the message of each problem in `detail`.
    private static let messageKeys = [
        "status_message", "message", "error_message", "error_description", "detail", "errors", "error", "msg", "title",
        "status",
    ]
    /// The deepest nesting that is searched. A hostile body may be nested more deeply.
    private static let maxDepth = 8
    /// The most texts that are collected. A hostile body may have more.
    private static let maxTexts = 100

    /// Returns the error message in `body`; nil if the body is not JSON or has no message.
    ///
    /// An object is searched for the common ``messageKeys`` first, whose values may be strings, objects and arrays.
    package static func find(in body: [UInt8]) -> String? {
        guard let document = try? JSONDocument(body) else { return nil }
        var textsLeft = maxTexts
        return findMessage(in: JSONValue(document), depth: 0, textsLeft: &textsLeft)
    }

    /// Returns the error message in a value of the body, by calling itself for nested values.
    ///
    ///     "not found"                                      →    not found
    ///     ["too short", "too old"]                         →    too short; too old
    ///     {"error": {"message": "not found"}}              →    not found
    ///     {"errors": {"title": ["can't be blank"]}}        →    title: can't be blank
    ///     {"title": ["can't be blank"]}                    →    title: can't be blank
    ///
    /// - Parameters:
    ///   - value: The body, or a value in it.
    ///   - depth: How many objects and arrays are around the value; 0 is the body itself.
    ///   - textsLeft: How many more texts may be collected. Each one reduces the number.
    /// - Returns: The message. Nil if there is none.
    private static func findMessage(in value: JSONValue, depth: Int, textsLeft: inout Int) -> String? {
        guard depth < maxDepth, textsLeft > 0 else { return nil }
        switch value.content {
        case .string(let text):
            guard !text.isEmpty else { return nil }
            textsLeft -= 1
            return text
        case .array(let elements):
            var messages: [String] = []
            for element in elements {
                let elementMessage = findMessage(in: element, depth: depth + 1, textsLeft: &textsLeft)
                if let elementMessage { messages.append(elementMessage) }
            }
            return joined(messages)
        case .object(let members):
            if let message = messageOfCommonKey(in: value, depth: depth, textsLeft: &textsLeft) { return message }
            // The body itself has ordinary data under other keys. Only if all its members are lists of texts, they are
            // the errors of a form's fields, as Django writes them.
            let isBody = depth == 0
            let mayHaveErrorsByField = !isBody || members.allSatisfy { member in isListOfTexts(member.value) }
            return mayHaveErrorsByField ? errorsByField(members, depth: depth, textsLeft: &textsLeft) : nil
        case .null, .bool, .number:
            return nil
        }
    }

    /// Returns the message in the first member of an object that has one, in the order of ``messageKeys``.
    ///
    ///     {"status": "error", "message": "not found"}    →    not found
    ///
    /// - Parameters:
    ///   - object: The body of a failed response, or an object in it.
    ///   - depth: How many objects and arrays are around the object.
    ///   - textsLeft: How many more texts may be collected. Each one reduces the number.
    /// - Returns: The message; nil if there is none.
    private static func messageOfCommonKey(in object: JSONValue, depth: Int, textsLeft: inout Int) -> String? {
        for key in messageKeys {
            guard let member = object[key] else { continue }
            // A title that is a message is a text. A list has the errors of a form's field that is called `title`.
            let isFormField = key == "title" && member.string == nil
            if isFormField { continue }
            if let message = findMessage(in: member, depth: depth + 1, textsLeft: &textsLeft) { return message }
        }
        return nil
    }

    /// Returns whether a value is a list of texts, of which there is at least one.
    private static func isListOfTexts(_ value: JSONValue) -> Bool {
        guard let elements = value.elements, elements.count > 0 else { return false }
        return elements.allSatisfy { $0.string != nil }
    }

    /// Returns the messages of an object that has the errors of each field of a form.
    ///
    ///     {"title": ["can't be blank"]}    →    title: can't be blank
    ///
    /// - Parameters:
    ///   - members: The members of the object. Their keys are names of fields.
    ///   - depth: The number of objects and arrays around the object.
    ///   - textsLeft: How many more texts may be collected. Each one reduces the number.
    /// - Returns: The messages with semicolons between them; nil if there are none.
    private static func errorsByField(
        _ members: [(key: String, value: JSONValue)], depth: Int, textsLeft: inout Int
    ) -> String? {
        var messages: [String] = []
        for (key, value) in members {
            // The other common keys of messages are no fields, and have been searched for a message already.
            let isFieldName = key == "title" || !messageKeys.contains(key)
            guard isFieldName else { continue }
            let fieldMessage = findMessage(in: value, depth: depth + 1, textsLeft: &textsLeft)
            if let fieldMessage { messages.append("\(key): \(fieldMessage)") }
        }
        return joined(messages)
    }

    /// Returns several messages as one, with semicolons between them; nil if there are none.
    private static func joined(_ messages: [String]) -> String? {
        messages.isEmpty ? nil : messages.joined(separator: "; ")
    }
}
