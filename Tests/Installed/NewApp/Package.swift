// swift-tools-version: 6.2
import PackageDescription

// As a new project is set up: the main actor by default.
let settings: [SwiftSetting] = [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "new-app",
    platforms: [.iOS(.v16), .macOS(.v14)],
    dependencies: [
        .package(url: "https://git.example.com/acme/landfall.git", from: "0.1.0")
    ],
    targets: [
        .target(name: "Shop", dependencies: [.product(name: "Landfall", package: "landfall")], swiftSettings: settings),
        .testTarget(
            name: "ShopTests",
            dependencies: ["Shop", .product(name: "LandfallTesting", package: "landfall")],
            swiftSettings: settings
        ),
    ]
)
