import APIImport
import EndpointKit

/// A curl command that `call curl …` runs: it sends what curl would send, and shows the response as `call` does.
struct PastedCall: Sendable {
    /// The words after `curl`; a dash alone stands for commands on stdin.
    let words: [SourcedText]
    /// The options of `call`, which stand before the word `curl`.
    let options: CallOptions

    /// Reads the curl command, and the files that it refers to. Notes on stderr the options of the command that have no
    /// effect here.
    ///
    /// - Parameter environment: The files, stdin and variables for the command, and stderr for the note.
    /// - Returns: The call that sends the request of the command.
    /// - Throws: ``UsageError`` for a command that can't be sent, and ``FileError``.
    func readRequest(_ environment: ProcessEnvironment) throws -> CallRequest {
        let requests: [ImportedRequest]
        do {
            requests = try CurlWords.readRequests(in: words.map(\.text), environment, recordingIn: PastedReferences())
        } catch let error as ImportError {
            throw UsageError(error.text + hintAboutOwnOptions)
        }
        guard let request = requests.first, requests.count == 1 else {
            throw UsageError("the curl command has \(requests.count) requests; call sends one")
        }
        noteIgnoredOptions(request.otherOptions, on: environment.stderr)
        return try makeCall(sending: request, environment)
    }

    /// The end of a message about a wrong command that has an option of `call` which curl lacks; empty if it has none.
    private var hintAboutOwnOptions: String {
        let ownOptions = CallOptions.table.specs.filter { !CurlOption.covered.contains($0.name) }
        let hasOwnOption = words.contains { word in ownOptions.contains { $0.hasFlag(word.text) } }
        return hasOwnOption ? "; options of call stand before the word curl" : ""
    }

    /// Notes the options of curl that have no effect here, unless `--quiet` or `--json-errors` is given.
    private func noteIgnoredOptions(_ flags: [String], on stderr: any ByteOutput) {
        guard !flags.isEmpty, !options.output.quiet, !options.common.reportsJSON else { return }
        let text = "note: without effect here: \(flags.joined(separator: ", "))"
        // A note that can't be written must not stop the call.
        try? stderr.write(text.safeToShow + "\n")
    }

    /// Returns the call that sends the request of a curl command.
    ///
    /// - Parameter typedRequest: The request, in which variables of the shell are not replaced yet: `$TOKEN`.
    /// - Throws: ``UsageError`` for a variable that is not set, and for a part of the request that can't be sent.
    private func makeCall(
        sending typedRequest: ImportedRequest, _ environment: ProcessEnvironment
    ) throws -> CallRequest {
        let request = try replacingVariables(of: typedRequest, environment)
        // The URL keeps the spelling in which it was typed.
        let url = SourcedText(typedRequest.typedURL(environment.value), .preset)
        let method = HTTPMethod(rawValue: request.method)
        var call = try CallRequest(CalledURL(url))
        call.options = try callOptions(with: request)
        call.options.request.method = method
        call.options.request.headers = try headers(of: request) + options.request.headers
        // The path does not matter, because the path of the URL replaces it.
        call.endpoint = Endpoint(method, "/", returns: RawResponse.self, summary: "")
        setBody(of: &call, to: request)
        return call
    }

    /// Gives a call the body of a request.
    ///
    /// A body from a file becomes the value of `--body`, because the file is read later.
    private func setBody(of call: inout CallRequest, to request: ImportedRequest) {
        switch request.content {
        case .none: break
        case .bytes(let bytes):
            let contentType = request.header("Content-Type") ?? ""
            call.endpoint?.body = .data(bytes, contentType: contentType)
            // Without a type in the curl command, none is sent.
            if contentType.isEmpty { call.options.request.headers.append(.remove("Content-Type")) }
        case .parts(let parts): call.endpoint?.body = .multipart(parts)
        case .file(let path):
            let word = path == "-" ? "-" : "@" + path
            call.options.request.body = SourcedText(word, .preset)
        }
    }

    /// Returns a request in which the variables of the shell, such as `$TOKEN`, are replaced by their values.
    ///
    /// - Throws: ``UsageError`` for the first variable that is not set.
    private func replacingVariables(
        of request: ImportedRequest, _ environment: ProcessEnvironment
    ) throws(UsageError) -> ImportedRequest {
        var unsetVariables: [String] = []
        let filledRequest = request.filled { name in
            let value = environment.value(name)
            if value == nil { unsetVariables.append(name) }
            return value
        }
        if let name = unsetVariables.first { throw UsageError("the curl command uses $\(name), which is not set") }
        return filledRequest
    }

    /// Returns the options of the call: those before the word `curl`, and the options of the curl command that say how
    /// to connect. If both give an option, the one before the word `curl` counts.
    ///
    /// - Throws: ``UsageError`` for an option of curl that `call` lacks.
    private func callOptions(with request: ImportedRequest) throws(UsageError) -> CallOptions {
        var result = options
        let optionsOfCurl = request.connection.filter { !options.common.given.contains($0.name) }
        for option in optionsOfCurl {
            guard let spec = CallOptions.table[option.name]?.spec else {
                throw UsageError("a request with --\(option.name) can't be sent from here")
            }
            try CallOptions.table.apply(spec, value: option.value, source: .preset, to: &result)
        }
        // Only the options before `curl` count as given to `call`. Messages name no others.
        result.common.given = options.common.given
        return result
    }

    /// The lower-case names of headers that the transport sets itself. `Accept-Encoding` is among them, because
    /// responses are decompressed only if the transport has asked for compression.
    private static let headersOfTransport = HTTPField.ofConnection.union(["accept-encoding"])

    /// Returns the headers of a request. A user and a password become an `Authorization` header.
    ///
    /// Headers that the transport sets itself are left out.
    ///
    /// - Throws: ``UsageError`` for a header that can't be sent, and for a scheme of authentication that `call` lacks.
    private func headers(of request: ImportedRequest) throws(UsageError) -> [HeaderChange] {
        var changes: [HeaderChange] = []
        for (name, value) in request.headers where !Self.headersOfTransport.contains(name.lowercased()) {
            do throws(RequestError) {
                // Every header has a value. Those without one, which curl does not send, were left out earlier.
                changes.append(.add(try HTTPField(name, value ?? "").checked()))
            } catch {
                throw UsageError("a header of the curl command: \(error.description)")
            }
        }
        switch request.authentication {
        case .none: break
        case .basic(let user, let password):
            changes.append(.add(Netrc.header(user: Secret(user), password: Secret(password))))
        case .other(let option, _, _): throw UsageError("\(option) can't be used from here")
        }
        return changes
    }
}
