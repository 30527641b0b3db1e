// swift-tools-version: 6.2
import PackageDescription

// Tests of a release build see what is internal only where this is set; the products themselves are built without.
let testable: [SwiftSetting] =
    Context.environment["LANDFALL_TESTABLE"] == nil ? [] : [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]

// Every mutable value that can be reached from two places is behind a lock here: what the compiler does not prove, debug builds check.
let unchecked: [SwiftSetting] = [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

// Small functions of one module are compiled into the callers of the next one: without that, walls on the hot path cost a tenth of it.
let across: [SwiftSetting] = [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

let strict: [SwiftSetting] = testable + unchecked + across + [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Tests are compiled on all cores and without optimisation, which takes a third of the time. What they test is optimised.
let tests: [SwiftSetting] =
    strict + [.unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))]

let package = Package(
    name: "landfall-server",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "landfall", targets: ["LandfallCommand"])
    ],
    traits: [
        .trait(
            name: "HTTPS",
            description: "Asks Apple over https. Without it only a service on this machine can be asked: all that script/demo needs."
        ),
        .default(enabledTraits: ["HTTPS"]),
    ],
    dependencies: [
        .package(name: "landfall", path: ".."),
        // Without its reader of configuration files: one more package to compile, and flags come from elsewhere.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        .target(name: "LandfallStore", swiftSettings: strict),
        // The system's own SQLite.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
        ),
        .target(
            name: "LandfallSQLite",
            dependencies: ["CSQLite", "LandfallStore", .product(name: "Crypto", package: "swift-crypto")], swiftSettings: strict
        ),
        // The configuration and what follows from it: no request, no store, no clock.
        .target(
            name: "LandfallRules",
            dependencies: [
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: strict
        ),
        // What a phone or a visitor waits for, and the work that follows from it.
        .target(
            name: "LandfallServer",
            dependencies: [
                "LandfallRules", "LandfallStore",
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTPS"])),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        // What the stored rows add up to.
        .target(
            name: "LandfallReports",
            dependencies: [
                "LandfallResults", "LandfallRules", "LandfallServer", "LandfallStore",
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // The pages for the team, and who may see them.
        .target(
            name: "LandfallConsole",
            dependencies: [
                "LandfallReports", "LandfallResults", "LandfallRules", "LandfallServer", "LandfallStore",
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [
                .embedInCode("Assets/console.css"), .embedInCode("Assets/console.js"), .embedInCode("Assets/icon.svg"),
            ],
            swiftSettings: strict
        ),
        // One node: the modules below, connected. The command starts it, and so do tools and tests.
        .target(
            name: "LandfallNode",
            dependencies: [
                "LandfallConsole", "LandfallReports", "LandfallRules", "LandfallServer", "LandfallStore",
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "LandfallSimulator",
            dependencies: [
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        // The statistics of experiments: values in, values out.
        .target(name: "LandfallResults", swiftSettings: strict),
        .executableTarget(
            name: "LandfallCommand",
            dependencies: [
                "LandfallConsole", "LandfallNode", "LandfallReports", "LandfallResults", "LandfallRules", "LandfallSQLite", "LandfallServer",
                "LandfallSimulator", "LandfallStore",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTPS"])),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTPS"])),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            // For `landfall --version`; the second is a link to what the package manager has chosen.
            resources: [.embedInCode("Version/commit.txt"), .embedInCode("Version/packages.json")],
            swiftSettings: strict
        ),
        // The SDK and the server in virtual time: a test tool of this checkout, in no product.
        .target(
            name: "VirtualWorlds",
            dependencies: [
                "LandfallNode", "LandfallRules", "LandfallSQLite", "LandfallServer", "LandfallSimulator", "LandfallStore",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallTesting", package: "landfall"),
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tools/VirtualWorlds",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "landfall-virtual",
            dependencies: ["VirtualWorlds", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tools/LandfallVirtual",
            swiftSettings: strict
        ),
        // Experiments of a known truth: a test tool of this checkout, in no product.
        .target(
            name: "ExperimentTrials", dependencies: ["LandfallReports", "LandfallResults", "LandfallRules"], path: "Tools/ExperimentTrials", swiftSettings: strict
        ),
        .executableTarget(
            name: "landfall-trials",
            dependencies: ["ExperimentTrials", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tools/LandfallTrials",
            swiftSettings: strict
        ),
        // Other programs, for tests: how they are started, and what they asked of the system.
        .target(name: "SystemCalls", path: "Tests/SystemCalls", swiftSettings: strict),
        // How often a test's own thread asks for memory.
        .target(name: "Allocations", path: "Tests/Allocations"),
        // What docs claim about speed; in no product.
        .executableTarget(
            name: "LandfallBenchmarks",
            dependencies: [
                "LandfallNode", "LandfallRules", "LandfallSQLite", "LandfallServer", "LandfallStore",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tools/LandfallBenchmarks",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LandfallSQLiteTests",
            dependencies: ["CSQLite", "LandfallStore", "LandfallSQLite", "SystemCalls"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "LandfallConsoleTests", dependencies: ["LandfallConsole", "LandfallReports", "LandfallResults", "LandfallServer"], swiftSettings: tests),
        .testTarget(name: "LandfallResultsTests", dependencies: ["LandfallResults"], swiftSettings: tests),
        .testTarget(name: "ExperimentTrialsTests", dependencies: ["ExperimentTrials"], swiftSettings: tests),
        .testTarget(
            name: "LandfallServerTests",
            dependencies: [
                "Allocations", "LandfallConsole", "LandfallNode", "LandfallReports", "LandfallResults", "LandfallRules", "LandfallSQLite",
                "LandfallServer", "LandfallStore", "SystemCalls",
                .product(name: "LandfallTesting", package: "landfall"),
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "LandfallSimulatorTests",
            dependencies: [
                "LandfallRules", "LandfallServer", "LandfallSimulator",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "LandfallWire", package: "landfall"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "VirtualWorldsTests",
            dependencies: [
                "VirtualWorlds", "landfall-virtual", "SystemCalls",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallWire", package: "landfall"),
            ],
            swiftSettings: tests
        ),
        // An app of its own process, for tests that end it at any instant.
        .executableTarget(
            name: "TestPhone",
            dependencies: [
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallWire", package: "landfall"),
            ],
            path: "Tests/TestPhone",
            swiftSettings: tests
        ),
        .testTarget(
            name: "LandfallCommandTests",
            dependencies: [
                "LandfallCommand", "LandfallConsole", "LandfallNode", "LandfallReports", "LandfallRules", "LandfallSQLite", "LandfallServer",
                "LandfallSimulator", "LandfallStore", "SystemCalls",
                "TestPhone", "landfall-virtual",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallWire", package: "landfall"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: tests
        ),
        // The real SDK against the real server over real HTTP, in one process.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "LandfallNode", "LandfallRules", "LandfallSQLite", "LandfallServer", "LandfallSimulator", "LandfallStore",
                .product(name: "Landfall", package: "landfall"),
                .product(name: "LandfallTesting", package: "landfall"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: tests
        ),
    ]
)
