/// A file that an option names for writing.
struct NamedOutput {
    /// The name of the option, without dashes.
    let option: String
    /// The path of the file; `-` is stdout. It is nil if the option is not given.
    let path: String?
}

extension UsageError {
    /// Checks that at most one of several words reads stdin, because stdin can be read only once.
    ///
    /// - Throws: ``UsageError`` about the second word that would read it.
    static func requireAtMostOneStdin(among words: [SourcedText]) throws(UsageError) {
        // Words from a configuration, which have no position, come first.
        let readersOfStdin = words.filter(\.isStdin).sorted { $0.source.position ?? 0 < $1.source.position ?? 0 }
        guard readersOfStdin.count > 1 else { return }
        throw UsageError("\(readersOfStdin[1].shown) would read stdin a second time")
    }

    /// Checks that options name different files to write, and none in the directory of `--record`.
    ///
    /// Files are the same if their paths lead to the same place, such as `x` and `./x`.
    ///
    /// - Parameters:
    ///   - outputs: The options that may name a file to write.
    ///   - recordDirectory: The directory of `--record`, in which files are written too; nil if there is none.
    ///   - files: The file system, which follows links.
    /// - Throws: ``UsageError`` for two options that name the same place.
    static func requireDistinctFiles(
        of outputs: [NamedOutput], recordDirectory: String? = nil, _ files: any FileSystem
    ) throws(UsageError) {
        var optionsByRealPath: [String: String] = [:]
        for output in outputs {
            guard let path = output.path else { continue }
            let option = "--\(output.option) \(path)"
            // Stdout has a path too, so that two options can't both write it.
            let realPath = files.realPath(path == "-" ? "/dev/stdout" : path)
            if let otherOption = optionsByRealPath[realPath] { throw conflict(otherOption, option) }
            optionsByRealPath[realPath] = option
            guard let recordDirectory else { continue }
            let outputDirectory = realDirectory(FilePlace.directory(of: realPath), files)
            if outputDirectory == realDirectory(recordDirectory, files) {
                throw conflict("--record \(recordDirectory)", option)
            }
        }
    }

    /// Returns the path to a directory without links and without a slash at the end, so that two paths to the same
    /// directory become equal. An empty path is the working directory.
    private static func realDirectory(_ path: String, _ files: any FileSystem) -> String {
        if path.isEmpty { return files.realPath(".") }
        let hasSlash = path.count > 1 && path.hasSuffix("/")
        return files.realPath(hasSlash ? String(path.dropLast()) : path)
    }
}
