import EndpointKit
import EndpointTools
import JSONText
import Synchronization
import SystemCalls

/// The variables of calls of an API: from the process, then from files, then from the sources that the configuration names for that API.
final class Variables: Sendable {
    private let environment: ProcessEnvironment
    private let files: [String: String]
    private let sources: [String: CredentialSource]
    /// Relative paths of files start here; with a slash at the end.
    private let directory: String
    private let known = Mutex<[String: Result<String, CredentialSourceFailure>]>([:])

    init(
        _ environment: ProcessEnvironment, files: [String: String], sources: [String: CredentialSource] = [:],
        in directory: String = ""
    ) {
        self.environment = environment
        self.files = files
        self.sources = sources
        self.directory = directory
    }

    /// Whether a variable has a value, or a command or pipe that is to give it, which is left alone.
    func hasValue(_ name: String) -> Bool {
        switch source(name) {
        case .command: true
        case .file(let path) where environment.files.isStream(absolute(path)): true
        default: value(name)?.isEmpty == false
        }
    }

    /// Where the value of `name` comes from if no variable of the process or of a file gives it.
    func source(_ name: String) -> CredentialSource? { given(name) == nil ? sources[name] : nil }

    private func given(_ name: String) -> String? {
        environment.value(name) ?? files[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of `name`; nil if there is none. A source is asked once; a command is run only until `deadline`, never without one.
    func value(_ name: String, commandsUntil deadline: ContinuousClock.Instant? = nil) -> String? {
        guard let source = source(name) else { return given(name) ?? environment.variable(name) }
        if case .command = source, deadline == nil { return known.withLock { try? $0[name]?.get() } }
        // The lock is held meanwhile: two tasks must not run the same command.
        return known.withLock { known in
            let result = known[name] ?? read(name, source, deadline)
            // A task that is cancelled is not why others have no value.
            if !Task.isCancelled { known[name] = result }
            return try? result.get()
        }
    }

    /// The first source, by the names of variables, that gave no value although it was asked.
    var failure: CredentialSourceFailure? {
        let results = known.withLock { $0.sorted { $0.key < $1.key } }
        for case (_, .failure(let failure)) in results { return failure }
        return nil
    }

    private func read(
        _ name: String, _ source: CredentialSource, _ deadline: ContinuousClock.Instant?
    ) -> Result<String, CredentialSourceFailure> {
        let left = min(deadline.map { max($0 - .now, .zero) } ?? .seconds(3600), CredentialSource.timeLimit)
        var (reason, isTimeout) = ("it is empty", false)
        do {
            let value: String? =
                switch source {
                case .variable(let other): environment.value(other) ?? files[other]
                case .file(let path):
                    String(
                        line: try environment.files.open(absolute(path)).readAll(
                            name: absolute(path), limit: CredentialSource.maxValueLength, until: .now + left))
                case .command(let words): String(line: try environment.commandOutput(words, left))
                }
            if let value, !value.isEmpty { return .success(value) }
            if value == nil { reason = "it is not set" }
        } catch let error as FileError {
            (reason, isTimeout) = (error.reason, error.isTimeout)
        } catch let error as CommandOutput.Failure {
            (reason, isTimeout) = (error.sentence, error == .timedOut)
        } catch {
            reason = "\(error)"
        }
        if isTimeout {
            isTimeout = left < CredentialSource.timeLimit
            let limit = isTimeout ? "--max-time allows" : CredentialSource.timeLimit.shown
            reason = "it took longer than \(limit)"
        }
        return .failure(
            CredentialSourceFailure(variable: name, source: source, reason: reason, isTimeout: isTimeout))
    }

    private func absolute(_ path: String) -> String {
        if path.hasPrefix("~/"), let home = environment.value("HOME") { return home + path.dropFirst() }
        return path.hasPrefix("/") ? path : directory + path
    }
}

extension String {
    /// The text of `bytes` without the line break at its end.
    init(line bytes: [UInt8]) {
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        self.init(exactBytes: bytes)
    }
}

extension CommandOutput.Failure {
    fileprivate var sentence: String {
        switch self {
        case .notStarted(let error): error.inSentence
        case .timedOut: "it took too long"
        case .exited(let code): "it ended with exit code \(code)"
        case .killed(let signal): "it was ended by signal \(signal)"
        case .tooLong: "it printed more than \(ByteCountText.shown(CredentialSource.maxValueLength))"
        }
    }
}

/// Where the value of a credential comes from if its own variable is not set.
enum CredentialSource: Sendable, Equatable {
    case variable(String)
    case file(String)
    /// What a command prints, without the line break at its end.
    case command([String])

    static let timeLimit = Duration.seconds(10)
    static let maxValueLength = 65_536

    /// The source that the configuration names; nil if it names none.
    init?(_ value: JSONValue) {
        guard let members = value.members, members.count == 1, case let (key, value) = members[0] else { return nil }
        let words = value.elements?.compactMap(\.string) ?? []
        switch (key, value.string) {
        case ("variable", let name?): self = .variable(name)
        case ("file", let path?): self = .file(path)
        case ("command", nil) where !words.isEmpty && words.count == value.elements?.count: self = .command(words)
        default: return nil
        }
    }

    /// What is wrong with a value that names no source. It is not shown: it may be the secret itself.
    static func problem(_ value: JSONValue) -> String {
        let expected = #"expected {"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#
        let place = "a secret must not be in this file, which may end up in backups and repositories; "
        return value.string == nil ? expected : place + expected
    }

    var sentence: String {
        switch self {
        case .variable(let name): "variable \(name)"
        case .file(let path): "file \(path)"
        case .command(let words): "command \(words.joined(separator: " "))"
        }
    }
}

/// The source of a credential gave no value.
struct CredentialSourceFailure: Error, Equatable {
    let variable: String
    let source: CredentialSource
    let reason: String
    let isTimeout: Bool

    var sentence: String { "no value for \(variable) from \(source.sentence): \(reason)" }
}

/// The names of the tool's own environment variables, which start with the tool's name: `APICTL_ENV`, `PETCTL_ENV`.
struct VariableNames: Sendable {
    private let prefix: String

    init(tool: String) { prefix = Self.name(tool) }

    var server: String { prefix + "_ENV" }
    var configuration: String { prefix + "_CONFIG" }
    var pager: String { prefix + "_PAGER" }
    var keyPassphrase: String { prefix + "_KEY_PASSPHRASE" }

    func server(of api: any API.Type) -> String { "\(prefix)_\(Self.name(api.name))_ENV" }
    func url(of api: any API.Type) -> String { "\(prefix)_\(Self.name(api.name))_URL" }

    private static func name(_ text: String) -> String {
        text.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}

/// A credential that an API declares.
struct DeclaredCredential {
    let credential: Credential
    /// What needs it: `movies`, `movies on staging`, `movies.rate`.
    let owner: String
    /// The server that has it instead of the API's own; nil for all others.
    var server: String?
}

extension API {
    /// The name, and what the API is.
    static var title: String { name + (summary.isEmpty ? "" : ": " + summary) }

    /// The credentials of `endpoint`, or of the API with those that its servers have instead.
    static func declaredCredentials(of endpoint: EndpointDeclaration? = nil) -> [DeclaredCredential] {
        if let endpoint, let own = endpoint.endpoint.credentials {
            return own.map { DeclaredCredential(credential: $0, owner: endpoint.name) }
        }
        return credentials.map { DeclaredCredential(credential: $0, owner: name) }
            + servers.flatMap { server in
                (server.credentials ?? []).map {
                    DeclaredCredential(credential: $0, owner: "\(name) on \(server.name)", server: server.name)
                }
            }
    }
}

/// A variable that holds a credential.
struct CredentialVariable {
    let name: String
    /// What needs it.
    let owners: [String]
    /// The page where a person gets it; nil if none is known.
    let page: String?

    /// The variables of `apis`, their servers and their endpoints, each once, in the order of declaration.
    static func all(of apis: [any API.Type]) -> [CredentialVariable] {
        let uses = apis.flatMap(credentials).flatMap { declared in
            declared.credential.alternatives.flatMap { scheme in
                scheme.variables.map { ($0, declared.owner, scheme.source) }
            }
        }
        return uses.map(\.0).withoutRepetitions.map { name in
            let own = uses.filter { $0.0 == name }
            return CredentialVariable(name: name, owners: own.map(\.1).withoutRepetitions, page: own[0].2)
        }
    }

    static func credentials(of api: any API.Type) -> [DeclaredCredential] {
        let endpoints = ((try? EndpointDeclaration.all(of: api)) ?? []).filter { $0.endpoint.credentials != nil }
        return api.declaredCredentials() + endpoints.flatMap { api.declaredCredentials(of: $0) }
    }
}

extension Credential.Scheme {
    /// The scheme in a few words: `query api_key from TMDB_API_KEY`.
    var sentence: String {
        let place =
            httpScheme == "basic"
            ? "basic authentication" : isQuery ? "query \(name)" : "header \(name): \(prefix)…"
        return place + " from " + variables.joined(separator: " and ")
    }
}

extension Sequence where Element: Hashable {
    /// The elements, each where it is first.
    var withoutRepetitions: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
