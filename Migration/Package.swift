// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

var live: [Target.Dependency] = [.product(name: "Landfall", package: "landfall")]
#if !os(Linux)
// AdServices, keychain and lifecycle: the parts that only Apple's platforms have.
live.append(.product(name: "LandfallApple", package: "landfall"))
#endif

let package = Package(
    name: "landfall-names",
    platforms: [.iOS(.v16), .macOS(.v14)],
    products: [
        .library(name: "Adapty", targets: ["Adapty"]),
        .library(name: "Adjust", targets: ["Adjust"]),
    ],
    dependencies: [
        .package(name: "landfall", path: "..")
    ],
    targets: [
        .target(name: "Adapty", dependencies: live, swiftSettings: strict),
        .target(name: "Adjust", dependencies: [.product(name: "Landfall", package: "landfall")], swiftSettings: strict),
        .testTarget(
            name: "AdjustTests",
            dependencies: [
                "Adapty", "Adjust",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallTesting", package: "landfall"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AdaptyTests",
            dependencies: [
                "Adapty",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallTesting", package: "landfall"),
            ],
            swiftSettings: strict
        ),
    ]
)
