// swift-tools-version: 6.0
import PackageDescription

// Set by this repository's scripts alone. An app that adds the package never sees a warning of ours as its error, and a
// package with unsafe flags could not be added at all.
let isStrict = Context.environment["LANDFALL_STRICT"] != nil

let strict: [SwiftSetting] =
    (isStrict ? [.unsafeFlags(["-warnings-as-errors"])] : []) + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

// What new Xcode projects use: an app's code must compile with it as well as without. Compilers before 6.2 do not know it.
#if compiler(>=6.2)
let newProject: [SwiftSetting] =
    strict + (isStrict ? [.unsafeFlags(["-default-isolation", "MainActor"])] : []) + [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault")
    ]
#else
let newProject = strict
#endif

var products: [Product] = [
    .library(name: "LandfallWire", targets: ["LandfallWire"]),
    .library(name: "Landfall", targets: ["Landfall"]),
    .library(name: "LandfallTesting", targets: ["LandfallTesting"]),
]
var standIns: [Target] = []
var standInTests: [Target] = []
var standInDependencies: [Target.Dependency] = []
var appleDependencies: [Target.Dependency] = ["Landfall"]

#if os(Linux)
// No Apple SDK exists here: modules that declare just what the adapters use.
let standInNames = ["AdServices", "Network", "Security", "StoreKit", "SwiftUI", "UIKit", "UIKitCore", "os"]
standIns = standInNames.map { name in
    let dependencies: [Target.Dependency] = ["StoreKit", "SwiftUI", "UIKit"].contains(name) ? ["UIKitCore"] : []
    return .target(name: name, dependencies: dependencies, path: "Tests/AppleStandIns/\(name)", swiftSettings: strict)
}
standInDependencies = standInNames.map { .target(name: $0) }
// What the stand-ins are told to do, Apple's own cannot be told.
standInTests.append(
    .testTarget(
        name: "LandfallAppleTests",
        dependencies: ["LandfallApple", "LandfallTesting"] + standInDependencies,
        swiftSettings: strict
    ))
standInTests.append(
    .testTarget(
        name: "SampleAppTests", dependencies: ["SampleApp", "LandfallApple", "LandfallTesting", "SwiftUI"], swiftSettings: strict
    ))
standInTests.append(
    .testTarget(
        name: "DeviceKitTests", dependencies: ["DeviceKit", "LandfallApple", "LandfallTesting", "SwiftUI"], swiftSettings: strict
    ))
appleDependencies += standInDependencies
// The sample app, which Xcode builds from its own project.
standIns.append(
    .executableTarget(
        name: "SampleApp",
        dependencies: ["LandfallApple", "SwiftUI"],
        path: "Examples/SampleApp/SampleApp",
        exclude: ["fallback.json"],
        swiftSettings: newProject
    ))
standIns.append(
    .executableTarget(
        name: "DeviceKit",
        dependencies: ["LandfallApple", "SwiftUI", "Network"],
        path: "Examples/SampleApp/DeviceKit",
        swiftSettings: strict
    ))
// For the packages beside this one, whose code an app would compile against Apple's own.
products.append(.library(name: "AppleStandIns", targets: standInNames))
let privacyManifest = (excluded: ["PrivacyInfo.xcprivacy"], resources: [Resource]())
#else
products.append(.library(name: "LandfallApple", targets: ["LandfallApple"]))
let privacyManifest = (excluded: [String](), resources: [Resource.copy("PrivacyInfo.xcprivacy")])
#endif

let package = Package(
    name: "landfall",
    platforms: [.iOS(.v16), .macOS(.v14), .macCatalyst(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: products,
    targets: standIns + standInTests + [
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
            name: "PublicAPITests",
            dependencies: ["LandfallApple", "LandfallTesting"] + standInDependencies,
            exclude: ["api"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PublicAPIOnMainActorTests",
            dependencies: ["LandfallApple", "LandfallTesting"] + standInDependencies,
            swiftSettings: newProject
        ),
    ]
)
