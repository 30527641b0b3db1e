// SPDX-License-Identifier: Apache-2.0
import Dispatch
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("The place where forms are edited", .timeLimit(.minutes(1)))
struct EditingPlaceTests {
    private static let change = ["base": "1", "change": "up.1"]

    @Test("is one thread of its own: while a form keeps it busy, other forms wait, and phones and other pages are answered")
    func own() async throws {
        let editing = OwnThreads(1, mostWaiting: 16, .editing, "Later.")
        try await ConfigurationConsole.run(editing: editing) { server, browser in
            let gate = Barrier(), answers = Count()
            let headers: HTTPFields = [.cookie: "__Host-landfall=" + (browser.cookie ?? ""), .secFetchSite: "same-origin"]
            let body = "csrf=\(try #require(browser.formToken))&base=1&change=up.1"
            async let busy: Void = editing.run { gate.wait() }
            await gate.isReached()
            async let form = {
                let answer = try await server.client.execute(
                    uri: "/console/placements/home", method: .post, headers: headers, body: ByteBuffer(string: body))
                answers.increment()
                return answer.status
            }()

            let opened = try await server.firstOpen(#"{"device":{"platform":"ios"}}"#)
            let page = try await ConsoleBrowser.signedIn(server, as: .viewer, "omar@example.com").get("/console")

            #expect(opened.profile != nil && page.status == .ok && answers.value == 0)
            gate.open()
            try await busy
            #expect(try await form == .ok)
        }
    }

    @Test("has places for a few; a form that finds none is answered busy, in every language, and changes nothing", arguments: Language.allCases)
    func full(language: Language) async throws {
        let editing = OwnThreads(1, mostWaiting: 0, .editing, "Later.")
        try await ConfigurationConsole.run(editing: editing) { server, browser in
            let answer = try await browser.post(
                "/console/placements/home", Self.change, [.secFetchSite: "same-origin", .acceptLanguage: language.tag])

            #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "2")
            #expect(answer.page.contains(MessagePage.busy(Words(language)).sentence))
            #expect(server.services.metrics.text().contains(#"landfall_limit_hit_total{limit="editing"} 1"#))
        }
    }

    @Test("is where every form with a whole configuration or a table is answered")
    func routes() async throws {
        try await TestServer.run { server in
            for route in server.services.consoleRoutes {
                #expect(route.isEditing || route.formLimit == ConsoleCall.formLimit, "\(route.path)")
            }
        }
    }

    @Test("does the rest of its work there too, after it has waited for something else")
    func afterWaiting() async throws {
        let editing = OwnThreads(1, mostWaiting: 3, .editing, "Later.")
        let gate = Barrier()
        let steps = Count()
        async let first: Void = editing.run {
            _ = await Task { 1 }.value
            gate.wait()
        }
        await gate.isReached()

        async let second: Void = editing.run { steps.increment() }
        for _ in 0..<100 { await Task.yield() }

        #expect(steps.value == 0)
        gate.open()
        try await first
        try await second
        #expect(steps.value == 1)
    }

    @Test(
        "A form that carries too much is refused with what it may carry, in every language",
        arguments: Language.allCases)
    func excess(language: Language) async throws {
        try await ConfigurationConsole.run { _, browser in
            func refused(_ fields: [String: String]) async throws -> TestResponse {
                try await browser.post(
                    "/console/placements/home", Self.change.merging(fields) { $1 },
                    [.secFetchSite: "same-origin", .acceptLanguage: language.tag])
            }
            let anchors = (0..<5).map { "a\($0): &a\($0) [\(Array(repeating: $0 == 0 ? "x" : "*a\($0 - 1)", count: 12).joined(separator: ", "))]\n" }.joined()

            let fields = try await refused(Dictionary(uniqueKeysWithValues: (0..<200).map { ("f\($0)", "1") }))
            let long = try await refused(["text": ConfigurationConsole.yaml + String(repeating: "# a\n", count: 262_144)])
            let aliases = try await refused(["text": anchors + ConfigurationConsole.yaml])

            for answer in [fields, long, aliases] { #expect(answer.status == .contentTooLarge) }
            let words = Words(language)
            for (answer, page) in [(fields, FormExcess.fields), (long, .draftBytes), (aliases, .draftValues)] {
                #expect(answer.page.contains(page.page(words).sentence), "\(page)")
            }
        }
    }
}

/// Holds a thread until it is opened.
private final class Barrier: Sendable {
    private let opening = DispatchSemaphore(value: 0)
    private let (reached, reach) = AsyncStream<Void>.makeStream()

    func wait() {
        reach.yield()
        opening.wait()
    }

    func isReached() async { for await _ in reached { return } }

    func open() { opening.signal() }
}
