// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire

@testable import LandfallRules

/// A node whose app has domains, one link and a backend.
enum LinkRouteServer {
    static let serverKey = "sk_0123456789abcdef0123456789abcdef"

    static func run(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        configuration.serverKeys = [ServerKey(serverKey)!]
        configuration.app = App(
            id: AppID("example"), name: "Example", bundleID: "com.example.app", teamID: nil, scheme: "example", appStoreID: 123)
        configuration.domains = Domains(
            brand: [BrandDomain(host: "go.example", paths: [PathPattern("/summer-clothes")])], universal: ["example.com"])
        configuration.links = [
            StoredLink(
                host: "go.example", path: LinkPath(stored: "/beach"),
                destination: "https://go.example/summer-clothes?promo=beach")
        ]
        try await TestServer.run(configuration: configuration, body)
    }
}

extension TestServer {
    /// As a backend sends it.
    func sendAsBackend(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> TestResponse {
        try await send(method, path, body, phone: nil, key: LinkRouteServer.serverKey)
    }
}
