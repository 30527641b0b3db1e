// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import Logging
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Which clicks are stored", .timeLimit(.minutes(1)))
struct ClickAdmissionTests {
    private static let beach = "https://go.example.com/beach"
    private static let here = ClientAddress("192.0.2.7"), there = ClientAddress("198.51.100.1")

    @Test("One network has a limit for ten minutes, and a lower one for invented paths")
    func bounds() {
        let admission = ClickAdmission()
        func refusals(_ count: Int, isInvented: Bool, from address: ClientAddress?, nowMs: Int64 = 0) -> [ClickAdmission.Refusal] {
            (0..<count).compactMap { _ in admission.refusal(isInvented: isInvented, from: address, nowMs: nowMs) }
        }
        let most = ClickAdmission.mostByAddress, mostInvented = ClickAdmission.mostInventedByAddress

        #expect(refusals(mostInvented + 2, isInvented: true, from: Self.here) == [.invented, .invented])
        #expect(refusals(most - mostInvented, isInvented: false, from: Self.here).isEmpty)
        #expect(refusals(2, isInvented: false, from: Self.here) == [.address, .address])
        #expect(refusals(1, isInvented: true, from: Self.there).isEmpty)
        #expect(refusals(2 * most, isInvented: true, from: nil).isEmpty)
        #expect(refusals(1, isInvented: false, from: Self.here, nowMs: AddressLimit.windowMs).isEmpty)
    }

    @Test("No click is stored below a tenth of free disk; the free space is read once a second")
    func disk() {
        let free = Mutex(0.0999), looks = Mutex(0)
        let admission = ClickAdmission(freeDiskShare: {
            looks.withLock { $0 += 1 }
            return free.withLock { $0 }
        })

        #expect(admission.refusal(isInvented: false, from: nil, nowMs: 0) == .disk)
        free.withLock { $0 = 0.1 }
        #expect(admission.refusal(isInvented: false, from: nil, nowMs: 999) == .disk)
        #expect(looks.withLock { $0 } == 1)
        #expect(admission.refusal(isInvented: false, from: nil, nowMs: 1_000) == nil)
    }

    @Test("Above the limit a visitor is redirected; the click is counted but not stored, and there is no token")
    func sentOn() async throws {
        try await TestServer.runBrand { server in
            server.spend(Self.here)

            let redirect = try await Browser.onPhone.open(Self.beach, in: server)
            let page = try await Browser.onPhone.open("https://go.example.com/copied", in: server)
            let other = try await Browser(address: "198.51.100.1").open(Self.beach, in: server)

            #expect([redirect.status, page.status, other.status] == [302, 200, 302])
            #expect(page.copied == nil)
            _ = try await server.onlyClick()
            let handed = try await server.rows("SELECT kind FROM deferred_link")
            #expect(handed.isEmpty)
            #expect(server.services.metrics.text().contains(#"landfall_link_clicks_not_stored_total{reason="address"} 2"#))
        }
    }

    @Test("Redirects on the event loop follow the same rule")
    func shortcut() async throws {
        try await TestServer.runBrand { server in
            let services = server.services
            try await services.visitors.prepare(nowMs: services.time.nowMs())
            let domain = try #require(services.snapshot.brandDomain("go.example.com"))
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: domain.host, path: "/beach", headerFields: [.userAgent: Browser.safari])
            let client = LinkClients(services.hosts).client(head, from: Self.here)
            let links = services.linkRoutes
            #expect(links.plainRedirect(to: "/beach", on: domain, in: services.snapshot, for: client)?.entry != nil)
            server.spend(Self.here)

            let redirect = try #require(links.plainRedirect(to: "/beach", on: domain, in: services.snapshot, for: client))
            let isAnswered = Mutex(false)
            links.record(redirect, { Logger(label: "test") }) { isAnswered.withLock { $0 = true } }

            #expect(redirect.entry == nil)
            #expect(redirect.head.fields[.location]?.hasPrefix("https://apps.apple.com/") == true)
            #expect(isAnswered.withLock { $0 })
        }
    }

    @Test("A phone's report counts for its install even if its click is not stored; one by the SDK key alone leaves nothing")
    func reports() async throws {
        try await TestServer.runBrand { server in
            var services = server.services
            services.clickAdmission = ClickAdmission(freeDiskShare: { 0.09 })
            let phone = Phone(1)
            _ = try await server.send(.post, WirePath.firstOpen, #"{"adToken":"none"}"#, phone: phone)
            let opened = try await services.links.open(Self.beach, in: services.snapshot, from: nil, nowMs: services.time.nowMs())
            var report = try #require(
                ClickReport(opened, key: "k", ageMilliseconds: 0, windows: services.snapshot.attributionWindows))
            let address = Self.here
            report.isStored = services.clickIntake.stores(
                isInvented: report.click.decision == .tracked, from: address, nowMs: services.time.nowMs())

            #expect(!report.isStored)
            let install = try await services.installs.record(
                services.snapshot.app.id, phone.credential, report, nowMs: services.time.nowMs())
            #expect(install.latestLink(nowMs: services.time.nowMs())?.campaign == "summer")
            let clicks = try await server.rows("SELECT * FROM click")
            #expect(clicks.isEmpty)
        }
    }
}

extension TestServer {
    /// As if this network had sent as many clicks as it may.
    fileprivate func spend(_ address: ClientAddress?) {
        let nowMs = services.time.nowMs()
        for _ in 0..<ClickAdmission.mostByAddress {
            _ = services.clickAdmission.refusal(isInvented: false, from: address, nowMs: nowMs)
        }
    }
}
