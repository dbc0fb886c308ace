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
    static func check(readers words: [SourcedText]) throws(UsageError) {
        let readers = words.filter(\.isStdin).sorted { $0.source.position ?? 0 < $1.source.position ?? 0 }
        if readers.count > 1 { throw UsageError("\(readers[1].shown) would read stdin a second time") }
    }

    /// Checks that options name different files to write, and none in the directory of `--record`.
    ///
    /// Files are the same if their paths lead to the same place, such as `x` and `./x`.
    ///
    /// - Parameter record: The directory of `--record`, which is written too; nil if there is none.
    /// - Throws: ``UsageError`` for two options that name the same place.
    static func check(
        outputs: [NamedOutput], record: String? = nil, _ files: any FileSystem
    ) throws(UsageError) {
        var ownersByPlace: [String: String] = [:]
        for output in outputs {
            guard let path = output.path else { continue }
            let words = "--\(output.option) \(path)"
            // Stdout has a path too, so that two options can't both write it.
            let place = files.realPath(path == "-" ? "/dev/stdout" : path)
            if let owner = ownersByPlace[place] { throw conflict(owner, words) }
            ownersByPlace[place] = words
            guard let record else { continue }
            let directory = realDirectory(FilePlace.directory(of: place), files)
            if directory == realDirectory(record, files) { throw conflict("--record \(record)", words) }
        }
    }

    /// Returns the path to a directory without links and without a slash at the end, so that equal directories have
    /// equal paths.
    private static func realDirectory(_ path: String, _ files: any FileSystem) -> String {
        if path.isEmpty { return files.realPath(".") }
        let hasSlash = path.count > 1 && path.hasSuffix("/")
        return files.realPath(hasSlash ? String(path.dropLast()) : path)
    }
}
