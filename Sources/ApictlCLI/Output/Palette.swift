import JSONText

extension ProcessEnvironment {
    /// The palette for `output`: `--color`, then NO_COLOR, then CLICOLOR_FORCE, then whether it is a terminal.
    func palette(_ choice: ColorChoice, for output: any ByteOutput) -> JSONPalette? {
        let isColored =
            switch choice {
            case .always: true
            case .never: false
            case .auto:
                !isSet("NO_COLOR")
                    && (isSet("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE") != "0"
                        || output.isTerminal && variable("TERM") != "dumb")
            }
        return isColored ? .standard : nil
    }
}
