// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The client explains itself", .timeLimit(.minutes(1)))
struct ExplanationTests {
    let phone = Phone()

    @Test("Before start() it shows what it waits for, and that only the bundle could answer")
    func beforeStart() async throws {
        let client = phone.app { $0.fallback = .bundle }
        try client.setFallback(.bundle)

        let told = client.explain()

        #expect(told.install == nil)
        #expect(told.waits.map(\.what) == ["start()"])
        let report = try #require(told.placements.first)
        #expect(report.placement == .onboarding)
        #expect(report.rung == "bundled")
        #expect(report.rungs.compactMap(\.paywall) == [.bundled])
        #expect(phone.server.requests.isEmpty)
        await client.shutdown()
    }

    @Test("While attribution is pending a placement waits, with the time; then its answer is final")
    func pending() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        await phone.settle()

        let before = client.explain()
        try body.say(.becomesTargeted)
        await client.waitForProfile { $0.version == 2 }
        let after = client.explain()

        #expect(before.install == InstallID("anna"))
        #expect(before.waits.contains { $0.what == "the first open's last line" && $0.remaining == .seconds(10) })
        #expect(before.placements.first?.rung == "matching")
        #expect(before.placements.first?.why.hasPrefix("attribution is pending, and may change the answer") == true)
        #expect(after.profile == ProfileID("anna"))
        #expect(after.placements.first?.why == "the answer is final")
        #expect(after.placements.first?.rungs.first?.paywall == .appleAds)
        #expect(after.waits.isEmpty)
        await client.shutdown()
    }

    @Test("Calls that wait for start(), for the files or for the server's erasure are shown, with the time at which the wait ends")
    func waiters() async throws {
        let client = phone.app()
        let caller = Task { try await client.identify("customer-1") }
        let erasure = Task { try await client.forget() }
        while client.explain().waits.count < 3, !Task.isCancelled { await Task.yield() }

        let waits = client.explain().waits

        #expect(Set(waits.map(\.what)) == ["start()", "a call about the person, for the SDK's files", "a call of forget(), for the server and the files"])
        #expect(waits.filter { $0.remaining == .seconds(10) }.count == 2)
        caller.cancel()
        erasure.cancel()
        await client.shutdown()
    }

    @Test("A received link waits for a listener, and explain() says so")
    func unheard() async throws {
        let client = phone.app()
        client.start()
        client.receive(try #require(URL(string: "https://links.example.com/beach")))
        await phone.settle()

        #expect(client.explain().waits.contains { $0.what == "a listener for the received links" && $0.remaining == nil })
        await client.shutdown()
    }

    @Test("A shown paywall is reported as shown")
    func shown() async throws {
        try phone.streams(.undecided + .becomesTargeted)
        let client = phone.app()
        client.start()
        client.recordExposure(of: try await client.paywall(for: .onboarding))

        let report = client.explain().placements.first

        #expect(report?.rung == "shown")
        #expect(report?.why == "this launch has shown it at this placement")
        await client.shutdown()
    }

    @Test("Failed work is shown with its error, its time, and its next try")
    func errands() async throws {
        phone.firstOpen { throw TransportError(.connectionFailed, detail: "Refused.") }
        phone.plain { _ in try .problem(404, .placementUnknown) }
        let client = phone.app(preparing: [])
        client.start()
        _ = try? await client.paywall(for: .onboarding, within: .milliseconds(10))
        await phone.pass(.milliseconds(150))

        let told = client.explain()

        let opening = try #require(told.errands.first { $0.name == "first open" })
        #expect(opening.state == "failed once in a row")
        #expect(opening.lastError?.contains("Refused.") == true)
        #expect(try (.zero ... .milliseconds(1_200)).contains(#require(opening.nextTry)))
        #expect(try (.zero ... .milliseconds(250)).contains(#require(opening.lastErrorAge)))
        await client.shutdown()
    }

    @Test("A click that only its wrapper's server delays is shown with that server's error and the click's next try")
    func heldBack() async throws {
        try phone.answersLinks()
        phone.server.on("GET", "/abc") { _ in throw TransportError(.connectionFailed, detail: "Refused.") }
        let client = await phone.startedLinkApp()
        client.recordClick(LinkUnwrapperTests.mail)
        await phone.server.waitForRequests("GET", "/abc")
        await phone.eventually { client.explain().errands.first { $0.name == "outbox" }?.lastError != nil }
        await phone.settle()

        let told = client.explain()

        let outbox = try #require(told.errands.first { $0.name == "outbox" })
        #expect(outbox.state == "failed once in a row")
        #expect(outbox.lastError?.contains("Refused.") == true)
        #expect(try (.zero ... .milliseconds(1_200)).contains(#require(outbox.nextTry)))
        #expect(told.queue.clicks == 1)
        await client.shutdown()
    }

    @Test("Items that wait to be sent, and for the app, are counted")
    func queue() async throws {
        phone.firstOpen { try await phone.never() }
        let client = phone.linkApp()
        client.start()
        try client.setAttributes(["a": .bool(true)])
        try client.reportAttribution(source: AttributionSource("partner"), status: .nonOrganic)
        client.receive(.universal)
        client.claimDeferredLink("ABCD-2345-EFGH")

        let queue = client.explain().queue

        #expect(queue.attributeChanges == 1)
        #expect(queue.attributionClaims == 1)
        #expect(queue.clicks == 1)
        #expect(queue.links == 1)
        #expect(queue.codes == 1)
        #expect(queue.events == 0)
        await client.shutdown()
    }

    @Test("The second column of its text begins at one position; its JSON has the same content")
    func forms() async throws {
        try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        await client.waitForProfile()

        let told = client.explain()
        let rows = "\(told)".split(separator: "\n").filter { $0.hasPrefix("  ") }
        let again = try JSONDecoder().decode(Explanation.self, from: try JSONEncoder().encode(told))

        let column = try #require(rows.first { $0.contains("Attribution  ") || $0.contains("Attribution ") })
        let start = try #require(column.range(of: "pending")?.lowerBound)
        let width = column.distance(from: column.startIndex, to: start)
        #expect(rows.allSatisfy { row in row.dropFirst(width - 2).prefix(2).allSatisfy { $0 == " " } })
        #expect(rows.count > 20)
        #expect(again == told)
        #expect("\(again)" == "\(told)")
        await client.shutdown()
    }

    @Test("It reveals no secret of a whole session")
    func secrets() async throws {
        var phone = phone
        phone.deviceIDs = MemoryDeviceIDs("device-of-anna")
        let client = try await SecretSession(phone: phone).run()

        let told = client.explain()

        for secret in SecretSession.secrets { #expect(!"\(told)".contains(secret)) }
        await client.shutdown()
    }
}
