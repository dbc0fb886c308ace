import Foundation
import TestSupport
import Testing

/// Runs scripts with the shells of this machine.
enum Shell {
    /// The usual shells that this machine has. `make integration` tries others.
    static let paths = ["/bin/sh", "/bin/bash"].filter { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs `script` from a file, so that it may be longer than an argument and have any bytes.
    static func run(
        _ script: [UInt8], shell: String = "/bin/sh", environment: [String: [UInt8]] = [:],
        in directory: TemporaryDirectory
    ) throws -> ChildProcess.Result {
        let assignments = environment.sorted { $0.key < $1.key }.map { name, value in
            Array("export \(name)='".utf8) + value.flatMap { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }
                + Array("'\n".utf8)
        }
        let file = try directory.write("script-\(UUID().uuidString)", assignments.joined() + script)
        return try ChildProcess.run(
            shell, [file],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": directory.path],
            in: directory.path)
    }
}

extension Trait where Self == ConditionTrait {
    /// A test that runs the program curl: part of `make integration`, which sees to it that there is one.
    static var runsCurl: Self {
        .enabled(if: ProcessInfo.processInfo.environment["APICTL_TEST_CURL"] != nil, "make integration runs it")
    }
}

/// A directory that goes away with its last user.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "apictl-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// The text of each file, by name.
    func contents() throws -> [String: String] { try Self.contents(of: path) }

    static func contents(of path: String) throws -> [String: String] {
        try FileManager.default.contentsOfDirectory(atPath: path).reduce(into: [:]) { result, name in
            result[name] = FileManager.default.contents(atPath: path + "/" + name).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
