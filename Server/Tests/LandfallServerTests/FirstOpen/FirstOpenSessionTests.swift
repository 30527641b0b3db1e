// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The lines of a first-open stream", .timeLimit(.minutes(1)))
struct FirstOpenSessionTests {
    private let snapshot = Snapshot(.sample(), revision: 7)
    private let nowMs: Int64 = 1_000_000

    private func session(_ wanted: [PlacementID], holdMs: Int64 = 5000) -> FirstOpenSession {
        FirstOpenSession(
            snapshot: snapshot, wanted: wanted.map { .init(id: $0) }, tokens: PurchaseTokens(key: []), holdEndsAtMs: nowMs + holdMs
        )
    }

    private func answers(_ lines: [FirstOpenLine]) -> [PaywallAnswer] {
        lines.compactMap { if case .paywall(let answer) = $0 { answer } else { nil } }
    }

    @Test("With nothing pending, the first lines are profile, attribution and final paywalls")
    func nothingPending() {
        var session = session(["onboarding", "settings"])

        let lines = session.lines(for: .sample(), isTokenAnnounced: false, nowMs: nowMs)

        #expect(lines.count == 4)
        #expect(answers(lines).map(\.final) == [true, true])
        #expect(session.isFinal)
    }

    @Test("An announced token keeps only the placements open that depend on it")
    func coming() {
        var session = session(["onboarding", "settings"])

        let lines = session.lines(for: .sample(), isTokenAnnounced: true, nowMs: nowMs)

        #expect(lines.contains(.attribution(.pending(nextAnswerNotBefore: 0))))
        #expect(answers(lines).map(\.final) == [false, true])
        #expect(!session.isFinal)
    }

    @Test("Apple's answer is not waited for again, although another token is announced", arguments: [nil, 7 as Int64?])
    func announcedAgain(campaign: Int64?) {
        var install = Install.sample()
        install.answered(campaign: campaign, atMs: 5)
        var session = session(["onboarding"])

        let lines = session.lines(for: install, isTokenAnnounced: true, nowMs: nowMs)

        #expect(answers(lines).map(\.final) == [true])
        #expect(session.isFinal)
    }

    @Test("A placement that nothing pending can change does not hold the stream")
    func irrelevant() {
        var session = session(["settings"])

        _ = session.lines(for: .sample(), isTokenAnnounced: true, nowMs: nowMs)

        #expect(session.isFinal)
    }

    @Test("Without a wanted placement the stream is held for the attribution itself")
    func noPlacement() {
        var session = session([])

        _ = session.lines(for: .sample(), isTokenAnnounced: true, nowMs: nowMs)

        #expect(!session.isFinal)
    }

    @Test("Apple's answer changes the paywall and makes it final")
    func answered() {
        var session = session(["onboarding"])
        var install = Install.sample(exchange: .waiting(dueAtMs: nowMs))
        let first = session.lines(for: install, isTokenAnnounced: false, nowMs: nowMs)
        #expect(answers(first).map(\.paywall?.name) == [PaywallID("default")])
        #expect(answers(first).map(\.final) == [false])

        install.answered(campaign: 42, atMs: nowMs + 300)
        let second = session.lines(for: install, isTokenAnnounced: false, nowMs: nowMs + 300)

        #expect(answers(second).map(\.paywall?.name) == [PaywallID("apple-ads")])
        #expect(answers(second).map(\.audience) == [AudienceID("apple-ads-users")])
        #expect(answers(second).map(\.final) == [true])
        #expect(session.isFinal)
    }

    @Test("Organic makes the same paywall final: the line is sent again because it is now certain")
    func organic() {
        var session = session(["onboarding"])
        var install = Install.sample(exchange: .waiting(dueAtMs: nowMs))
        _ = session.lines(for: install, isTokenAnnounced: false, nowMs: nowMs)

        install.answered(campaign: nil, atMs: nowMs + 300)
        let lines = session.lines(for: install, isTokenAnnounced: false, nowMs: nowMs + 300)

        #expect(lines.contains(.attribution(.notAttributed)))
        #expect(answers(lines).map(\.paywall?.name) == [PaywallID("default")])
        #expect(answers(lines).map(\.final) == [true])
    }

    @Test(
        "A next try counts only if it begins before the hold ends",
        arguments: [(dueMs: 0, final: false), (4999, false), (5000, true), (60_000, true)]
    )
    func nextAttempt(dueMs: Int64, final: Bool) {
        var session = session(["onboarding"])

        let lines = session.lines(
            for: .sample(exchange: .waiting(dueAtMs: nowMs + dueMs)), isTokenAnnounced: false, nowMs: nowMs)

        #expect(lines.contains(.attribution(.pending(nextAnswerNotBefore: dueMs))))
        #expect(answers(lines).map(\.final) == [final])
        #expect(session.isFinal == final)
    }

