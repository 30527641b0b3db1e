// swift-tools-version: 6.0
import PackageDescription

// As in the SDK's own manifest: set by this repository's scripts alone.
let isStrict = Context.environment["LANDFALL_STRICT"] != nil

let strict: [SwiftSetting] =
    (isStrict ? [.unsafeFlags(["-warnings-as-errors"])] : []) + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

var live: [Target.Dependency] = [.product(name: "Landfall", package: "landfall")]
#if os(Linux)
// What apps pass to these names is of UIKit, SwiftUI and StoreKit: here stand-ins of them, so that these parts are compiled too.
let standIns: [Target.Dependency] = [.product(name: "AppleStandIns", package: "landfall")]
live += standIns
#else
let standIns: [Target.Dependency] = []
// AdServices, keychain and lifecycle: the parts that only Apple's platforms have.
live.append(.product(name: "LandfallApple", package: "landfall"))
#endif

// Apps' calls, compiled in each way in which projects compile. Apps have UIKit: here stand-ins of it.
var callSites: [Target] = []
#if os(Linux)
if isStrict {
    let ways: [(String, [SwiftSetting])] = [
        ("Swift5", [.swiftLanguageMode(.v5)]),
        ("Swift6", [.swiftLanguageMode(.v6)]),
        ("Swift5OnMainActor", [.swiftLanguageMode(.v5), .unsafeFlags(["-default-isolation", "MainActor"])]),
        ("Swift6OnMainActor", [.swiftLanguageMode(.v6), .unsafeFlags(["-default-isolation", "MainActor"])]),
    ]
    for (way, settings) in ways {
        callSites.append(
            .target(
                name: "AdaptyCallSites\(way)",
                dependencies: [
                    "Adapty", "AdaptyUI", "AdaptyLogger", "Adjust", .product(name: "Landfall", package: "landfall"),
                ] + standIns,
                path: "Tests/AdaptyCallSites/\(way)", swiftSettings: settings + [.unsafeFlags(["-warnings-as-errors"])]
            ))
        for (generation, module) in [("First", "Adjust"), ("Second", "AdjustSdk")] {
            callSites.append(
                .target(
                    name: "AdjustCallSites\(generation)\(way)",
                    dependencies: [.init(stringLiteral: module), .product(name: "AppleStandIns", package: "landfall")],
                    path: "Tests/AdjustCallSites/\(way)/\(generation)",
                    swiftSettings: settings + [.unsafeFlags(["-warnings-as-errors"])]
                ))
        }
    }
}
#endif

let package = Package(
    name: "landfall-names",
    platforms: [.iOS(.v16), .macOS(.v14), .macCatalyst(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Adapty", targets: ["Adapty"]),
        .library(name: "AdaptyLogger", targets: ["AdaptyLogger"]),
        .library(name: "AdaptyUI", targets: ["AdaptyUI"]),
        .library(name: "Adjust", targets: ["Adjust"]),
        .library(name: "AdjustHeaders", targets: ["AdjustHeaders"]),
        .library(name: "AdjustSdk", targets: ["AdjustSdk"]),
    ],
    dependencies: [
        .package(name: "landfall", path: "..")
    ],
    targets: callSites + [
        // What all names share: the app's server and key, and its one client.
        .target(name: "LandfallAppClient", dependencies: live, swiftSettings: strict),
        .target(name: "AdaptyLogger", swiftSettings: strict),
        .target(name: "Adapty", dependencies: live + ["AdaptyLogger", "LandfallAppClient"], swiftSettings: strict),
        .target(name: "AdaptyUI", dependencies: ["Adapty"] + standIns, swiftSettings: strict),
        .target(
            name: "Adjust", dependencies: [.product(name: "Landfall", package: "landfall"), "LandfallAppClient"],
            swiftSettings: strict),
        // <Adjust/Adjust.h> and <AdjustSdk/AdjustSdk.h> for Objective-C.
        .target(name: "AdjustHeaders", dependencies: ["Adjust"]),
        // The module's name in the vendor's second generation.
        .target(name: "AdjustSdk", dependencies: ["Adjust"], swiftSettings: strict),
        .testTarget(
            name: "AdjustTests",
            dependencies: [
                "Adapty", "Adjust", "AdjustSdk", "LandfallAppClient",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallTesting", package: "landfall"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AdaptyTests",
            dependencies: standIns + [
                "Adapty", "AdaptyUI", "AdaptyLogger",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallTesting", package: "landfall"),
            ],
            swiftSettings: strict
        ),
    ]
)
