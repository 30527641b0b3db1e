// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Signatures of webhooks", .timeLimit(.minutes(1)))
struct WebhookSigningTests {
    private static let old = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let new = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    struct Vector: Sendable {
        let secret: String
        let id: String
        let seconds: Int64
        let body: String
        let signature: String
    }

    /// Computed by Python's `hmac`, and the same by its package `standardwebhooks`.
    static let vectors = [
        Vector(
            secret: old, id: "msg_p5jXN8AQM9LWM0D4loKWxlek", seconds: 1_614_265_330, body: #"{"test": 2432232314}"#,
            signature: "v1,BWy17FPvrvgB9B8Tq0JOg4pHYngeNOMHSr/OYzFsrg0="),
        Vector(
            secret: new, id: "0199b0a0-0000-7000-8000-000000000001-2", seconds: 1_790_000_000,
            body: #"{"type":"first_open","data":{"name":"Zoë 東京"}}"#, signature: "v1,if3mUo0QF0J6o3hL9/+glYMhWkU2qbTGH2RUlMtSP/s="),
    ]

    @Test("are those of other implementations", arguments: vectors)
    func vector(_ vector: Vector) throws {
        let secret = try #require(WebhookSecret(vector.secret))

        #expect(secret.signature(of: Array(vector.body.utf8), id: vector.id, seconds: vector.seconds) == vector.signature)
    }

    @Test("While a secret rotates there are two, the new one's first")
    func rotation() throws {
        let secrets = try [Self.new, Self.old].map { try #require(WebhookSecret($0)) }
        let endpoint = WebhookEndpoint(url: "https://hooks.example.com", secrets: secrets, types: [.firstOpen]), body = Array("{}".utf8)

        let signatures = endpoint.signatures(of: body, id: "id", seconds: 7).split(separator: " ").map(String.init)

        #expect(signatures == secrets.map { $0.signature(of: body, id: "id", seconds: 7) })
        #expect(Set(signatures).count == 2)
    }

    @Test(
        "A text that is no secret is none",
        arguments: [
            "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2hvcnQ=", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!",
            "whsec_" + String(repeating: "A", count: 88),
        ])
    func none(text: String) { #expect(WebhookSecret(text) == nil) }

    @Test("A description shows neither a secret nor an address")
    func redacted() throws {
        let endpoint = WebhookEndpoint(
            url: "https://hooks.example.com/password", secrets: [try #require(WebhookSecret(Self.new))], types: [.firstOpen])

        #expect("\(endpoint) \(endpoint.secrets)".contains("password") == false)
        #expect(String(reflecting: endpoint.secrets[0]) == "WebhookSecret")
    }

    @Test("Another address is another endpoint, other types are not")
    func key() {
        func key(_ url: String, _ types: [WebhookType]) -> String { WebhookEndpoint(url: url, secrets: [], types: types).key }

        #expect(key("https://a.example", [.firstOpen]) == key("https://a.example", [.linkClicked]))
        #expect(key("https://a.example", [.firstOpen]) != key("https://a.example/", [.firstOpen]))
        #expect(key("https://a.example", []).count == 32)
    }

    @Test("Each type has its own place among types")
    func types() {
        for type in WebhookType.allCases {
            #expect(WebhookType.allCases.filter { WebhookTypes([type]).contains($0) } == [type])
        }
        #expect(WebhookTypes().isEmpty && !WebhookTypes([.profileErased]).isEmpty)
    }
}
