extension ResponseHead {
    /// These headers without secrets of the request that the server repeated.
    package func redacted(by redactor: Redactor) -> ResponseHead {
        var head = self
        head.reason = redactor.redact(reason)
        head.fields = fields.map { field in
            let shown = ResponseHead.Field(redactor.redact(field.name), redactor.redact(field.value))
            // A secret with a colon may begin in the name.
            let line = "\(shown.name):\(shown.value)"
            return redactor.redact(line) == line ? shown : ResponseHead.Field("(redacted)", "(redacted)")
        }
        return head
    }

    /// The media type to show: of a type that is cut at its parameters, or is in lower case, half a secret would be left.
    package func mediaType(redactedBy redactor: Redactor) -> String? { redacted(by: redactor).mediaType }
}
