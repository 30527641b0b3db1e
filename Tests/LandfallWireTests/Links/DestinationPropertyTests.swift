// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("Generated destinations", .timeLimit(.minutes(1)))
struct DestinationPropertyTests {
    static let domains = DestinationTests.domains

    static func forms(_ destination: Destination) throws -> [String] {
        [
            destination.text(onHost: "brandname.go.link"), destination.text(onHost: "example.com"),
            try #require(destination.text(inScheme: "example")),
        ]
    }

    @Test("Reading a printed destination returns it, in each of its three forms", arguments: [1, 2, 3] as [UInt64])
    func identity(seed: UInt64) throws {
        var links = GeneratedLinks(seed: seed)
        for _ in 0..<500 {
            let destination = links.destination()
            for form in try Self.forms(destination) where form.utf8.count <= LinkAddress.longest {
                let back = try DestinationTests.read(form)
                try #require(back == destination, "\(form)")
            }
        }
    }

    @Test("Foundation accepts every printed form unchanged", arguments: [4] as [UInt64])
    func foundation(seed: UInt64) throws {
        var links = GeneratedLinks(seed: seed)
        for _ in 0..<500 {
            for form in try Self.forms(links.destination()) where form.utf8.count <= LinkAddress.longest {
                try #require(URL(string: form)?.absoluteString == form, "\(form)")
            }
        }
    }

    @Test("Tracking parameters never survive, wherever they are put", arguments: [5, 6] as [UInt64])
    func tracking(seed: UInt64) throws {
        var links = GeneratedLinks(seed: seed)
        let names = ["adj_t", "adjust_tracker", "lf_t", "ADJ_campaign", "lf_", "%61dj_x", "adj%5Fx"]
        for _ in 0..<500 {
            let destination = links.destination(), form = links.oneOf(try Self.forms(destination))
            let parts = form.split(separator: "#", maxSplits: 1).map(String.init)
            let separator = parts[0].contains("?") ? links.oneOf(["&", "?"]) : "?"
            let tracker = "\(separator)\(links.oneOf(names))=value"
            let marked = parts[0] + tracker + (parts.count > 1 ? "#\(parts[1])" : "")

            let back = try DestinationTests.read(marked)
            let tracking = back.query.filter(\.isTracking)
            try #require(tracking.isEmpty, "\(marked)")
            try #require(back == destination, "\(marked)")

            let inFragment = try DestinationTests.read(
                "https://example.com/#/route\(links.oneOf(["?", "?a=b&", "?a=b?"]))adj_t=value")
            try #require(inFragment.fragment?.contains("adj_") == false)
        }
    }

    @Test("No input crashes, and every result is valid", arguments: [7, 8] as [UInt64])
    func noise(seed: UInt64) throws {
        var links = GeneratedLinks(seed: seed)
        for _ in 0..<1_500 {
            let text = links.noise()
            guard let link = try? LinkAddress(text) else { continue }
            _ = link.carriesCredential
            _ = try? LinkParameters(link)
            guard let destination = try? Destination(link, in: Self.domains) else { continue }
            #expect(link.text == text)
            #expect(!destination.path.contains { ["", ".", ".."].contains($0) })
            for form in try Self.forms(destination) where form.utf8.count <= LinkAddress.longest {
                try #require(try DestinationTests.read(form) == destination, "\(text) became \(form)")
            }
        }
    }
}
