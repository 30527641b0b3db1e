// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The paths in this checkout that the tests use.
enum Checkout {
    private static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL
    private static let environment = ProcessInfo.processInfo.environment

    /// This package.
    static let package = root.appending(path: "Tests/Documented")
    static let objectiveC = root.appending(path: "Migration/Tests/ObjectiveC")
    static let adjustHeaders = root.appending(path: "Migration/Sources/AdjustHeaders/include")

    static let configuration = root.appending(path: "Examples/SelfHost/landfall.yaml")

    static let landfall =
        environment["LANDFALL_BINARY"].map { URL(filePath: $0) }
        ?? root.appending(path: "Server/.build/release/landfall")

    /// Built beside the test runner.
    static let phone = Bundle.main.executableURL!.deletingLastPathComponent().appending(path: "DocumentedPhone")

    static var hasLandfall: Bool { FileManager.default.isExecutableFile(atPath: landfall.path(percentEncoded: false)) }

    /// A document, where its folder is: as the plugin SeedSample finds it.
    static func seed(_ number: String) -> URL? {
        let folder =
            environment["LANDFALL_SEEDS"].map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? root.appending(path: "../shared/seeds", directoryHint: .isDirectory).standardizedFileURL
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.first { $0.lastPathComponent.hasPrefix(number) && $0.pathExtension == "txt" }
    }
}
