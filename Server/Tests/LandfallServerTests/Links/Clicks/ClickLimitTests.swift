// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The size of a stored click", .timeLimit(.minutes(1)))
struct ClickLimitTests {
    private static let long = String(repeating: "ü", count: 300)

    /// A visitor's query of 4 KiB: every parameter with a column, and unknown names.
    private static func hostileQuery() -> String {
        let known = ["t", "campaign", "adgroup", "creative", "label", "channel"].map { "lf_\($0)=\(String(repeating: "x", count: 300))" }
        return (known + (0..<100).map { "lf_p\($0)=\($0)" }).joined(separator: "&")
    }

    @Test(
        "A click's row is at most about 1 KiB, whatever its link contains",
        arguments: ["/own/" + String(repeating: "a", count: 600), "/" + String(repeating: "%C3%BC", count: 200), "/beach"])
    func row(path: String) async throws {
        try await TestServer.runBrand { server in
            _ = try await Browser.onPhone.open("https://go.example.com\(path)?\(Self.hostileQuery())", in: server)

            let row = try await server.onlyClick()
            #expect(Self.bytes(of: row) <= 1_200)
            #expect(try row.text("campaign") == (path == "/beach" ? "summer" : String(repeating: "x", count: ClickLimits.label)))
            #expect(try !row.text("link_path").hasSuffix("%"))
            #expect(try row.text("link_path").utf8.count <= ClickLimits.place)
        }
    }

    @Test(
        "So is the row of a click that a phone reports",
        arguments: ["https://\(String(repeating: "h.", count: 300))example/a?", "example://\(String(repeating: "a", count: 800))?"])
    func reported(url: String) async throws {
        try await TestServer.runBrand { server in
            _ = try await server.send(
                .post, WirePath.linkOpen, #"{"url":"\#(url + Self.hostileQuery())","key":"k"}"#, phone: nil)

            let row = try await server.onlyClick()
            #expect(Self.bytes(of: row) <= 1_200)
        }
    }

    @Test("A deferred link loses the visitor's additions if they are long")
    func handedOver() async throws {
        try await TestServer.runBrand { server in
            let answer = try await Browser.onPhone.open(
                "https://go.example.com/copied?a=\(String(repeating: "x", count: 2_000))", in: server)

            #expect(answer.copied != nil)
            let row = try #require(try await server.rows("SELECT original, resolved FROM deferred_link").first)
            #expect(row.values == [.text("https://go.example.com/copied"), .text("https://example.com/offers")])
        }
    }

    @Test("Of other parameters the first by name that fit are kept, each whole")
    func parameters() {
        let many = Dictionary(uniqueKeysWithValues: (0..<40).map { ("p\($0 + 10)", "v") })

        #expect(ClickLimits.kept(many).keys.sorted() == (0..<8).map { "p\($0 + 10)" })
        #expect(ClickLimits.kept(["a": Self.long, "b": "1"]) == ["b": "1"])
        #expect(ClickLimits.kept(["a": String(repeating: "x", count: 199), "b": "1"]).keys.sorted() == ["a"])
    }

    @Test("Values that the team has stored stay whole, a visitor's additions are cut")
    func labels() throws {
        let label = String(repeating: "x", count: 150)
        let stored = StoredLink(
            host: "h", path: LinkPath(stored: "/a"), destination: "https://h/", labels: LinkLabels(campaign: label))

        let kept = LinkLabels(campaign: label, creative: Self.long).kept(on: stored)

        #expect(kept.campaign == label)
        #expect(kept.creative == String(repeating: "ü", count: 50))
        #expect(LinkLabels(campaign: label).kept(on: nil).campaign?.utf8.count == ClickLimits.label)
    }

    private static func bytes(of row: Row) -> Int {
        row.values.reduce(0) { sum, value in
            switch value {
            case .text(let text): sum + text.utf8.count
            case .blob(let bytes): sum + bytes.count
            case .integer, .real: sum + 8
            case .null: sum
            }
        }
    }
}
