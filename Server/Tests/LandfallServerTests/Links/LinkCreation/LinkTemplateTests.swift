// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Templates of links", .timeLimit(.minutes(1)))
struct LinkTemplateTests {
    private static let file = """
        domains: { brand: [go.example], universal: [example.com] }
        linkTemplates:
          mail: { campaign: spring, channel: mail, ios: [app, store], preview: { title: T, description: D }, code: true, tags: [a, b], ct: news, when: [{ country: [DE], to: "https://example.com/de" }] }
          empty: {}

        """

    private static func withMade(
        _ link: String, _ body: @Sendable (LinkCreationRoutes.Made.Link, StoredLink?) throws -> Void
    ) async throws {
        var configuration = try Sample.configuration(file)
        configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey)!]
        try await TestServer.run(configuration: configuration) { server in
            let answer = try await server.sendAsBackend(.post, "/v1/links", #"{"links":[\#(link)]}"#)
            let outcome = try #require(try answer.decoded(LinkCreationRoutes.Made.self).links.first)
            try body(outcome, try await server.services.links.store.links(server.services.snapshot.app.id, after: nil, limit: 2).first)
        }
    }

    @Test("A template gives what the new link does not have itself; lists and the preview are taken as a whole")
    func completed() async throws {
        let wanted = #"{"to":"https://example.com/a","template":"mail","channel":"push","tags":["c"],"preview":{"title":"Own"},"code":false}"#
        try await Self.withMade(wanted) { outcome, stored in
            let link = try #require(stored)
            #expect(outcome.status == "made")
            #expect(link.labels == LinkLabels(campaign: "spring", channel: "push") && link.ways.ios == [.app, .store] && link.ways.android.isEmpty)
            #expect(link.preview == LinkPreview(title: "Own") && link.tags == ["c"] && !link.handover.code)
            #expect(link.storePage.ct == "news" && link.routes.map(\.destination) == ["https://example.com/de"])
        }
    }

    @Test("An unknown template makes no link, and the nearest one is named", arguments: [("mails", "Did you mean 'mail'?"), ("", "cannot be ''")])
    func unknown(name: String, sentence: String) async throws {
        try await Self.withMade(#"{"to":"https://example.com/a","template":"\#(name)"}"#) { outcome, stored in
            #expect(outcome.status == "refused" && outcome.error?.field == "template" && outcome.error?.message.contains(sentence) == true)
            #expect(stored == nil)
        }
    }

    @Test("The console's form offers the templates, and what is typed counts before them")
    func console() async throws {
        try await TestServer.run(configuration: try Sample.configuration(Self.file)) { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)

            let form = try await browser.get("/console/links/new").page
            _ = try await browser.post("/console/links/new", ["to": "https://example.com/a", "template": "mail", "channel": "push"])

            #expect(form.contains("name=\"template\"") && form.contains("value=\"mail\""))
            let links = try await server.services.links.store.links(server.services.snapshot.app.id, after: nil, limit: 2)
            #expect(links.map(\.labels) == [LinkLabels(campaign: "spring", channel: "push")] && links.first?.tags == ["a", "b"])
        }
    }

    @Test(
        "A template of the file is checked as a link is, without an address and times",
        arguments: [
            ("{ a: { campain: x } }", "A link template has no 'campain'"), ("{ a: { to: sample://x } }", "A link template has no 'to'"),
            ("{ a: { ios: [shop] } }", "'ios' cannot be 'shop'"), ("{ 'a b': {} }", "A link template cannot be called 'a b'"), ("[]", "'linkTemplates' is not a mapping"),
            ("{ a: { expires: 2027-01-31 } }", "A link template has no 'expires'"),
        ])
    func wrong(templates: String, problem: String) {
        let problems = Sample.problems(adding: "linkTemplates: \(templates)\n")

        #expect(problems.count == 1 && problems.allSatisfy { $0.contains(problem) }, "\(problems)")
    }
}
