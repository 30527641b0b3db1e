// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("When an alert fires, and when it is over", .timeLimit(.minutes(1)))
struct AlertStatesTests {
    private static let minute: Int64 = 60_000
    private static let start: Int64 = 1_795_300_000_000

    private static func domain(_ days: Int64? = 60, problem: String? = nil, file: Bool = true, copy: Bool? = true) -> DomainLook {
        var look = DomainLook(host: "go.example.com")
        (look.certificateDays, look.certificateProblem) = (days, problem)
        look.association = file ? .good("association", "names the app") : .bad("association", "is a redirect", fix: "")
        look.appleCopy = copy.map { $0 ? .good("appleCDN", "names the app") : .bad("appleCDN", "has none", fix: "") }
        return look
    }

    /// What is at its usual limit, and what has just passed it.
    private static let cases: [(rule: AlertRule, good: @Sendable (inout AlertMeasurements) -> Void, bad: @Sendable (inout AlertMeasurements) -> Void)] = [
        (.appleSilent, { $0.oldestTokenMs = 15 * minute + 59_999 }, { $0.oldestTokenMs = 16 * minute }),
        (.tokensNotFound, { $0.unknownTokens = .init(29, of: 29) }, { $0.unknownTokens = .init(51, of: 100) }),
        (.deadlinesMissed, { $0.missedDeadlines = .init(20, of: 100) }, { $0.missedDeadlines = .init(21, of: 100) }),
        (.fallbackShare, { $0.bundledPaywalls = .init(0, of: 0) }, { $0.bundledPaywalls = .init(31, of: 100) }),
        (.associationFile, { $0.domains = [domain()] }, { $0.domains = [domain(file: false)] }),
        (.appleCopy, { $0.domains = [domain(copy: nil)] }, { $0.domains = [domain(copy: false)] }),
        (.certificate, { $0.domains = [domain(14)] }, { $0.domains = [domain(13)] }),
        (.certificate, { $0.domains = [domain(nil)] }, { $0.domains = [domain(nil, problem: "ended")] }),
        (.expiredClicks, { $0.expiredClicks = 100 }, { $0.expiredClicks = 101 }),
        (.linksReachApp, { ($0.linkOpens, $0.linkOpensBefore) = (.init(0, of: 99), .init(50, of: 100)) },
            { ($0.linkOpens, $0.linkOpensBefore) = (.init(12, of: 100), .init(500, of: 1_000)) }),
        (.disk, { $0.freeDisk = 0.1 }, { $0.freeDisk = 0.0999 }),
        (.backup, { $0.backupMs = 48 * 60 * minute }, { $0.backupMs = 49 * 60 * minute }),
        (.webhook, { $0.webhooks = [.init(host: "a", failingMs: 60 * minute, isOff: false, failure: nil)] },
            { $0.webhooks = [.init(host: "a", failingMs: nil, isOff: true, failure: nil)] }),
        (.notificationsSilent, { $0.notificationsSilentMs = 12 * 60 * minute }, { $0.notificationsSilentMs = 13 * 60 * minute }),
    ]

    @Test("Each rule is bad behind its limit and not at it, says nothing of what was not measured, and has its own words", arguments: cases.indices)
    func limits(index: Int) throws {
        let (rule, good, bad) = Self.cases[index]
        func reading(_ change: (inout AlertMeasurements) -> Void) -> [AlertReading]? {
            var measured = AlertMeasurements()
            change(&measured)
            return measured.readings(AlertSettings())[rule]
        }

        #expect(reading { _ in } == nil)
        #expect(reading(good)?.contains(where: \.isBad) == false)
        let found = try #require(reading(bad)?.first)
        #expect(found.isBad)
        let text = AlertText.sentence(found.key, value: found.value, limit: AlertSettings().rules[rule]?.limit, detail: found.detail)
        #expect((found.key.subject.isEmpty || text.contains(found.key.subject)) && !text.contains("  ") && text.hasSuffix(".") || !found.detail.isEmpty, "\(text)")
        #expect(Set(AlertRule.allCases.map(AlertText.action)).count == AlertRule.allCases.count)
        #expect(Set(Self.cases.map(\.rule)) == Set(AlertRule.allCases))
    }

    private static func readings(_ free: Double?, domains: [DomainLook]? = nil) -> [AlertRule: [AlertReading]] {
        var measured = AlertMeasurements()
        (measured.freeDisk, measured.domains) = (free, domains)
        return measured.readings(AlertSettings())
    }

