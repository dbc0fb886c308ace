import Testing

@testable import OpenAPI

/// Loading libyaml, and the advice if it can't be loaded.
@Suite struct LibYAMLTests {
    @Test func missingLibraryIsNamedWithItsPackage() {
        let error = #expect(throws: LibYAMLError.self) { try LibYAML.load(from: ["libno-such-yaml.so.2"]) }
        let text = error?.description ?? ""
        #expect(text.contains("libno-such-yaml.so.2"))
        #expect(text.contains("apt-get install libyaml-0-2"))
        #expect(text.contains("brew install libyaml"))
    }

    @Test func secondNameIsTried() throws {
        _ = try LibYAML.load(from: ["libno-such-yaml.so.2"] + LibYAML.names)
    }

    @Test func libraryWithoutTheFunctionsIsNamed() {
        #if canImport(Darwin)
        let name = "libSystem.B.dylib"
        #else
        let name = "libdl.so.2"
        #endif
        #expect(throws: LibYAMLError.missingFunction("yaml_get_version", library: name)) {
            try LibYAML.load(from: [name])
        }
    }

    @Test(arguments: [(0, 2, true), (0, 1, false), (0, 3, false), (1, 2, false)])
    func versionIsChecked(_ major: Int32, _ minor: Int32, _ isSupported: Bool) {
        #expect(LibYAML.isSupported(major: major, minor: minor) == isSupported)
    }
}
