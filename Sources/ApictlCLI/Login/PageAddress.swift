extension String {
    /// Whether the text is the http address of a page that a person may be asked to open.
    ///
    /// The text may come from a server. It is shown in a terminal and becomes an argument of the program that opens it,
    /// so that only visible ASCII characters are allowed.
    var isPageAddress: Bool {
        let hasScheme = hasPrefix("https://") || hasPrefix("http://")
        return hasScheme && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
