// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// Facts about a few dozen installs over two weeks, in an order that a seed decides: opens, claims, answers of Apple, links, events
/// that are late, repeated or out of order. Calling ``next()`` stores one of them.
actor RollupStory {
    /// 22 October 2026: three days before the clocks go back in Berlin, ten before they do in New York.
    static let autumnMs: Int64 = 1_792_627_200_000
    /// 28 March 2026: a day before the clocks go forward in Berlin.
    static let springMs: Int64 = 1_774_656_000_000
    static let days: Int64 = 14
    /// So many facts take about all the days.
    static let facts = 400

    private let store: TestStore
    private var random: SeededRandom
    private var phones: [Credential] = []
    private var sent: [(batch: EventBatch, phone: Credential)] = []
    private(set) var nowMs: Int64
    private(set) var installs: [StoryInstall] = []
    private var devices: [DeviceFacts] = []
    private var storedEvents: Set<Int> = []
    private var left: Int

    init(_ store: TestStore, seed: UInt64, startMs: Int64) {
        self.store = store
        nowMs = startMs
        random = SeededRandom(seed: seed)
        left = Self.facts
    }

    /// The same in each run of a seed.
    private static func id(_ number: Int) -> String { "0199b0a0-0000-7000-8000-\(100_000_000_000 + number)" }

    var isOver: Bool { left == 0 }

    /// A decision of the test that the seed repeats too.
    func chance(_ share: Int) -> Bool { Int.random(in: 0..<100, using: &random) < share }
    /// One of the installs; nil before there are any.
    func anInstall() -> InstallID? { phones.randomElement(using: &random)?.installID }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    func next() async throws {
        guard left > 0 else { return }
        left -= 1
        nowMs += Int64.random(in: 0...(2 * Self.days * 86_400_000 / Int64(Self.facts)), using: &random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: try await open()
        case 3, 4: try await claim()
        case 5: try await again()
        case 6, 7: try await visit()
        case 8: try await link()
        case 9: try await appleAds()
        default: try await event()
        }
    }

    private func open() async throws {
        let phone = Credential.phone(Self.id(phones.count), secret: 1)
        phones.append(phone)
        var device = DeviceFacts()
        device.platform = ["ios", "android"].randomElement(using: &random)
        device.locale = ["en-US", "de-DE", "ja-JP"].randomElement(using: &random)
        device.appVersion = ["2.9", "2.10", nil].randomElement(using: &random)!
        if Int.random(in: 0..<5, using: &random) == 0 { device.installedAgeMilliseconds = Int64.random(in: 0...200_000_000, using: &random) }
        // A few come to a device that had the app before.
        let before = Int.random(in: 0..<6, using: &random) == 0 ? devices.randomElement(using: &random)?.deviceId : nil
        device.deviceId = before ?? "d\(phones.count)"
        try await store.open(phone, device: device, nowMs: nowMs)
        let age = device.installedAgeMilliseconds.flatMap { $0 >= 60_000 ? $0 : nil } ?? 0
        devices.append(device)
        installs.append(StoryInstall(createdMs: nowMs, firstOpenMs: nowMs - age, isReinstall: before != nil, seenMs: [nowMs]))
    }

    private func visit() async throws {
        guard let place = phones.indices.randomElement(using: &random) else { return try await open() }
        let atMs = nowMs
        // An update of the app changes nothing of the first open.
        if Bool.random(using: &random) { devices[place].appVersion = "3.0" }
        try await store.open(phones[place], device: devices[place], nowMs: atMs)
        installs[place].seenMs.append(atMs)
    }

    /// A later claim may make an organic install a paid one, or change its campaign.
    private func claim() async throws {
        guard let phone = phones.randomElement(using: &random) else { return try await open() }
        let status: AttributionClaim.Status = [.nonOrganic, .nonOrganic, .organic].randomElement(using: &random) ?? .organic
        var claim = AttributionClaim(key: IdempotencyKey("c\(left)"), source: AttributionSource(["tenjin", "other"].randomElement(using: &random)!), status: status)
        claim.campaign = ["summer", "autumn", "it's \"ü\""].randomElement(using: &random)
        _ = try await store.installs.record(TestStore.app, phone, claim, nowMs: nowMs)
    }

    /// A click before the first open turns out to be the source; some of them were only found by network address.
    private func link() async throws {
        guard let place = phones.indices.randomElement(using: &random) else { return try await open() }
        var fact = AttributionFact(
            id: "link:\(left)", source: .link, status: .nonOrganic, saidAtMs: installs[place].firstOpenMs - 60_000, recordedAtMs: nowMs)
        let path = ["beach", "lake"].randomElement(using: &random)!
        fact.link = ClickedLink(code: "go.example.com/\(path)", windows: AttributionWindows())
        fact.campaign = [path, nil].randomElement(using: &random)!
        fact.verified = Bool.random(using: &random)
        try await keep(fact, of: phones[place])
    }

    /// Apple's answer, with or without its parts.
    private func appleAds() async throws {
        guard let phone = phones.randomElement(using: &random) else { return try await open() }
        var answer = AppleAdsAnswer(attribution: true)
        answer.campaignId = Int64.random(in: 1...2, using: &random)
        answer.adGroupId = [10, 11, nil].randomElement(using: &random)!
        answer.keywordId = [100, nil].randomElement(using: &random)!
        var fact = AttributionFact(id: "apple:\(left)", source: .appleAds, status: .nonOrganic, saidAtMs: nowMs - 5_000, recordedAtMs: nowMs)
        fact.appleAds = answer
        fact.verified = true
        try await keep(fact, of: phone)
    }

    /// With its mark, as the server itself stores a fact.
    private func keep(_ fact: AttributionFact, of phone: Credential) async throws {
        let unit = InstallUnit(TestStore.app, phone.installID, nil, storeEpoch: 0, nowMs: nowMs)
        let statements = [try fact.insertion(of: unit), unit.reportMark]
        try await store.database.write { connection in for statement in statements { _ = try connection.run(statement) } }
    }

    private func event() async throws {
        guard let phone = phones.randomElement(using: &random) else { return try await open() }
        let type = [Event.Kind.paywallShown, Event.Kind("trial_started"), Event.Kind("other")].randomElement(using: &random)!
        let age = Int64.random(in: 0...4, using: &random) * Int64.random(in: 0...86_400_000, using: &random)
        var event = Event(id: Self.id(1_000 + sent.count), type: type, ageMilliseconds: age)
        event.placement = type == .paywallShown ? PlacementID(["onboarding", "settings"].randomElement(using: &random)!) : nil
        event.paywall = event.placement == nil ? nil : PaywallID(["a", "b", "c"].randomElement(using: &random)!)
        event.variationId = event.paywall == "c" ? VariationID("v") : nil
        event.origin = event.placement == nil ? nil : ["matching", "default", nil].randomElement(using: &random)!
        event.elapsedMilliseconds = event.placement == nil || event.paywall == "b" ? nil : Int64.random(in: -1...70_000, using: &random)
        sent.append((EventBatch(events: [event]), phone))
        try await record(sent.count - 1)
    }

    /// The phone did not get the answer.
    private func again() async throws {
        guard let place = sent.indices.randomElement(using: &random) else { return try await open() }
        try await record(place)
    }

    private func record(_ place: Int) async throws {
        let (batch, phone) = sent[place]
        // A metric counts only declared types: an event of another one marks nothing.
        let declared = [Event.Kind("trial_started"): EventDeclaration(), Event.Kind("other"): EventDeclaration()]
        let atMs = nowMs
        _ = try await store.events.record(batch, TestStore.app, phone, declared: declared, nowMs: atMs)
        // The first arrival says when it happened.
        if storedEvents.insert(place).inserted, let install = phones.firstIndex(of: phone) {
            installs[install].seenMs += batch.events.map { atMs - $0.ageMilliseconds }
        }
    }
}

/// An install as the story knows it, without the store.
struct StoryInstall: Sendable {
    let createdMs: Int64
    let firstOpenMs: Int64
    let isReinstall: Bool
    var seenMs: [Int64]
}

/// Disturbs every transaction of the work: facts come in between, or the node dies at any statement.
struct DisturbedDatabase: PassingDatabase {
    struct Crash: Error {}

    let base: any Database
    let story: RollupStory

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        if await story.chance(10) { try await story.next() }
        return try await base.read(body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        if await story.chance(30) { try await story.next() }
        let last = await story.chance(30) ? story.number(0...6) : Int.max
        return try await base.write(urgency, locking: locks) { connection in
            let dying = DyingConnection(base: connection, left: last)
            let value = try body(dying)
            // Dead before the commit.
            if dying.left == 0 { throw Crash() }
            return value
        }
    }
}

private final class DyingConnection: PassingConnection {
    let base: any WriteConnection
    var left: Int

    init(base: any WriteConnection, left: Int) {
        self.base = base
        self.left = left
    }

    func run(_ statement: Statement) throws -> Int {
        guard left > 0 else { throw DisturbedDatabase.Crash() }
        left -= 1
        return try base.run(statement)
    }
}
