import APIImport
import EndpointKit

/// The package around a directory in `Endpoints/`, with the lists that an API belongs to.
struct ImportProject {
    /// The API's directory in `Endpoints/`.
    private let name: String
    private let catalogue: (path: String, text: String)
    private let package: (path: String, text: String)
    /// The names of the other Swift files in `Endpoints/`, of which a target can have one each.
    let fileNames: Set<String>
    /// The names of those and of the types in them.
    let names: Set<String>
    /// The enums in the list of APIs.
    let apis: Set<String>
    private let others: [String]

    /// The project of a directory or file that is not a part of it yet; nil if it is not in `Endpoints` with a catalogue, in a package.
    init?(_ path: String, _ files: any FileSystem) {
        func text(_ path: String) -> (path: String, text: String)? {
            (try? files.readAll(path)).map { (path, String(exactBytes: $0)) }
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let place = parts.dropLast().lastIndex(of: "Endpoints") else { return nil }
        let parent = parts[...place].joined(separator: "/")
        let root = parts[..<place].map { $0 + "/" }.joined()
        guard let catalogue = text("\(parent)/Catalogue.swift"), let package = text("\(root)Package.swift") else {
            return nil
        }
        (self.catalogue, self.package) = (catalogue, package)
        name = parts[(place + 1)...].joined(separator: "/")
        apis = Set(
            catalogue.text.split(separator: ".self").dropLast().compactMap {
                $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last.map(String.init)
            })
        others = files.directories(in: parent).filter { !"\($0)/".hasPrefix(path + "/") }
            .flatMap(files.swiftFiles).filter { $0 != path }
        fileNames = Set(others.map { String($0.split(separator: "/").last ?? "") })
        names = files.typeNames(in: others).union(fileNames.map { String($0.dropLast(6)) })
    }

    /// The names of the APIs in the other Swift files.
    func apiNames(_ files: any FileSystem) -> Set<String> { files.apiNames(in: others) }

    /// The two files with an API in them, or with those of a document, which have a list; nil if it is not sure where they belong.
    func adding(_ type: String, hasList: Bool = false, hasSamples: Bool = false) -> [(path: String, text: String)]? {
        let entry = type + (hasList ? ".apis" : ".self")
        let start = "apis: [any API.Type] ="
        var manifest = package.text
        guard let list = SwiftFile.adding(entry, isTerm: hasList, after: start, in: catalogue.text) else { return nil }
        if hasList, manifest.firstRange(of: "\"\(name)/import.json\"") == nil {
            // Nothing is compiled of it.
            let record = "\"\(name)/import.json\""
            guard let target = manifest.firstRange(of: "path: \"Endpoints\","),
                let next = manifest[target.upperBound...].firstIndex(where: { !$0.isWhitespace })
            else { return nil }
            let blanks = manifest[target.upperBound..<next]
            if !manifest[next...].hasPrefix("exclude: [") {
                manifest.insert(contentsOf: "exclude: []," + blanks, at: next)
            }
            let start = String(manifest[target] + blanks) + "exclude:"
            guard let longer = SwiftFile.adding(record, after: start, in: manifest) else { return nil }
            manifest = longer
        }
        let line = ".embedInCode(\"\(name)/Samples\"),"
        if hasSamples, manifest.firstRange(of: line) == nil {
            guard let last = manifest.ranges(of: ".embedInCode(\"").last,
                let end = manifest[last.lowerBound...].firstIndex(of: "\n"),
                let start = manifest[..<last.lowerBound].lastIndex(of: "\n")
            else { return nil }
            manifest.insert(contentsOf: manifest[start..<last.lowerBound] + line, at: end)
        }
        return [(path: catalogue.path, text: list), (path: package.path, text: manifest)]
            .filter { $0.text != catalogue.text && $0.text != package.text }
    }
}

extension FileSystem {
    /// A directory, and those in it.
    fileprivate func directories(in directory: String) -> [String] {
        let inner = (try? list(directory, directories: true)) ?? []
        return [directory] + inner.flatMap { directories(in: "\(directory)/\($0)") }
    }

    /// The Swift files of a directory, which may not exist.
    func swiftFiles(in directory: String) -> [String] {
        ((try? list(directory)) ?? []).filter { $0.hasSuffix(".swift") }.map { "\(directory)/\($0)" }
    }

    /// The names of the types in Swift files, without those that are in another type.
    func typeNames(in files: [String]) -> Set<String> {
        files.compactMap { try? readAll($0) }.reduce(into: []) { names, text in
            names.formUnion(SwiftFile(String(exactBytes: text)).typeNames(areInner: false))
        }
    }

    /// The names that APIs in Swift files have.
    func apiNames(in files: [String]) -> Set<String> {
        let texts = files.compactMap { try? readAll($0) }.map { String(exactBytes: $0) }
        return Set(
            texts.flatMap { $0.split(separator: "static let name = \"", omittingEmptySubsequences: false).dropFirst() }
                .map { String($0.prefix { $0 != "\"" }) })
    }
}
