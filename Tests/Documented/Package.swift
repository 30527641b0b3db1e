// swift-tools-version: 6.2
// Code that other people's documentation shows, compiled as it stands and run against the built server.
// A package of its own: it is the only place with a module named Combine, beside which some packages compile differently.
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
/// What a new Xcode project uses.
let mainActorByDefault: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

var standIns: [Target] = []
var dependencies: [Package.Dependency] = [
    .package(name: "landfall", path: "../.."),
    .package(name: "landfall-names", path: "../../Migration"),
]
var sampleDependencies: [Target.Dependency] = [.product(name: "Adapty", package: "landfall-names")]
let linkDependencies: [Target.Dependency] = [
    .product(name: "Adjust", package: "landfall-names"), .product(name: "AppleStandIns", package: "landfall"),
]
var linkSamples: [Target] = []
var linkTests: [Target.Dependency] = []

#if os(Linux)
dependencies.append(.package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"))
standIns.append(.target(name: "Combine", dependencies: ["OpenCombine"], swiftSettings: strict))
sampleDependencies.append("Combine")
// The snippets are an app's, with UIKit and SwiftUI: here against stand-ins of both.
linkSamples = [
    .target(
        name: "DocumentedLinks",
        dependencies: linkDependencies,
        exclude: ["Snippets.template", "Absent.template"],
        swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
        plugins: ["SeedSample"]
    ),
    .target(
        name: "DocumentedLinksOnMainActor",
        dependencies: linkDependencies,
        swiftSettings: mainActorByDefault,
        plugins: ["SeedSample"]
    ),
]
linkTests =
    ["DocumentedLinks", "DocumentedLinksOnMainActor", .product(name: "LandfallTesting", package: "landfall")] + linkDependencies
#endif

let package = Package(
    name: "landfall-documented",
    platforms: [.iOS(.v16), .macOS(.v14)],
    dependencies: dependencies,
    targets: standIns + linkSamples + [
        .executableTarget(name: "SeedExtractor", swiftSettings: strict),
        .plugin(name: "SeedSample", capability: .buildTool(), dependencies: ["SeedExtractor"]),
        .target(
            name: "DocumentedSample",
            dependencies: sampleDependencies,
            exclude: ["Steps.template", "StepsAbsent.template"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: ["SeedSample"]
        ),
        .target(
            name: "DocumentedSampleOnMainActor",
            dependencies: sampleDependencies,
            swiftSettings: mainActorByDefault,
            plugins: ["SeedSample"]
        ),
        .executableTarget(
            name: "DocumentedPhone",
            dependencies: [
                "DocumentedSample", "DocumentedSampleOnMainActor",
                .product(name: "Adapty", package: "landfall-names"),
                .product(name: "Landfall", package: "landfall"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DocumentedTests", dependencies: ["DocumentedPhone", "DocumentedSample", "SeedExtractor"] + linkTests,
            swiftSettings: strict),
    ]
)
