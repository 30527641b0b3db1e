// swift-tools-version: 6.0
import PackageDescription

// What the SDK costs a phone. A package of its own, which builds the SDK and nothing of the server.
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
