// swift-tools-version: 6.0
import PackageDescription

// The cost of the SDK for a phone. This is a separate package, which builds the SDK and no part of the server.
let package = Package(
    name: "landfall-phone-benchmarks",
    platforms: [.iOS(.v16), .macOS(.v14)],
    dependencies: [.package(name: "landfall", path: "../..")],
    targets: [
        .executableTarget(name: "PhoneCalls", dependencies: [.product(name: "Landfall", package: "landfall")]),
        .executableTarget(name: "PhonePaths", dependencies: [.product(name: "Landfall", package: "landfall")]),
        .executableTarget(name: "WithLandfall", dependencies: [.product(name: "Landfall", package: "landfall")]),
        .executableTarget(name: "WithoutLandfall"),
    ],
    swiftLanguageModes: [.v6]
)
