import Foundation
import TestSupport

/// Runs scripts with the shells of this machine.
enum Shell {
    /// The shells that every system has; `make integration` tries others.
    static let paths = ["/bin/sh", "/bin/bash"]

    /// Runs `script` from a file: it may be longer than an argument and hold any byte.
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

/// A directory that goes away with its last user.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "apictl-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and gives its path.
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}