    @Test("It fires once after its minutes and is over once after as many; a value that swings at the limit tells nobody")
    func hysteresis() {
        var states = AlertStates()
        func look(_ free: Double?, at minute: Int64) -> [AlertNews.Kind] {
            states.follow(Self.readings(free), AlertSettings(), nowMs: Self.start + minute * Self.minute).map(\.kind)
        }

        #expect(look(0.05, at: 0).isEmpty && look(0.05, at: 4).isEmpty)
        #expect(look(0.2, at: 4).isEmpty && states.states.isEmpty)
        #expect(look(0.05, at: 5).isEmpty && look(0.05, at: 9).isEmpty)
        #expect(look(0.05, at: 10) == [.fired])
        #expect(look(0.04, at: 11).isEmpty && look(0.2, at: 12).isEmpty && look(0.04, at: 13).isEmpty && look(0.2, at: 14).isEmpty)
        // What cannot be measured changes nothing, also not for how long.
        #expect(look(nil, at: 18).isEmpty && look(0.2, at: 18).isEmpty)
        #expect(look(0.2, at: 19) == [.resolved])
        #expect(look(0.2, at: 20).isEmpty && states.states.isEmpty)
    }

    @Test("A restart tells nothing again; what lasted before it counts; a clock that goes back neither fires nor waits for ever")
    func restart() {
        var states = AlertStates()
        _ = states.follow(Self.readings(0.05), AlertSettings(), nowMs: Self.start)
        states = AlertStates(Array(states.states.values))
        let fired = states.follow(Self.readings(0.05), AlertSettings(), nowMs: Self.start + 5 * Self.minute)
        states = AlertStates(Array(states.states.values))
        let again = states.follow(Self.readings(0.05), AlertSettings(), nowMs: Self.start + 9 * Self.minute)
        let back = states.follow(Self.readings(0.2), AlertSettings(), nowMs: Self.start - 60 * Self.minute)
        let over = states.follow(Self.readings(0.2), AlertSettings(), nowMs: Self.start - 55 * Self.minute)

        #expect(fired.map(\.kind) == [.fired] && fired.first?.value == 5 && fired.first?.limit == 10)
        #expect(again.isEmpty && back.isEmpty && over.map(\.kind) == [.resolved])
    }

    @Test("Each host is an alert of its own; one that the configuration names no more is over; a rule that is switched off at once")
    func subjects() {
        var states = AlertStates(), settings = AlertSettings()
        settings.rules[.certificate] = AlertSettings.Setting(limit: 14, minutes: 0)
        var other = DomainLook(host: "other.example.com")
        other.certificateDays = 3
        let two = Self.readings(nil, domains: [Self.domain(2), other]), one = Self.readings(nil, domains: [other])

        #expect(states.follow(two, settings, nowMs: Self.start).map(\.key.subject) == ["go.example.com", "other.example.com"])
        let gone = states.follow(one, settings, nowMs: Self.start + 1)
        #expect(gone.map(\.kind) == [.resolved] && gone.first?.key.subject == "go.example.com")
        settings.rules[.certificate] = nil
        #expect(states.follow([:], settings, nowMs: Self.start + 2).map(\.kind) == [.resolved])
    }

    @Test("The alerts of a host that does not answer stay as they are; a brand domain that also serves the API is judged by what answers")
    func unreached() {
        var states = AlertStates(), settings = AlertSettings()
        settings.rules[.associationFile] = AlertSettings.Setting(limit: nil, minutes: 0)
        let silent = DomainLook(host: "go.example.com")
        func look(_ domains: [DomainLook], afterMs: Int64) -> [AlertNews.Kind] {
            states.follow(Self.readings(nil, domains: domains), settings, nowMs: Self.start + afterMs).map(\.kind)
        }

        #expect(look([Self.domain(file: false)], afterMs: 0) == [.fired])
        #expect(look([silent], afterMs: 1).isEmpty && states.states.count == 1)
        #expect(look([silent, Self.domain()], afterMs: 2) == [.resolved])
    }

    @Test("Counters grow within the last hour only; the first look says nothing")
    func window() {
        let window = AlertWindow()

        #expect(window.growth([5, 1], nowMs: Self.start) == nil)
        #expect(window.growth([9, 1], nowMs: Self.start + 30 * Self.minute) == [4, 0])
        #expect(window.growth([10, 2], nowMs: Self.start + 61 * Self.minute) == [1, 1])
        #expect(!window.isWhole(nowMs: Self.start + 61 * Self.minute) && window.isWhole(nowMs: Self.start + 85 * Self.minute))
        #expect(window.growth([10, 2], nowMs: Self.start - 1) == nil)
    }
}
