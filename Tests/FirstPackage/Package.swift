// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "moviectl",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "apictl", path: "../..")],
    targets: [
        .target(
            name: "Movies",
            dependencies: [.product(name: "EndpointKit", package: "apictl")],
            resources: [.embedInCode("Samples")]),
        .executableTarget(
            name: "moviectl",
            dependencies: [
                "Movies", .product(name: "ApictlCLI", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ]),
        .testTarget(
            name: "MoviesTests",
            dependencies: [
                "Movies", .product(name: "EndpointTools", package: "apictl"),
                .product(name: "MockServer", package: "apictl"),
                .product(name: "URLSessionTransport", package: "apictl"),
            ]),
    ]
)
