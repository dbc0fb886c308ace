// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Requests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "apictl", path: "../../..")],
    targets: [
        .executableTarget(
            name: "requests",
            dependencies: [
                .product(name: "EndpointKit", package: "apictl"), .product(name: "CurlTransport", package: "apictl"),
            ]),
        .executableTarget(
            name: "coding",
            dependencies: [.product(name: "EndpointKit", package: "apictl")],
            exclude: ["Models/GitHub.swift"]),
    ]
)
