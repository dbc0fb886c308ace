import CSystem

/// The functions of libyaml 0.2. The library is loaded when the first YAML text is read.
///
/// `@unchecked Sendable`: the table of functions is never changed or freed after it has been filled.
package struct LibYAML: @unchecked Sendable {
    /// The table of the library's functions.
    let functions: UnsafePointer<CYAMLFunctions>

    /// The names of the library in the order in which they are tried.
    #if canImport(Darwin)
    // The loader does not search Homebrew's directories: the first is that of Apple silicon, the second of Intel.
    static let names = ["libyaml.dylib", "/opt/homebrew/lib/libyaml.dylib", "/usr/local/lib/libyaml.dylib"]
    #else
    static let names = ["libyaml-0.so.2"]
    #endif

    /// The system's libyaml, or the reason why it can't be loaded. It stays loaded.
    package static let shared = Result<LibYAML, LibYAMLError> { () throws(LibYAMLError) in try load(from: names) }

    /// Loads the first library that is installed.
    ///
    /// - Parameter names: The file names or paths of the library, in the order in which they are tried.
    /// - Throws: ``LibYAMLError`` if none can be loaded, or if the first that can is not libyaml 0.2.
    static func load(from names: [String]) throws(LibYAMLError) -> LibYAML {
        let functions = UnsafeMutablePointer<CYAMLFunctions>.allocate(capacity: 1)
        var reasons: [String] = []
        for name in names {
            // `cyaml_load` returns nil after success, the name of a missing function, or an empty text if there is no
            // library with the name.
            guard let failure = cyaml_load(name, functions) else {
                try checkVersion(of: functions.pointee, libraryName: name)
                return LibYAML(functions: functions)
            }
            let missingFunction = String(cString: failure)
            if !missingFunction.isEmpty { throw .missingFunction(missingFunction, library: name) }
            reasons.append(clibrary_failure().map { String(cString: $0) } ?? name)
        }
        functions.deallocate()
        throw .notLoaded(reasons: reasons)
    }

    /// Checks that a library has the version whose structures `CYAML.h` declares.
    ///
    /// Reading the structures of another version would be undefined behaviour.
    ///
    /// - Parameters:
    ///   - functions: The functions of the library.
    ///   - name: The name of the library. The error contains it.
    /// - Throws: ``LibYAMLError/unsupportedVersion(_:library:)`` for any version but 0.2.
    private static func checkVersion(of functions: CYAMLFunctions, libraryName name: String) throws(LibYAMLError) {
        var major: Int32 = 0
        var minor: Int32 = 0
        var patch: Int32 = 0
        functions.get_version(&major, &minor, &patch)
        guard isSupported(major: major, minor: minor) else {
            throw .unsupportedVersion("\(major).\(minor).\(patch)", library: name)
        }
    }

    /// Whether `CYAML.h` declares the structures of a version. It declares those of 0.2.
    static func isSupported(major: Int32, minor: Int32) -> Bool { major == 0 && minor == 2 }
}

/// The reason why YAML can't be read on this system.
package enum LibYAMLError: Error, Equatable, CustomStringConvertible {
    /// No library could be loaded.
    ///
    /// - Parameter reasons: The loader's message for each name that was tried.
    case notLoaded(reasons: [String])
    /// The library lacks a function.
    case missingFunction(String, library: String)
    /// The library is another version than 0.2.
    case unsupportedVersion(String, library: String)

    /// The commands that install the library.
    private static let advice =
        "install it: apt-get install libyaml-0-2 (Debian, Ubuntu), dnf install libyaml (Fedora), "
        + "brew install libyaml (macOS)"

    package var description: String {
        switch self {
        case .notLoaded(let reasons):
            "reading YAML needs libyaml, which can't be loaded (\(reasons.joined(separator: "; "))); \(Self.advice)"
        case .missingFunction(let function, let library):
            "reading YAML needs libyaml 0.2, but \(library) lacks \(function); \(Self.advice)"
        case .unsupportedVersion(let version, let library):
            "reading YAML needs libyaml 0.2, but \(library) is version \(version); \(Self.advice)"
        }
    }
}