    @Test("Another provider's claim is sent at once and does not end the wait for Apple")
    func claim() {
        var session = session(["onboarding"])
        var install = Install.sample()
        install.facts = [
            AttributionFact(
                id: "c", source: AttributionSource("appsflyer"), status: .nonOrganic, saidAtMs: nowMs, recordedAtMs: nowMs
            )
        ]

        let lines = session.lines(for: install, isTokenAnnounced: true, nowMs: nowMs)

        let isTold = lines.contains {
            if case .attribution(.attributed(let details)) = $0 { details.source.rawValue == "appsflyer" } else { false }
        }
        #expect(isTold)
        #expect(!session.isFinal)
    }

    @Test("A token that overtook its announcement is not waited for again")
    func overtaken() {
        var session = session(["onboarding"])
        var install = Install.sample()
        install.exchange = AppleAdsExchange(tokenHash: TokenHash(of: "t"), state: .organic, receivedAtMs: nowMs - 1000)

        _ = session.lines(for: install, isTokenAnnounced: true, nowMs: nowMs)

        #expect(session.isFinal)
    }

    @Test("The phone's report that no token comes ends the wait")
    func noToken() {
        var session = session(["onboarding"])
        _ = session.lines(for: .sample(), isTokenAnnounced: true, nowMs: nowMs)

        let lines = session.lines(for: .sample(tokenNone: .unsupported), isTokenAnnounced: false, nowMs: nowMs + 10)

        #expect(lines.contains(.attribution(.unavailable(.unsupported))))
        #expect(session.isFinal)
    }

    @Test("Without news there is no line, even when time has passed")
    func silence() {
        var session = session(["onboarding"])
        let install = Install.sample(exchange: .waiting(dueAtMs: nowMs + 1000))
        _ = session.lines(for: install, isTokenAnnounced: false, nowMs: nowMs)

        #expect(session.lines(for: install, isTokenAnnounced: false, nowMs: nowMs + 400).isEmpty)
    }

    @Test("A new try is reported, so that a phone with a shorter deadline need not wait for it")
    func rescheduled() {
        var session = session(["onboarding"], holdMs: 30_000)
        _ = session.lines(for: .sample(exchange: .waiting(dueAtMs: nowMs)), isTokenAnnounced: false, nowMs: nowMs)

        let lines = session.lines(
            for: .sample(exchange: .waiting(dueAtMs: nowMs + 5200)), isTokenAnnounced: false, nowMs: nowMs + 200
        )

        #expect(lines == [.attribution(.pending(nextAnswerNotBefore: 5000))])
    }

    @Test("An unknown placement or locale is its own problem line; the others get their paywall")
    func problems() {
        var session = FirstOpenSession(
            snapshot: snapshot,
            wanted: [.init(id: "nowhere"), .init(id: "settings", locale: "?"), .init(id: "settings", locale: "de_AT")],
            tokens: PurchaseTokens(key: []), holdEndsAtMs: nowMs
        )

        let lines = session.lines(for: .sample(), isTokenAnnounced: false, nowMs: nowMs)

        let codes = lines.compactMap { if case .problem(let problem) = $0 { problem.code } else { nil } }
        #expect(codes == [.placementUnknown, .invalidLocale])
        #expect(answers(lines).map(\.paywall?.remoteConfig?.locale) == ["de"])
        #expect(session.isFinal)
    }
}

extension Install {
    static func sample(exchange: AppleAdsExchange.State? = nil, tokenNone: UnavailableReason? = nil) -> Install {
        let phone = Phone()
        return Install(
            id: InstallID(phone.id), profileID: .first(of: InstallID(phone.id)), epoch: 1, installVersion: 1, profileVersion: 0,
            attributionVersion: 0, customerID: nil, customerIsVerified: false, device: DeviceFacts(), attributes: [:],
            isReinstall: false, firstInstallID: nil, createdAtMs: 0, installedAtMs: 0, lastSeenAtMs: 0, facts: [],
            exchange: exchange.map { AppleAdsExchange(tokenHash: TokenHash(of: "t"), state: $0, receivedAtMs: 0) },
            tokenNone: tokenNone
        )
    }

    /// Apple's answer as the store would show it: attributed to the campaign, or organic.
    mutating func answered(campaign: Int64?, atMs: Int64) {
        var fact = AttributionFact(
            id: "a", source: .appleAds, status: campaign == nil ? .organic : .nonOrganic, saidAtMs: atMs, recordedAtMs: atMs
        )
        fact.verified = true
        fact.appleAds = AppleAdsAnswer(attribution: campaign != nil)
        fact.appleAds?.campaignId = campaign
        facts = [fact]
        exchange = AppleAdsExchange(
            tokenHash: TokenHash(of: "t"), state: campaign == nil ? .organic : .attributed, receivedAtMs: 0)
        installVersion += 1
        attributionVersion += 1
    }
}
