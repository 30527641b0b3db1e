// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The built `landfall` with the configuration of the guides and a simulated Apple Ads, in a folder of its own.
struct SelfHosted {
    let server: String
    private let folder: URL

    /// Runs `body` beside a server of its own; both commands and the folder are gone afterwards.
    static func run(_ body: (SelfHosted) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-documented-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let appleAds = try ServingCommand(
            Checkout.landfall, ["apple-ads-simulator", "--port", "0"], log: folder.appending(path: "apple-ads.log")
        )
        defer { appleAds.stop() }
        let server = try ServingCommand(
            Checkout.landfall,
            [
                "serve", "--config", Checkout.configuration.path(percentEncoded: false),
                "--data", folder.appending(path: "data").path(percentEncoded: false),
                "--port", "0", "--apple-ads", try await appleAds.address(),
            ],
            log: folder.appending(path: "server.log")
        )
        defer { server.stop() }
        try await body(SelfHosted(server: try await server.address(), folder: folder))
    }

    /// One launch of the sample's app, in a process of its own; launches of one `phone` share its files.
    func launch(_ phone: String, token: String, timeout: Double, flags: [String] = []) async throws -> LaunchSeen {
        let process = Process()
        let output = Pipe()
        process.executableURL = Checkout.phone
        process.arguments =
            [
                "--server", server, "--storage", folder.appending(path: phone).path(percentEncoded: false),
                "--token", token, "--timeout", "\(timeout)",
            ] + flags
        process.standardOutput = output
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        var written = Data()
        for await chunk in output.fileHandleForReading.chunks { written += chunk }
        return try JSONDecoder().decode(LaunchSeen.self, from: written)
    }
}

/// What a phone reports; its own type, so that a renamed key is noticed.
struct LaunchSeen: Decodable {
    var paywall: String?
    var audience: String?
    var seconds: Double?
    var sources: [String]?
    var error: String?
    var absence: String?
}
