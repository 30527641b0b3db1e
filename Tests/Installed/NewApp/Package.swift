// swift-tools-version: 6.0
import PackageDescription

// As Xcode 26 sets up a new project: the main actor by default. Compilers before 6.2 do not know it.
#if compiler(>=6.2)
let settings: [SwiftSetting] = [
    .unsafeFlags(["-default-isolation", "MainActor"]), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
#else
let settings: [SwiftSetting] = []
#endif

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
