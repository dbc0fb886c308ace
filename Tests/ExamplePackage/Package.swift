// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Pets",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "apictl", path: "../..")],
    targets: [
        .target(
            name: "Pets", dependencies: [.product(name: "EndpointKit", package: "apictl")],
            resources: [.embedInCode("Samples")]),
        .target(name: "Views"),
        .target(
            name: "Uses",
            dependencies: [
                .product(name: "EndpointKit", package: "apictl"), .product(name: "EndpointTools", package: "apictl"),
                .product(name: "MockServer", package: "apictl"),
                .product(name: "URLSessionTransport", package: "apictl"),
            ]),
        .target(name: "Servers", dependencies: [.product(name: "EndpointKit", package: "apictl")]),
        .target(
            name: "Routers",
            dependencies: [
                .product(name: "EndpointKit", package: "apictl"),
                .product(name: "URLSessionTransport", package: "apictl"),
            ]),
        .target(
            name: "PetScreens", dependencies: ["Pets", .product(name: "URLSessionTransport", package: "apictl")]),
        .target(
            name: "Bookshop",
            dependencies: [
                .product(name: "EndpointKit", package: "apictl"),
                .product(name: "URLSessionTransport", package: "apictl"),
            ],
            resources: [.embedInCode("Samples")]),
        .executableTarget(
            name: "petctl",
            dependencies: [
                "Pets", .product(name: "ApictlCLI", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ]),
        .executableTarget(
            name: "serverctl",
            dependencies: [
                "Servers", .product(name: "ApictlCLI", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ]),
        .executableTarget(
            name: "serverclient",
            dependencies: [
                "Servers", .product(name: "EndpointKit", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ]),
        .executableTarget(
            name: "widectl",
            dependencies: [
                .product(name: "EndpointKit", package: "apictl"), .product(name: "ApictlCLI", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ]),
        .executableTarget(
            name: "petapp",
            dependencies: [
                "Pets", "Views", .product(name: "URLSessionTransport", package: "apictl"),
                .product(name: "MockServer", package: "apictl"),
            ]),
        .testTarget(
            name: "PetScreenTests",
            dependencies: [
                "PetScreens", "Routers", .product(name: "EndpointTools", package: "apictl"),
                .product(name: "MockServer", package: "apictl"),
            ]),
        .testTarget(
            name: "BookshopTests", dependencies: ["Bookshop", .product(name: "MockServer", package: "apictl")]),
    ]
)
