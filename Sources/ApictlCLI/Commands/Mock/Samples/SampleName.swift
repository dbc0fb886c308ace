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
    /// Which call it is for, from 1; nil is the first.
    var number: Int?
    /// Nil is that of the endpoint's sample.
    var status: Int?
    var fileExtension = ""

    /// The extension of a file with headers.
    static let headersExtension = "headers"
    /// The most bytes of a recorded name before its number; a file system allows 255 in all.
    private static let longestStem = 200

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
        endpoint = String(stem)
    }

    /// The name for a response to a call of `endpoint` with `parameters`, as many of them as a file's name has room for.
    init(recording endpoint: String, _ parameters: [SampleParameter]) {
        self.endpoint = endpoint
        for parameter in parameters {
            self.parameters.append(parameter)
            if stem.utf8.count > Self.longestStem { self.parameters.removeLast() }
        }
    }

    /// The file's name.
    var text: String {
        stem + (number.map { ".\($0)" } ?? "") + (status.map { "!\($0)" } ?? "") + "." + fileExtension
    }

    private var stem: String {
        let pairs = parameters.map { "\(Self.encoded($0.name))=\(Self.encoded($0.text))" }
        return endpoint + (pairs.isEmpty ? "" : "@" + pairs.joined(separator: "&"))
    }

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
}

extension SampleParameter {
    /// The parameters of a call that are given and that `isMeant` says.
    static func all(of call: Signature?, where isMeant: (Parameter) -> Bool = { _ in true }) -> [SampleParameter] {
        guard let call else { return [] }
        return call.parameters.filter { !$0.example.isEmpty && isMeant($0) }.map { parameter in
            SampleParameter(name: call.shownName(of: parameter), text: parameter.example.joined(separator: ","))
        }
    }
}
