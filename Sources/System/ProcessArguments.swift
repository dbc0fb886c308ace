import CArguments

/// The arguments of this process.
package enum ProcessArguments {
    /// All but the program's name, as bytes; nil if nobody tells them.
    package static func read() -> [[UInt8]]? {
        var vector = UnsafeBufferPointer(start: carguments_vector(), count: Int(carguments_count())).map { $0 }
        if vector.isEmpty {
            // The vector is the runtime's own, with `argc` valid entries that live as long as the process.
            let entries = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
            vector = entries.compactMap(\.self)
        }
        guard !vector.isEmpty else { return nil }
        return vector.dropFirst().map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
}
