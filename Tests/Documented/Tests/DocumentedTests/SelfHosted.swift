// SPDX-License-Identifier: Apache-2.0
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The built `landfall` with the configuration of the guides and a simulated Apple Ads, in its own folder.
struct SelfHosted {
    /// The app's bundled file; its only paywall is named `bundled`.
    let fallback: String
    let address: String
    private let command: Command
    private let folder: URL

    /// Runs `body` beside a new server; both commands and the folder are gone afterwards.
    /// - Parameter placement: the name of the guides' placement in this server's configuration.
    nonisolated(nonsending) static func run<Value>(
        placement: String = "onboarding", _ body: (SelfHosted) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-documented-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fallback = folder.appending(path: "fallback.json").path(percentEncoded: false)
        try bundled.write(toFile: fallback, atomically: true, encoding: .utf8)

        let appleAds = try serving(["apple-ads-simulator", "--port", "0"], in: folder)
        defer { appleAds.stop() }
        let data = folder.appending(path: "data").path(percentEncoded: false)
        let configuration = folder.appending(path: "landfall.yaml").path(percentEncoded: false)
        try String(contentsOf: Checkout.configuration, encoding: .utf8)
            .replacingOccurrences(of: "\n  onboarding:", with: "\n  \(placement):")
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        let server = try serving(
            ["serve", "--config", configuration, "--data", data, "--port", "0", "--apple-ads", try await appleAds.address()],
            in: folder
        )
        defer { server.stop() }
        return try await body(
            SelfHosted(fallback: fallback, address: try await server.address(), command: server, folder: folder)
        )
    }

    private static func serving(_ arguments: [String], in folder: URL) throws -> Command {
        try Command(Checkout.landfall, arguments, limit: 60, log: folder.appending(path: "\(arguments[0]).log"))
    }

    private static let bundled = """
        {"format": 1, "revision": 1, "paywalls": {"onboarding": {"audience": "everyone", "paywall":
          {"name": "bundled", "variationId": "bundled", "productIds": []}}}}
        """

    /// From now on no server answers at the address.
    func stop() { command.stop() }

    /// How many requests of phones the server has answered, by its own count.
    func requests() async throws -> Int {
        let (data, _) = try await URLSession.shared.data(from: URL(string: address + "/metrics")!)
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("landfall_requests_total") && $0.contains("/v1/") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
            .reduce(0) { $0 + Int($1) }
    }

    /// One launch of the sample's app, in a separate process; launches of one `phone` share its files.
    func launch(_ phone: String, token: String, timeout: Double, flags: [String] = []) async throws -> LaunchSeen {
        let storage = folder.appending(path: phone).path(percentEncoded: false)
        let launch = try Command(
            Checkout.phone,
            ["--server", address, "--storage", storage, "--token", token, "--timeout", "\(timeout)"] + flags,
            limit: 20,
            log: folder.appending(path: "\(phone).log")
        )
        defer { launch.stop() }
        return try await launch.result(LaunchSeen.self)
    }
}

/// A phone's report; a separate type, so that a renamed key is noticed.
struct LaunchSeen: Decodable {
    var paywall: String?
    var audience: String?
    var seconds: Double?
    var sources: [String]?
    var error: String?
    var absence: String?
}
