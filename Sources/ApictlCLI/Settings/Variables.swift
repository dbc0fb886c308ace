import EndpointKit
import Synchronization
import SystemCalls

/// Variables from the process, then from files, then from the sources that the configuration names.
final class Variables: Sendable {
    private let environment: ProcessEnvironment
    private let files: [String: String]
    private let sources: [String: CredentialSource]
    /// Relative paths of files start here; with a slash at the end.
    private let directory: String
    private let known = Mutex<[String: Result<String, CredentialSourceFailure>]>([:])

    init(_ environment: ProcessEnvironment, files: [String: String], configuration: Configuration?) {
        self.environment = environment
        self.files = files
        sources = configuration?.sources ?? [:]
        let path = configuration?.path ?? ""
        directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Where a variable's value comes from.
    enum Origin: Equatable {
        case process, file
        case source(CredentialSource)
    }

    /// Where the value of `name` comes from; nil if it is not set.
    func origin(_ name: String) -> Origin? {
        if environment.isSet(name) { return .process }
        if files[name]?.isEmpty == false { return .file }
        return sources[name].map { .source($0) }
    }

    /// The value of `name`; nil if there is none. A source is asked once; a command is run only until `deadline`, never without one.
    func value(_ name: String, commandsUntil deadline: ContinuousClock.Instant? = nil) -> String? {
        switch origin(name) {
        case nil, .process: return environment.variable(name)
        case .file: return files[name]
        case .source(.command) where deadline == nil: return nil
        case .source(let source):
            // The lock is held meanwhile: two tasks must not run the same command.
            return known.withLock { known in
                let result = known[name] ?? read(name, source, deadline)
                known[name] = result
                return try? result.get()
            }
        }
    }

    /// The command that would give the value of `name`, as a sentence; nil if it comes from elsewhere.
    func command(for name: String) -> String? {
        guard case .source(let source) = origin(name), case .command = source else { return nil }
        return source.sentence
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
        let left = deadline.map { max($0 - .now, .zero) } ?? CredentialSource.timeLimit
        var failure = CredentialSourceFailure(variable: name, source: source, reason: "it is empty")
        do {
            let value: String
            switch source {
            case .variable(let other):
                guard let text = environment.value(other) ?? files[other] else {
                    failure.reason = "it is not set"
                    return .failure(failure)
                }
                value = text
            case .file(let path):
                let path = absolute(path)
                value = try Self.text(
                    environment.files.open(path).readAll(name: path, limit: CredentialSource.longestValue))
            case .command(let words):
                value = Self.text(try environment.commandOutput(words, min(left, CredentialSource.timeLimit)))
            case .text:
                failure.reason = CredentialSource.refusal
                return .failure(failure)
            }
            if !value.isEmpty { return .success(value) }
        } catch let error as FileError {
            failure.reason = error.reason
        } catch CommandOutput.Failure.timedOut where left < CredentialSource.timeLimit {
            failure.reason = "it took longer than --max-time allows"
            failure.isTimeout = true
        } catch let error as CommandOutput.Failure {
            failure.reason = error.sentence
        } catch {
            failure.reason = "\(error)"
        }
        return .failure(failure)
    }

    private func absolute(_ path: String) -> String {
        if path.hasPrefix("~/"), let home = environment.value("HOME") { return home + path.dropFirst() }
        return path.hasPrefix("/") ? path : directory + path
    }

    /// The text without the line break at its end.
    private static func text(_ bytes: [UInt8]) -> String {
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(exactBytes: bytes)
    }
}

extension CommandOutput.Failure {
    fileprivate var sentence: String {
        switch self {
        case .notStarted(let error): error.inSentence
        case .timedOut: "it took longer than \(CredentialSource.timeLimit.shown)"
        case .exited(let code): "it ended with exit code \(code)"
        case .killed(let signal): "it was ended by signal \(signal)"
        case .tooLong: "it printed more than \(ByteCountText.shown(CredentialSource.longestValue))"
        }
    }
}

/// Where the value of a credential comes from if its own variable is not set.
enum CredentialSource: Decodable, Sendable, Equatable {
    /// Another variable.
    case variable(String)
    /// The content of a file, without the line break at its end.
    case file(String)
    /// What a command prints, without the line break at its end.
    case command([String])
    /// A text, which is refused: it may be the secret itself.
    case text

    /// How long a command may take.
    static let timeLimit = Duration.seconds(10)
    /// The longest value, in bytes.
    static let longestValue = 65_536

    private enum CodingKeys: String, CodingKey { case variable, file, command }

    init(from decoder: any Decoder) throws {
        self = .text
        if (try? decoder.singleValueContainer().decode(String.self)) != nil { return }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let sources: [CredentialSource] = [
            try container.decodeIfPresent(String.self, forKey: .variable).map { .variable($0) },
            try container.decodeIfPresent(String.self, forKey: .file).map { .file($0) },
            try container.decodeIfPresent([String].self, forKey: .command).map { .command($0) },
        ].compactMap(\.self)
        guard sources.count == 1, sources[0] != .command([]) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: Self.expectation))
        }
        self = sources[0]
    }

    private static let expectation = #"{"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#

    /// Why a text is refused. The text itself is not shown.
    static let refusal =
        "a secret must not be in this file, which may end up in backups and repositories; expected \(expectation)"

    /// Where the value comes from, for `config`.
    var sentence: String {
        switch self {
        case .variable(let name): "variable \(name)"
        case .file(let path): "file \(path)"
        case .command(let words): "command \(words.joined(separator: " "))"
        case .text: "text"
        }
    }
}

/// The source of a credential gave no value.
struct CredentialSourceFailure: Error, Equatable {
    /// The variable that the value is for.
    let variable: String
    let source: CredentialSource
    var reason: String
    /// Whether the time limit of the whole run was over.
    var isTimeout = false

    var sentence: String { "no value for \(variable) from \(source.sentence): \(reason)" }
}

/// The names of the tool's own environment variables, which start with the tool's name: `APICTL_ENV`, `PETCTL_ENV`.
struct VariableNames: Sendable {
    private let prefix: String

    init(tool: String) { prefix = Self.name(tool) }

    /// The variable that chooses the server, like `--env`.
    var server: String { prefix + "_ENV" }
    /// The variable with the path of the configuration file.
    var configuration: String { prefix + "_CONFIG" }
    /// The variable with the command that shows long texts on a terminal.
    var pager: String { prefix + "_PAGER" }
    /// The variable with the passphrase of a client certificate's key.
    var keyPassphrase: String { prefix + "_KEY_PASSPHRASE" }

    /// The variable that chooses the server of one API, like `--env`.
    func server(of api: any API.Type) -> String { "\(prefix)_\(Self.name(api.name))_ENV" }
    /// The variable with the base URL of one API, like `--base-url`.
    func url(of api: any API.Type) -> String { "\(prefix)_\(Self.name(api.name))_URL" }

    private static func name(_ text: String) -> String {
        text.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}
