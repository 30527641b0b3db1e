// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import DeviceKit

@Suite("A row of the device checklist", .timeLimit(.minutes(1)))
struct DeviceCheckTests {
    private func verdict(_ check: DeviceCheck, _ seen: (launch: Int, at: Int, Observation.Event)...) -> DeviceCheck.Verdict {
        check.verdict(Observations(seen.map { Observation(launch: $0.launch, milliseconds: $0.at, event: $0.2) }))
    }

    @Test("is open until its own steps are done", arguments: DeviceCheck.all.map(\.id))
    func open(id: String) throws {
        let check = try #require(DeviceCheck.all.first { $0.id == id })

        #expect(check.verdict(Observations()) == .open)
        #expect(verdict(check, (1, 0, .launched(prewarmed: false)), (1, 5, .path("satisfied"))) == .open)
    }

    @Test("reports AdServices' answer and its time")
    func adServices() {
        #expect(verdict(.adServices, (1, 400, .adToken(outcome: "token", milliseconds: 210))) == .works("after 210 ms"))
        #expect(
            verdict(.adServices, (1, 400, .adToken(outcome: "unsupported", milliseconds: 3))) == .fails("unsupported after 3 ms"))
    }

    @Test("distinguishes a link that starts the app from one that arrives while it runs")
    func links() {
        let visible = (1, 200, Observation.Event.activated)
        let early = (1, 900, Observation.Event.link(path: "/summer", isDeferred: false, isRedelivered: false))
        let late = (1, 16_000, Observation.Event.link(path: "/summer", isDeferred: false, isRedelivered: false))

        #expect(verdict(.coldLink, visible, early) == .works("/summer, 700 ms after the app was visible"))
        #expect(verdict(.runningLink, visible, early) == .open)
        #expect(verdict(.coldLink, visible, late) == .open)
        #expect(verdict(.runningLink, visible, late) == .works("/summer"))
    }

    @Test("counts a link as cold that opens a process which iOS made ahead of time", arguments: [89_900, 90_000, 90_900])
    func coldLinkOfPrewarmedProcess(at milliseconds: Int) {
        let launched = (1, 0, Observation.Event.launched(prewarmed: true))
        let visible = (1, 90_000, Observation.Event.activated)
        let link = (1, milliseconds, Observation.Event.link(path: "/summer", isDeferred: false, isRedelivered: false))

        #expect(
            verdict(.coldLink, launched, link, visible)
                == .works("/summer, \(max(0, milliseconds - 90_000)) ms after the app was visible"))
        #expect(verdict(.runningLink, launched, link, visible) == .open)
    }

    @Test("recognises the link of a product page by its path")
    func productPage() {
        let visible = (1, 200, Observation.Event.activated)
        let other = (1, 900, Observation.Event.link(path: "/summer", isDeferred: false, isRedelivered: false))
        let link = (1, 950, Observation.Event.link(path: "/a/product-page", isDeferred: false, isRedelivered: false))

        #expect(verdict(.productPage, visible, other) == .open)
        #expect(verdict(.productPage, visible, other, link) == .works("/a/product-page, 750 ms after the app was visible"))
    }

    @Test("asks to share the report before any step that deletes the app")
    func sharesFirst() {
        let deleting = DeviceCheck.all.filter { check in
            check.steps.contains { $0.localizedCaseInsensitiveContains("delete the app") }
        }

        #expect(deleting.map(\.id) == ["network-permission", "paste", "reinstall"])
        for check in deleting { #expect(check.steps.first == DeviceCheck.shareFirst) }
    }

    @Test("does not count a link that comes again after a kill")
    func redelivered() {
        let again = (2, 900, Observation.Event.link(path: "/summer", isDeferred: false, isRedelivered: true))

        #expect(verdict(.coldLink, again) == .open)
    }

    @Test(
        "counts the server's paywall only in a launch that began without a network",
        arguments: [("defaultAudience", true), ("matchingAudience", true), ("bundled", false), ("cache", false)])
    func network(origin: String, works: Bool) {
        let asked = Observation.Event.paywall(origin: origin, milliseconds: 2_500)

        let without = verdict(.networkPermission, (1, 10, .path("unsatisfied: cellularDenied")), (1, 2_600, asked))
        let with = verdict(.networkPermission, (1, 10, .path("unsatisfied")), (2, 10, .path("satisfied")), (2, 2_600, asked))

        #expect(without == (works ? .works("\(origin) after 2500 ms") : .fails("\(origin) after 2500 ms")))
        #expect(with == .open)
    }

    @Test("detects a first open that was sent before a prewarmed app was visible")
    func prewarmed() {
        let launched = (1, 0, Observation.Event.launched(prewarmed: true))
        let told = Observation.Event.profile(isReinstall: false, attribution: "pending")

        #expect(
            verdict(.prewarmed, launched, (1, 90_000, .activated), (1, 90_400, told))
                == .works("seen 90000 ms after the launch, first open after that"))
        #expect(
            verdict(.prewarmed, launched, (1, 700, told), (1, 90_000, .activated))
                == .fails("the first open left 700 ms after the launch, before anybody saw the app"))
        #expect(verdict(.prewarmed, (1, 0, .launched(prewarmed: false)), (1, 200, .activated), (1, 600, told)) == .open)
    }

    @Test("waits for the link after the paste control was pressed")
    func paste() {
        let pressed = (1, 3_000, Observation.Event.pasted(isClaimed: true))
        let link = (1, 3_400, Observation.Event.link(path: "/beach", isDeferred: true, isRedelivered: false))

        #expect(verdict(.paste, (1, 3_000, .pasted(isClaimed: false))) == .open)
        #expect(verdict(.paste, pressed) == .fails("the text was taken, no link came yet"))
        #expect(verdict(.paste, pressed, link) == .works("/beach"))
    }
}

@Suite("A device report", .timeLimit(.minutes(1)))
struct DeviceReportTests {
    private func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("device-kit-\(UUID().uuidString)/observations.jsonl")
    }

    @Test("keeps what earlier launches recorded, and skips a line that a kill cut short")
    func launches() async throws {
        let url = temporaryFile()
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        let first = ObservationFile(url)
        await first.note(.launched(prewarmed: false))
        await first.note(.adToken(outcome: "token", milliseconds: 12))
        try (Data(contentsOf: url) + Data("\n{\"launch\":1,\"mil".utf8)).write(to: url)

        let second = ObservationFile(url)
        await second.note(.activated)

        let seen = await ObservationFile(url).observations
        #expect(seen.all.map(\.launch) == [1, 1, 2])
        #expect(seen.all.last?.event == .activated)
    }

    @Test("has a row for each check, and reads back from its JSON")
    func json() throws {
        let seen = Observations([Observation(launch: 1, milliseconds: 300, event: .adToken(outcome: "token", milliseconds: 210))])
        let report = DeviceReport(seen, device: "iPhone15,2", system: "iOS 26.1", app: "1.0 (1)")

        let read = try JSONDecoder().decode(DeviceReport.self, from: report.json())

        #expect(read == report)
        #expect(report.rows.map(\.check) == DeviceCheck.all.map(\.id))
        #expect(report.rows.first == .init(check: "adservices", verdict: "works: after 210 ms"))
    }
}
