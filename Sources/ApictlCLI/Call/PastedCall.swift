import APIImport
import EndpointKit

/// A curl command that `call curl …` runs: it sends what curl would send, and shows the response as `call` does.
struct PastedCall: Sendable {
    /// The words after `curl`; a dash alone stands for commands on stdin.
    let words: [SourcedText]
    /// The options of `call`, which stand before the word `curl`.
    let options: CallOptions

    /// Reads the command, and the files that it refers to.
    ///
    /// - Parameter environment: The files, stdin, the variables, and stderr for a note about options without effect.
    /// - Throws: ``UsageError`` for a command that can't be sent, and ``FileError``.
    func request(_ environment: ProcessEnvironment) throws -> CallRequest {
        let requests: [ImportedRequest]
        do {
            requests = try CurlWords.requests(words.map(\.text), environment, PastedReferences())
        } catch let error as ImportError {
            throw UsageError(error.text + ownOptionHint)
        }
        guard let first = requests.first, requests.count == 1 else {
            throw UsageError("the curl command has \(requests.count) requests; call sends one")
        }
        note(first.otherOptions, environment)
        return try request(of: first, environment)
    }

    /// The end of a message about a wrong command that has an option of `call` which curl lacks; empty if it has none.
    private var ownOptionHint: String {
        let names = CallOptions.table.specs.filter { !CurlOption.covered.contains($0.name) }
        let isGiven = words.contains { word in names.contains { $0.hasFlag(word.text) } }
        return isGiven ? "; options of call stand before the word curl" : ""
    }

    /// Notes the options of curl that have no effect.
    private func note(_ names: [String], _ environment: ProcessEnvironment) {
        guard !names.isEmpty, !options.output.quiet, !options.common.reportsJSON else { return }
        let text = "note: without effect here: \(names.joined(separator: ", "))"
        // A note that can't be written must not stop the call.
        try? environment.stderr.write(text.safeToShow + "\n")
    }

    /// Returns the call that sends an imported request.
    private func request(of typed: ImportedRequest, _ environment: ProcessEnvironment) throws -> CallRequest {
        var missing: String?
        let imported = typed.filled { name in
            let value = environment.value(name)
            if value == nil { missing = missing ?? name }
            return value
        }
        if let missing { throw UsageError("the curl command uses $\(missing), which is not set") }
        let url = SourcedText(typed.typedURL(environment.value), .preset)
        var call = try CallRequest(CalledURL(url))
        call.options = try options(of: imported)
        let method = HTTPMethod(rawValue: imported.method)
        call.options.request.method = method
        call.options.request.headers = try headers(of: imported) + options.request.headers
        call.endpoint = Endpoint(method, "/", returns: RawResponse.self, summary: "")
        switch imported.content {
        case .none: break
        case .bytes(let bytes):
            let type = imported.header("Content-Type") ?? ""
            call.endpoint?.body = .data(bytes, contentType: type)
            if type.isEmpty { call.options.request.headers.append(.remove("Content-Type")) }
        case .parts(let parts): call.endpoint?.body = .multipart(parts)
        case .file(let path): call.options.request.body = SourcedText(path == "-" ? "-" : "@" + path, .preset)
        }
        return call
    }

    /// Returns the options of the call, with those of the command that say how to connect. The options before `curl`
    /// win.
    private func options(of imported: ImportedRequest) throws(UsageError) -> CallOptions {
        var result = options
        for option in imported.connection where !options.common.given.contains(option.name) {
            guard let spec = CallOptions.table[option.name]?.spec else {
                throw UsageError("a request with --\(option.name) can't be sent from here")
            }
            try CallOptions.table.apply(spec, value: option.value, source: .preset, to: &result)
        }
        // What a printed curl command or a message needs to know are the options that were typed.
        result.common.given = options.common.given
        return result
    }

    /// Headers that the transport sets itself. Responses are decompressed only if `call` has asked for compression.
    private static let ofConnection = HTTPField.ofConnection.union(["accept-encoding"])

    /// Returns the headers of a request, with the one of its user and password.
    ///
    /// - Throws: ``UsageError`` for a header that can't be sent, and for a scheme of authentication that `call` lacks.
    private func headers(of imported: ImportedRequest) throws(UsageError) -> [HeaderChange] {
        var changes: [HeaderChange] = []
        for (name, value) in imported.headers where !Self.ofConnection.contains(name.lowercased()) {
            do throws(RequestError) {
                changes.append(.add(try HTTPField(name, value ?? "").checked()))
            } catch {
                throw UsageError("a header of the curl command: \(error.description)")
            }
        }
        switch imported.authentication {
        case .none: break
        case .basic(let user, let password):
            changes.append(.add(Netrc.header(user: Secret(user), password: Secret(password))))
        case .other(let option, _, _): throw UsageError("\(option) can't be used from here")
        }
        return changes
    }
}
