// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

/// A node whose store has one version, and the calls of a backend that publishes.
struct PublishingServer: Sendable {
    static let key = "sk_" + String(repeating: "c", count: 32)
    static let weakKey = "sk_" + String(repeating: "w", count: 32)
    /// May publish, and see people.
    static let fullKey = "sk_" + String(repeating: "f", count: 32)

    static let secrets = SecretEnvironment(value: { name in
        [
            "LANDFALL_CI_KEY": key, "LANDFALL_WEAK_KEY": weakKey, "LANDFALL_FULL_KEY": fullKey,
            "LANDFALL_THIRD_KEY": "sk_" + String(repeating: "t", count: 32),
        ][name]
    })

    static func yaml(_ paywall: String = "default", title: String = "Unlock", more: String = "") -> String {
        """
        # What the tests publish.
        app: { id: sample, bundleId: com.example.sample }
        keys:
          - sdk: pk_test
          - { serverFrom: LANDFALL_CI_KEY, may: [configuration] }
          - { serverFrom: LANDFALL_WEAK_KEY }
          - { serverFrom: LANDFALL_FULL_KEY, may: [configuration, profiles] }
        paywalls:
          default: { products: [yearly], defaultLocale: en, remoteConfig: { en: { title: \(title) }, de: { title: Los } } }
          special: { products: [monthly] }
        audiences:
          spring: { country: { is: DE } }
        placements:
          home: [{ audience: spring, paywall: special }, { audience: everyone, paywall: \(paywall) }]
        \(more)

        """
    }

    let server: TestServer
    var store: ConfigurationStore { ConfigurationStore(server.services.database) }

    static func run(
        owner: ConfigurationOwner = .store, _ body: @Sendable (PublishingServer) async throws -> Void
    ) async throws {
        let configuration = try Configuration(yaml: yaml(), environment: secrets.value)
        try await TestServer.run(configuration: configuration, revision: 1, secrets: secrets, owner: owner) { server in
            let publisher = PublishingServer(server: server)
            _ = try await publisher.store.publishFile(yaml(), nowMs: 0)
            try await body(publisher)
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, key: String? = PublishingServer.key,
        fields: HTTPFields = [:]
    ) async throws -> TestResponse {
        var fields = fields
        if let key { fields[.authorization] = "Bearer \(key)" }
        return try await server.client.execute(
            uri: "/v1/configuration" + path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
    }

    func publish(
        _ text: String, _ query: String = "", base: Int64? = nil, message: String? = nil, key: String = PublishingServer.key
    ) async throws -> TestResponse {
        var fields: HTTPFields = [:]
        fields[.ifMatch] = base.map { "\"\($0)\"" }
        fields[.landfallMessage] = message
        return try await send(.post, query, text, key: key, fields: fields)
    }

    /// The paywall's name, and the version that decided.
    func shown() async throws -> String {
        let answer: PaywallAnswer = try await server.send(.get, "/v1/placements/home/paywall?audience=default").decoded()
        return "\(answer.paywall?.name.rawValue ?? "nothing"), \(answer.revision)"
    }

    func versions(_ query: String = "") async throws -> [VersionEntry] {
        try await send(.get, "/versions" + query).decoded()
    }
}

extension TestResponse {
    var object: JSONValue { get throws { try decoded(JSONValue.self) } }
    var answer: PublishingAnswer { get throws { try decoded(PublishingAnswer.self) } }
}
