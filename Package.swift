// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "apictl",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .executable(name: "apictl", targets: ["apictl"]),
        .library(name: "EndpointKit", targets: ["EndpointKit"]),
        .library(name: "EndpointTools", targets: ["EndpointTools"]),
        .library(name: "JSONText", targets: ["JSONText"]),
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
        .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
        .library(name: "ApictlCLI", targets: ["ApictlCLI"]),
        .library(name: "MockServer", targets: ["MockServer"]),
    ],
    targets: [
        .target(name: "CSystem"),
        .target(name: "Locking"),
        .target(name: "JSONText", dependencies: ["CSystem"]),
        .target(name: "EndpointKit", dependencies: ["JSONText", "Locking"]),
        .target(name: "EndpointTools", dependencies: ["EndpointKit", "JSONText", "Locking"]),
        .target(name: "SystemCalls", dependencies: ["CSystem", "Locking"], path: "Sources/System"),
        .target(name: "CurlTransport", dependencies: ["EndpointKit", "SystemCalls", "CSystem"]),
        .target(name: "URLSessionTransport", dependencies: ["EndpointKit", "Locking"]),
        .target(
            name: "MockServer", dependencies: ["EndpointTools", "EndpointKit", "JSONText", "Locking", "SystemCalls"]),
        .target(name: "OpenAPI", dependencies: ["EndpointTools", "EndpointKit", "JSONText", "CSystem"]),
        .target(name: "APIImport", dependencies: ["OpenAPI", "EndpointTools", "EndpointKit", "JSONText"]),
        .target(
            name: "ApictlCLI",
            dependencies: [
                "APIImport", "OpenAPI", "EndpointTools", "EndpointKit", "JSONText", "MockServer", "SystemCalls",
            ],
            resources: [
                .embedInCode("Agents/skill.md"),
                .embedInCode("Commands/Completions/completion.bash"),
                .embedInCode("Commands/Completions/completion.fish"),
                .embedInCode("Commands/Completions/completion.zsh"),
                .embedInCode("Documents/docs.html"),
            ]),
        .target(
            name: "Endpoints", dependencies: ["EndpointKit"], path: "Endpoints",
            resources: [.embedInCode("Samples")]),
        .executableTarget(name: "apictl", dependencies: ["ApictlCLI", "CurlTransport", "Endpoints"]),

        .target(
            name: "TestSupport", dependencies: ["EndpointTools", "EndpointKit", "JSONText", "MockServer"],
            path: "Tests/TestSupport"),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"]),
        .testTarget(name: "EndpointKitTests", dependencies: ["EndpointKit", "JSONText", "TestSupport"]),
        .testTarget(
            name: "EndpointToolsTests", dependencies: ["EndpointTools", "EndpointKit", "JSONText", "TestSupport"]),
        .testTarget(
            name: "OpenAPITests",
            dependencies: ["OpenAPI", "EndpointTools", "EndpointKit", "JSONText", "TestSupport"]),
        .testTarget(
            name: "APIImportTests",
            dependencies: ["APIImport", "EndpointTools", "EndpointKit", "JSONText", "TestSupport"]),
        .testTarget(
            name: "CurlTransportTests",
            dependencies: ["CurlTransport", "EndpointKit", "MockServer", "SystemCalls", "TestSupport"]),
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: ["URLSessionTransport", "EndpointKit", "MockServer", "TestSupport"]),
        .testTarget(
            name: "MockServerTests", dependencies: ["MockServer", "EndpointTools", "EndpointKit", "TestSupport"]),
        .testTarget(
            name: "ApictlCLITests",
            dependencies: [
                "apictl", "APIImport", "ApictlCLI", "CurlTransport", "EndpointKit", "EndpointTools", "Endpoints",
                "JSONText", "MockServer", "OpenAPI", "SystemCalls", "TestSupport",
            ],
            exclude: ["Catalogue/Golden", "Documents/Golden"]),
        .testTarget(
            name: "EndpointsTests",
            dependencies: ["Endpoints", "EndpointTools", "EndpointKit", "JSONText", "TestSupport"]),
        .testTarget(name: "ReadmeTests", dependencies: ["apictl", "JSONText", "MockServer", "TestSupport"]),
    ]
)
