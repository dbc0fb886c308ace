/// The pages where a person gets credentials.
enum CredentialPages {
    /// `TMDB_API_KEY or TMDB_ACCESS_TOKEN: https://…` for each page; `variables` are those of the alternatives, `pages` theirs if known.
    static func lines(_ variables: [[String]], _ pages: [String?]) -> [String] {
        var found: [(page: String, names: [String])] = []
        for (variables, page) in zip(variables, pages) {
            guard let page else { continue }
            let name = variables.joined(separator: " and ")
            if let index = found.firstIndex(where: { $0.page == page }) {
                found[index].names.append(name)
            } else {
                found.append((page, [name]))
            }
        }
        return found.map { "\($0.names.joined(separator: " or ")): \($0.page)" }
    }
}
