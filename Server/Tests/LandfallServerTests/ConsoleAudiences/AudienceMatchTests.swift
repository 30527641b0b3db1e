// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("How many installs an audience matches", .timeLimit(.minutes(1)))
struct AudienceMatchTests {
    /// 240 installs: some German ones with a new version.
    static let installs = (0..<240).map { number in
        (locale: number % 3 == 0 ? "de-DE" : "en-US", version: number % 2 == 0 ? "2.1" : "2.0.9")
    }

    @Test("is the count over every install of a small store")
    func counted() async throws {
        try await ConfigurationConsole.run { server, browser in
            try await ConfigurationConsole.store(Self.installs, in: server.services.database)
            let expected = Self.installs.count { $0.locale == "de-DE" && $0.version == "2.1" }

            let before = try await browser.get("/console/audiences/spring").page
            let page = try await browser.get("/console/audiences/spring?count=now").page
            let list = try await browser.get("/console/audiences").page

            #expect(before.contains("Nobody counted lately."))
            let known = server.services.matches.known(1, nowMs: server.services.time.nowMs())
            #expect(known?.audiences["spring"]?.count == MatchCount(yes: expected, no: 240 - expected))
            #expect(known?.audiences["spring"]?.sampled == 240)
            #expect(page.contains("<dd class=\"value\">\(expected)</dd>") && page.contains("<dd class=\"value\">\(240 - expected)</dd>"))
            #expect(page.contains("17 % of installs") && page.contains("All stored installs were looked at: 240."))
            #expect(list.contains(">17 %</td>"))
        }
    }

    @Test("is not told below ten, nor found by subtraction")
    func few() async throws {
        try await ConfigurationConsole.run { server, browser in
            try await ConfigurationConsole.store(Array(Self.installs.prefix(53)), in: server.services.database)

            let page = try await browser.get("/console/audiences/spring?count=now").page

            #expect(page.contains("fewer than 10") && page.contains("about 40") && page.contains("about 50"))
            #expect(!page.contains(">44<") && !page.contains("looked at: 53"))
        }
    }

    @Test("is counted once for members who look at the same time, and again after a minute")
    func bounded() async throws {
        try await ConfigurationConsole.run { server, browser in
            try await ConfigurationConsole.store(Array(Self.installs.prefix(20)), in: server.services.database)
            _ = try await browser.get("/console/audiences/spring?count=now")
            let first = server.services.matches.known(1, nowMs: server.services.time.nowMs())
            server.clock.advance(by: .seconds(59))
            _ = try await browser.get("/console/audiences/plus?count=now")
            let second = server.services.matches.known(1, nowMs: server.services.time.nowMs())
            server.clock.advance(by: .seconds(1))
            _ = try await browser.get("/console/audiences/plus?count=now")
            let third = server.services.matches.known(1, nowMs: server.services.time.nowMs())

            let times = [first, second, third].map { $0?.audiences["plus"]?.atMs }
            #expect(times[0] != nil && times[1] == times[0])
            #expect(times[2] == times[0].map { $0 + 60_000 })
            #expect(server.services.matches.known(2, nowMs: server.services.time.nowMs()) == nil)
            server.clock.advance(by: .seconds(601))
            #expect(server.services.matches.known(1, nowMs: server.services.time.nowMs()) == nil)
        }
    }
}
