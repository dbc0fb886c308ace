import EndpointKit

/// The name of a file with a response, which says what it responds to.
///
///     movies.video.json                 any call of the endpoint
///     movies.video@id=550&page=2.json   calls with these parameters
///     movies.video.2.json               the second such call
///     movies.video!503.json             with that status
///     movies.video!503.headers          the headers of that one
///
/// Values are percent-encoded, also dots.
struct SampleName: Sendable, Hashable {
    /// `movies.video`
    var endpoint: String
    var parameters: [SampleParameter] = []
    /// Which call it is for, from 1.
    var number = 1
    /// Nil is that of the endpoint's sample.
    var status: Int?
    var fileExtension = ""

    /// The extension of a file with headers.
    static let headersExtension = "headers"
    /// The most bytes of a recorded name before its number; a file system allows 255 in all.
    private static let maxStem = 200

    /// Nil if `name` does not have that form.
    init?(_ name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        var stem = name[..<dot]
        fileExtension = String(name[dot...].dropFirst())
        if let mark = stem.lastIndex(of: "!") {
            guard let status = Int(stem[mark...].dropFirst()), (200...599).contains(status) else { return nil }
            self.status = status
            stem = stem[..<mark]
        }
        if let dot = stem.lastIndex(of: "."), let number = Int(stem[dot...].dropFirst()), number > 0 {
            self.number = number
            stem = stem[..<dot]
        }
        if let mark = stem.firstIndex(of: "@") {
            for pair in stem[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false) {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, !parts[0].isEmpty else { return nil }
                parameters.append(
                    SampleParameter(
                        name: KebabCase.text(PercentEncoding.decode(parts[0])), text: PercentEncoding.decode(parts[1])))
            }
            stem = stem[..<mark]
        }
        guard stem.contains("."), !fileExtension.isEmpty else { return nil }
        endpoint = KebabCase.text(String(stem))
    }

    /// The name for a response to a call of `endpoint` with `parameters`, as many of them as a file's name has room for.
    init(recording endpoint: String, _ parameters: [SampleParameter]) {
        self.endpoint = endpoint
        for parameter in parameters {
            self.parameters.append(parameter)
            if stem.utf8.count > Self.maxStem { self.parameters.removeLast() }
        }
    }

    /// The file's name.
    var text: String {
        stem + (number == 1 ? "" : ".\(number)") + (status.map { "!\($0)" } ?? "") + "." + fileExtension
    }

    private var stem: String {
        let pairs = parameters.map { "\(Self.encoded($0.name))=\(Self.encoded($0.text))" }
        return endpoint + (pairs.isEmpty ? "" : "@" + pairs.joined(separator: "&"))
    }

    var isFailure: Bool { status.map { $0 >= 300 } ?? false }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encode(text).replacingBytes(of: ".", with: "%2E")
    }

    /// The same name for the headers.
    var headers: SampleName {
        var copy = self
        copy.fileExtension = Self.headersExtension
        return copy
    }
}

/// A parameter in a file's name.
struct SampleParameter: Sendable, Hashable {
    /// The parameter's flag without its dashes, or what help calls one without a flag.
    let name: String
    /// The value's text; those of an array joined by commas.
    let text: String

    /// The parameters of a call that are given and that `isNeeded` accepts.
    static func all(of call: Signature?, where isNeeded: (Parameter) -> Bool = { _ in true }) -> [SampleParameter] {
        guard let call else { return [] }
        return call.parameters.filter { !$0.example.isEmpty && isNeeded($0) }.map { parameter in
            SampleParameter(name: call.shownName(of: parameter), text: parameter.example.joined(separator: ","))
        }
    }
}

extension SampleName {
    /// Extensions of files with responses, and the content types that they stand for.
    private static let types = [
        ("json", "application/json"), ("jsonl", "application/jsonl"), ("txt", "text/plain; charset=utf-8"),
        ("html", "text/html; charset=utf-8"), ("css", "text/css"), ("csv", "text/csv"), ("xml", "application/xml"),
        ("svg", "image/svg+xml"), ("png", "image/png"), ("jpg", "image/jpeg"), ("gif", "image/gif"),
        ("webp", "image/webp"), ("pdf", "application/pdf"), ("zip", "application/zip"),
    ]

    /// The content type that the extension stands for.
    var contentType: String { Self.types.first { $0.0 == fileExtension }?.1 ?? "application/octet-stream" }

    /// The extension for a content type, whose parameters do not count.
    static func fileExtension(for contentType: String?) -> String {
        let type = contentType.map { $0.prefix { $0 != ";" }.lowercased() } ?? ""
        return types.first { $0.1.prefix { $0 != ";" } == type }?.0 ?? "bin"
    }
}

extension Endpoint {
    /// The status of a file without one.
    func sampleStatus(isEmpty: Bool) -> Int { isEmpty && isBodiless ? 204 : 200 }
}
