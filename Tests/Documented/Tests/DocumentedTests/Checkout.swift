// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The paths in this checkout that the tests use.
enum Checkout {
    private static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL
    private static let environment = ProcessInfo.processInfo.environment

    static let configuration = root.appending(path: "Examples/SelfHost/landfall.yaml")

    static let landfall =
        environment["LANDFALL_BINARY"].map { URL(filePath: $0) }
        ?? root.appending(path: "Server/.build/release/landfall")

    /// Built beside the test runner.
    static let phone = Bundle.main.executableURL!.deletingLastPathComponent().appending(path: "DocumentedPhone")

    static var hasLandfall: Bool { FileManager.default.isExecutableFile(atPath: landfall.path(percentEncoded: false)) }
}
