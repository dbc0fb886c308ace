/// Runs a program and reads what it prints.
package enum CommandOutput {
    package enum Failure: Error, Sendable, Equatable {
        /// It could not be started.
        case notStarted(SystemError)
        /// It took longer than allowed and was killed.
        case timedOut
        case exited(Int32)
        case killed(signal: Int32)
        /// It printed more than allowed.
        case tooLong
    }

    /// What the program prints on stdout, at most `most` bytes; its stdin is empty, its stderr this process's.
    ///
    /// `words` are the program, which is looked up in PATH, and its arguments. Throws ``Failure``.
    package static func of(_ words: [String], within limit: Duration, most: Int) throws(Failure) -> [UInt8] {
        let pipe: (reading: Int32, writing: Int32)
        do { pipe = try Descriptor.makePipe() } catch { throw .notStarted(error) }
        defer { SystemCall.close(pipe.reading) }
        let child: pid_t
        do throws(SystemError) {
            defer { SystemCall.close(pipe.writing) }
            child = try ChildProgram.start(words, output: pipe.writing)
        } catch {
            throw .notStarted(error)
        }
        do throws(Failure) {
            let output = try read(pipe.reading, until: .now + limit, most: most)
            let status = ChildProgram.wait(child)
            if status & 0x7F != 0 { throw Failure.killed(signal: status & 0x7F) }
            if status >> 8 & 0xFF != 0 { throw Failure.exited(status >> 8 & 0xFF) }
            return output
        } catch {
            // It may have ended already; then this does nothing.
            if error == .timedOut || error == .tooLong {
                kill(child, SIGKILL)
                _ = ChildProgram.wait(child)
            }
            throw error
        }
    }

    private static func read(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant, most: Int
    ) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            guard Descriptor.wait(for: .readable, of: descriptor, until: deadline) else { throw .timedOut }
            // An error on a pipe of this process is the end of it.
            let count = buffer.withUnsafeMutableBytes { (try? Descriptor.read(descriptor, into: $0)) ?? 0 }
            if count == 0 { return output }
            output += buffer[..<count]
            if output.count > most { throw .tooLong }
        }
    }
}
