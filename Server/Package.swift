// swift-tools-version: 6.2
import PackageDescription

// Tests of a release build see what is internal only where this is set; the products themselves are built without.
let testable: [SwiftSetting] =
    Context.environment["LANDFALL_TESTABLE"] == nil ? [] : [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]

// Every mutable value that can be reached from two places is behind a lock here: what the compiler does not prove, debug builds check.
let unchecked: [SwiftSetting] = [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

// Small functions of one module are compiled into the callers of the next one: without that, walls on the hot path cost a tenth of it.
let across: [SwiftSetting] = [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

let warned: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let strict: [SwiftSetting] = testable + unchecked + across + warned

// Compiled on all cores and without optimisation, which takes a third of the time. A group of files begins with the reading of all
// files and modules: groups are larger than the usual 25 files.
let unoptimised: [SwiftSetting] = [
    .unsafeFlags(
        ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode", "-driver-batch-size-limit", "70"],
        .when(configuration: .release))
]

// What answers phones and reports is tested with optimisation, as it is shipped. What answers people is not: its optimisation is a
// tenth of the whole build, on one core.
let forPeople: [SwiftSetting] = strict + (testable.isEmpty ? [] : unoptimised)

// Nothing imports tests: they need no module file, which would take a quarter of their time on one core, with the linker waiting for it.
let tests: [SwiftSetting] =
    strict + unoptimised + [.unsafeFlags(["-no-emit-module-separately"], .when(platforms: [.linux], configuration: .release))]

// What several targets use.
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTPS"]))
let certificates: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let jwtKit: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let sdk: Target.Dependency = .product(name: "Landfall", package: "landfall")
let sdkTesting: Target.Dependency = .product(name: "LandfallTesting", package: "landfall")
let wire: Target.Dependency = .product(name: "LandfallWire", package: "landfall")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioFoundationCompat: Target.Dependency = .product(name: "NIOFoundationCompat", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1: Target.Dependency = .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

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
        // Two that jwt-kit brings.
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
    ],
    targets: [
        .target(name: "LandfallStore", dependencies: [crypto], swiftSettings: strict),
        // The system's own SQLite.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
        ),
        // Between SQLite and the system's files: checksums of pages.
        .target(name: "CPages", dependencies: ["CSQLite"]),
        .target(
            name: "LandfallSQLite",
            dependencies: ["CPages", "CSQLite", "LandfallStore", crypto], swiftSettings: strict
        ),
        // What is called of libpq: the library is loaded when a PostgreSQL is named, so a build needs none.
        .target(name: "CPostgres", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "LandfallPostgres", dependencies: ["CPostgres", "LandfallStore"], swiftSettings: strict),
        // The configuration and what follows from it: no request, no store, no clock.
        .target(
            name: "LandfallRules",
            dependencies: [wire, crypto, jwtKit, .product(name: "Yams", package: "Yams")],
            swiftSettings: strict
        ),
        // Purchases: whether Apple signed them, and what they open. No request, no store, no clock.
        .target(
            name: "LandfallPurchases",
            dependencies: ["LandfallRules", wire, asn1, certificates, crypto],
            swiftSettings: strict
        ),
        // What a phone or a visitor waits for, and the work that follows from it.
        .target(
            name: "LandfallServer",
            dependencies: [
                "LandfallPurchases", "LandfallRules", "LandfallStore", wire, hummingbird, asyncHTTPClient, logging, metrics, serviceLifecycle, crypto,
                jwtKit, nioCore, nioFoundationCompat, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, httpTypes,
            ],
            swiftSettings: strict
        ),
        // What the stored rows add up to.
        .target(
            name: "LandfallReports",
            dependencies: [
                "LandfallPurchases", "LandfallResults", "LandfallRules", "LandfallServer", "LandfallStore", wire, crypto, hummingbird, logging,
                metrics, nioCore,
            ],
            swiftSettings: strict
        ),
        // The console's files, its texts in other languages, and docs/openapi.yaml.
        .target(name: "CAssets"),
        // The pages for the team, and who may see them.
        .target(
            name: "LandfallConsole",
            dependencies: [
                "CAssets", "LandfallReports", "LandfallResults", "LandfallRules", "LandfallServer", "LandfallStore", wire, crypto,
                .product(name: "CryptoExtras", package: "swift-crypto"), hummingbird, httpTypes, jwtKit, logging, nioCore,
                .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["Assets/console.css", "Assets/console.js", "Assets/icon.svg", "Assets/ja.po", "Assets/zh-Hans.po"],
            swiftSettings: forPeople
        ),
        // One node: the modules below, connected. The command starts it, and so do tools and tests.
        .target(
            name: "LandfallNode",
            dependencies: [
                "LandfallConsole", "LandfallPurchases", "LandfallReports", "LandfallRules", "LandfallServer", "LandfallStore", wire, hummingbird,
                httpTypes, jwtKit, logging, metrics, nioCore, nioFoundationCompat, serviceLifecycle,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "LandfallSimulator",
            dependencies: [sdk, wire, asn1, certificates, crypto, httpTypes, hummingbird, logging, nioCore, nioPosix, serviceLifecycle],
            swiftSettings: strict
        ),
        // The statistics of experiments: values in, values out.
        .target(name: "LandfallResults", swiftSettings: strict),
        .executableTarget(
            name: "LandfallCommand",
            dependencies: [
                "LandfallConsole", "LandfallNode", "LandfallPostgres", "LandfallReports", "LandfallResults", "LandfallRules",
                "LandfallSQLite", "LandfallServer", "LandfallSimulator", "LandfallStore", wire, argumentParser, asyncHTTPClient, logging, nioCore,
                nioEmbedded, nioHTTP1, nioPosix,
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTPS"])), serviceLifecycle,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            // For `landfall --version`; the second is a link to what the package manager has chosen.
            resources: [.embedInCode("Version/commit.txt"), .embedInCode("Version/packages.json")],
            swiftSettings: forPeople
        ),
        // The SDK and the server in virtual time: a test tool of this checkout, in no product.
        .target(
            name: "VirtualWorlds",
            dependencies: [
                "LandfallNode", "LandfallPurchases", "LandfallSQLite", "LandfallServer", "LandfallSimulator", "LandfallStore", sdk, sdkTesting,
                wire, nioEmbedded,
            ],
            path: "Tools/VirtualWorlds",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "landfall-virtual",
            dependencies: ["VirtualWorlds", argumentParser],
            path: "Tools/LandfallVirtual",
            swiftSettings: strict
        ),
        // Experiments with a known true result: a test tool of this checkout, in no product.
        .target(
            name: "ExperimentTrials", dependencies: ["LandfallResults", "LandfallRules"], path: "Tools/ExperimentTrials", swiftSettings: strict
        ),
        .executableTarget(
            name: "landfall-trials",
            dependencies: ["ExperimentTrials", argumentParser],
            path: "Tools/LandfallTrials",
            swiftSettings: strict
        ),
        // Other programs, for tests: how they are started, and what they asked of the system.
        .target(name: "SystemCalls", path: "Tests/SystemCalls", swiftSettings: strict),
        // What every engine must do.
        .target(name: "StoreContract", dependencies: ["LandfallStore"], path: "Tests/StoreContract", swiftSettings: strict),
        // How often a test's own thread asks for memory.
        .target(name: "Allocations", path: "Tests/Allocations"),
        // What docs claim about speed; in no product.
        .executableTarget(
            name: "LandfallBenchmarks",
            dependencies: [
                "CPages", "LandfallNode", "LandfallPurchases", "LandfallReports", "LandfallRules", "LandfallSQLite", "LandfallServer", "LandfallSimulator",
                "LandfallStore", sdk, wire, argumentParser, asn1, certificates, crypto, httpTypes, hummingbird, logging, nioCore, nioEmbedded,
            ],
            path: "Tools/LandfallBenchmarks",
            swiftSettings: strict
        ),
        // What the driver adds to PostgreSQL's own time; in no product.
        .executableTarget(
            name: "PostgresRatios", dependencies: ["LandfallPostgres", "LandfallStore", "SystemCalls"], path: "Tools/PostgresRatios",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LandfallSQLiteTests",
            dependencies: ["CPages", "CSQLite", "LandfallStore", "LandfallSQLite", "StoreContract", "SystemCalls"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "LandfallPostgresTests",
            dependencies: [
                "LandfallNode", "LandfallPostgres", "LandfallReports", "LandfallRules", "LandfallSQLite", "LandfallServer", "LandfallStore",
                "StoreContract", "SystemCalls", wire,
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "LandfallConsoleTests", dependencies: ["LandfallConsole", "LandfallReports", "LandfallResults", "LandfallServer", "LandfallStore"], swiftSettings: tests),
        .testTarget(
            name: "LandfallPurchasesTests", dependencies: ["LandfallPurchases", "LandfallRules", "LandfallSimulator", wire, crypto],
            swiftSettings: tests
        ),
        .testTarget(name: "LandfallResultsTests", dependencies: ["LandfallResults"], swiftSettings: tests),
        .testTarget(name: "ExperimentTrialsTests", dependencies: ["ExperimentTrials"], swiftSettings: tests),
        .testTarget(
            name: "LandfallServerTests",
            dependencies: [
                "Allocations", "LandfallConsole", "LandfallNode", "LandfallReports", "LandfallResults", "LandfallRules",
                "LandfallPostgres", "LandfallPurchases", "LandfallSQLite", "LandfallServer", "LandfallSimulator", "LandfallStore", "SystemCalls",
                sdkTesting, wire, crypto,
                hummingbird, httpTypes, hummingbirdTesting, jwtKit, logging, nioCore, nioEmbedded, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1,
                serviceLifecycle,
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "LandfallSimulatorTests",
            dependencies: ["LandfallSimulator", asn1, certificates, crypto, hummingbird, hummingbirdTesting, logging, nioCore, nioPosix, wire],
            swiftSettings: tests
        ),
        .testTarget(
            name: "VirtualWorldsTests",
            dependencies: ["LandfallSQLite", "LandfallStore", "VirtualWorlds", "landfall-virtual", "SystemCalls", sdk, wire],
            swiftSettings: tests
        ),
        // An app of its own process, for tests that end it at any instant.
        .executableTarget(
            name: "TestPhone",
            dependencies: [sdk, wire],
            path: "Tests/TestPhone",
            swiftSettings: tests
        ),
        .testTarget(
            name: "LandfallCommandTests",
            dependencies: [
                "LandfallCommand", "LandfallConsole", "LandfallNode", "LandfallReports", "LandfallRules", "LandfallSQLite",
                "LandfallServer", "LandfallSimulator", "LandfallStore", "SystemCalls", "TestPhone", "landfall-virtual", sdk, wire,
                argumentParser, nioCore, nioPosix,
            ],
            swiftSettings: tests
        ),
        // The real SDK against the real server over real HTTP, in one process.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "LandfallNode", "LandfallSQLite", "LandfallServer", "LandfallSimulator", "SystemCalls", sdk, wire, hummingbird, logging,
                nioEmbedded, serviceLifecycle,
            ],
            swiftSettings: tests
        ),
    ]
)
