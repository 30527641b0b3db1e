// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("ADJLinkResolution", .timeLimit(.minutes(1)))
@MainActor
struct LinkResolutionTests {
    let server = AdjustServer()
    let completions = Completions()

    /// `https://email.example.net/1` leads to `…/2`, and so on; `/app` to the app.
    private func redirect(_ path: String, to target: String) {
        server.transport.on("GET", path) { _ in
            ScriptedAnswer(status: 302, headers: ["location": target], body: Data())
        }
    }

    private func resolve(_ link: String, _ hosts: [String]?, passing duration: Duration = .zero) async -> [String] {
        let before = completions.links.count
        server.connection.unwrap(URL(string: link), hosts: hosts ?? []) { completions.call($0?.absoluteString ?? "nil") }
        if duration > .zero { await server.pass(duration) }
        await completions.wait(before + 1)
        return completions.links
    }

    @Test("A listed host's redirects are followed to the app's link, and no further")
    func followed() async {
        redirect("/a", to: "https://click.example.net/b")
        redirect("/b", to: "https://brandname.go.link/beach?adj_t=abc")

        let reached = await resolve("https://email.example.net/a", ["example.net"])

        #expect(reached == ["https://brandname.go.link/beach?adj_t=abc"])
        #expect(server.transport.requests.map(\.url.host) == ["email.example.net", "click.example.net"])
    }

    @Test(
        "A host matches whole labels only",
        arguments: [
            ("https://brandname.go.link/a", true), ("https://go.link/a", true), ("https://GO.LINK./a", true),
            ("https://evilgo.link/a", false), ("https://go.link.evil.example/a", false),
            ("https://go.link@evil.example/a", false),
        ])
    func labels(_ link: String, _ isListed: Bool) async {
        redirect("/a", to: "example://reached")

        let reached = await resolve(link, ["go.link"])

        #expect(reached == [isListed ? "example://reached" : link])
    }

    @Test("Plain http is replaced by https; a relative location is on the same host")
    func upgraded() async {
        redirect("/a", to: "/b?c=d")
        redirect("/b", to: "example://reached")

        let reached = await resolve("http://email.example.net/a", ["example.net"])

        #expect(reached == ["example://reached"])
        #expect(
            server.transport.requests.map(\.url.absoluteString) == [
                "https://email.example.net/a", "https://email.example.net/b?c=d",
            ])
    }

    @Test("A loop ends after ten redirects")
    func loop() async {
        redirect("/a", to: "https://email.example.net/a")

        let reached = await resolve("https://email.example.net/a", ["email.example.net"])

        #expect(reached == ["https://email.example.net/a"])
        #expect(server.transport.requests.count == WrapperHops.most)
    }

    @Test("A wrapper that does not answer leaves the link unchanged, within the time limit")
    func silent() async {
        server.transport.on("GET", "/a") { _ in
            try await server.clock.sleep(for: .seconds(3600))
            return ScriptedAnswer()
        }

        let reached = await resolve("https://email.example.net/a", ["example.net"], passing: Connection.bound)

        #expect(reached == ["https://email.example.net/a"])
    }

    @Test("No hosts, no request; no link, nil")
    func nothing() async {
        let first = await resolve("https://email.example.net/a", nil)
        #expect(first == ["https://email.example.net/a"])
        let second = await resolve("", [])
        #expect(second == ["https://email.example.net/a", "nil"])
        #expect(server.transport.requests.isEmpty)
    }
}
