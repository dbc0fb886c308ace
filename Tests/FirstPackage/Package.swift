// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "todo",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "apictl", path: "../..")],
    targets: [
        .target(name: "Todos", dependencies: [.product(name: "EndpointKit", package: "apictl")]),
        .executableTarget(
            name: "todo",
            dependencies: [
                "Todos", .product(name: "ApictlCLI", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ]),
        .testTarget(
            name: "TodosTests",
            dependencies: [
                "Todos", .product(name: "EndpointTools", package: "apictl"),
                .product(name: "MockServer", package: "apictl"),
                .product(name: "URLSessionTransport", package: "apictl"),
            ]),
    ]
)
