import EndpointKit

/// A value of `--color`: when output is coloured.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

extension ProcessEnvironment {
    /// Returns whether text on an output is coloured. The first of these that says something decides:
    ///
    /// 1. `always` or `never` in `--color` or the configuration
    /// 2. `NO_COLOR`, if it is set: no colours
    /// 3. `CLICOLOR_FORCE`, if it is set and not 0: colours
    /// 4. whether `output` is a terminal that can show colours
    ///
    /// - Parameters:
    ///   - choice: The value of `--color`; nil if it is not given.
    ///   - output: The output.
    ///   - isForPrograms: Whether the text is for other programs, such as JSON. Then `CLICOLOR_FORCE` does not count,
    ///     because colours would spoil a file.
    func isColored(_ choice: ColorChoice?, _ output: any ByteOutput, isForPrograms: Bool = false) -> Bool {
        switch choice ?? color {
        case .always: return true
        case .never: return false
        case .auto:
            if isSet("NO_COLOR") { return false }
            if !isForPrograms, isSet("CLICOLOR_FORCE"), variable("CLICOLOR_FORCE") != "0" { return true }
            return output.isTerminal && variable("TERM") != "dumb"
        }
    }
}
