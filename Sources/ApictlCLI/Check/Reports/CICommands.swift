extension ProcessEnvironment {
    /// Returns a text without the commands that GitHub Actions and Azure Pipelines find anywhere in a line, such as
    /// `##[error]`. Elsewhere, the text stays as it is.
    ///
    /// A server could otherwise control the CI system by the texts that it sends. Commands that must start a line
    /// with `::` are left, because no line of a report starts with a text of a server.
    func withoutCommands(_ text: String) -> String {
        guard isSet("GITHUB_ACTIONS") || isSet("TF_BUILD") else { return text }
        return text.replacingBytes(of: "##[", with: "## [").replacingBytes(of: "##vso[", with: "##vso [")
    }
}
