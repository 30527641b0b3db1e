// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// What new Xcode projects use: an app's code must compile with it as well as without.
let newProject: [SwiftSetting] =
    strict + [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]

var products: [Product] = [
    .library(name: "LandfallWire", targets: ["LandfallWire"]),
    .library(name: "Landfall", targets: ["Landfall"]),
    .library(name: "LandfallTesting", targets: ["LandfallTesting"]),
]
var standIns: [Target] = []
var appleDependencies: [Target.Dependency] = ["Landfall"]

#if os(Linux)
// No Apple SDK exists here: modules that declare just what the adapters use.
let standInNames = ["AdServices", "Network", "Security", "StoreKit", "SwiftUI", "UIKit", "UIKitCore"]
standIns = standInNames.map { name in
    let dependencies: [Target.Dependency] = name == "SwiftUI" || name == "UIKit" ? ["UIKitCore"] : []
    return .target(name: name, dependencies: dependencies, path: "Tests/AppleStandIns/\(name)", swiftSettings: strict)
}
appleDependencies += standInNames.map { .target(name: $0) }
// For the packages beside this one, whose code an app would compile against Apple's own.
products.append(.library(name: "AppleStandIns", targets: standInNames))
let privacyManifest = (excluded: ["PrivacyInfo.xcprivacy"], resources: [Resource]())
#else
products.append(.library(name: "LandfallApple", targets: ["LandfallApple"]))
let privacyManifest = (excluded: [String](), resources: [Resource.copy("PrivacyInfo.xcprivacy")])
#endif

let package = Package(
    name: "landfall",
    platforms: [.iOS(.v16), .macOS(.v14)],
    products: products,
    targets: standIns + [
        .target(name: "LandfallWire", swiftSettings: strict),
        .target(name: "Landfall", dependencies: ["LandfallWire"], swiftSettings: strict),
        .target(
            name: "LandfallApple",
            dependencies: appleDependencies,
            exclude: privacyManifest.excluded,
            resources: privacyManifest.resources,
            swiftSettings: strict
        ),
        .target(name: "LandfallTesting", dependencies: ["Landfall"], swiftSettings: strict),
        .testTarget(
            name: "LandfallWireTests",
            dependencies: ["LandfallWire"],
            exclude: ["Golden"],
            swiftSettings: strict
        ),
        .testTarget(name: "LandfallTests", dependencies: ["Landfall", "LandfallTesting"], swiftSettings: strict),
        .testTarget(
            name: "LandfallAppleTests",
            dependencies: ["LandfallApple", "LandfallTesting"] + standIns.map { .target(name: $0.name) },
            swiftSettings: strict
        ),
        .testTarget(
            name: "PublicAPITests",
            dependencies: ["LandfallApple", "LandfallTesting"] + standIns.map { .target(name: $0.name) },
            swiftSettings: strict
        ),
        .testTarget(
            name: "PublicAPIOnMainActorTests",
            dependencies: ["LandfallApple", "LandfallTesting"] + standIns.map { .target(name: $0.name) },
            swiftSettings: newProject
        ),
    ]
)
