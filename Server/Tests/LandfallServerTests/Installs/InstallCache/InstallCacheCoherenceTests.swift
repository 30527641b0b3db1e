// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("The cache returns what the store has", .timeLimit(.minutes(2)))
struct InstallCacheCoherenceTests {
    private static let phones = (1...5).map { Credential.phone("0199b0a0-0000-7000-8000-00000000000\($0)", secret: UInt8($0)) }

    @Test("After every change, through every route and of every install", arguments: [1, 2, 3] as [UInt64])
    func everyChange(seed: UInt64) async throws {
        let store = try await TestStore()
        let uncached = SQLInstallStore(store.database, store.mark)
        var life = RandomLife(seed: seed)
        for step in 0..<150 {
            // A call that is refused has changed nothing, and that is to be seen too.
            _ = try? await life.change(Self.phones, in: store, step: step)

            for phone in Self.phones {
                let nowMs = TestStore.noon
                guard let truth = try await uncached.install(TestStore.app, phone.installID) else { continue }
                #expect(try await store.installs.install(TestStore.app, phone, nowMs: nowMs) == truth)
                let proof = try #require(phone.proof)
                #expect(try store.installs.knownAtOnce(TestStore.app, proof, readsLastSeen: true)?.install == truth)
            }
        }
    }

    @Test("Even while others change and read", arguments: [4, 5] as [UInt64])
    func concurrently(seed: UInt64) async throws {
        let store = try await TestStore()
        for phone in Self.phones { try await store.open(phone) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var life = RandomLife(seed: seed &* 100 &+ UInt64(task))
                    for step in 0..<60 {
                        guard let changed = try? await life.change(Self.phones, in: store, step: task * 1_000 + step) else { continue }
                        let read = try #require(try await store.installs.install(TestStore.app, changed.id))
                        // Other tasks may have changed it further; none can have changed it back.
                        #expect((read.epoch, read.version) >= (changed.epoch, changed.version))
                    }
                }
            }
            try await group.waitForAll()
        }
        let uncached = SQLInstallStore(store.database, store.mark)
        for phone in Self.phones {
            #expect(
                try await store.installs.install(TestStore.app, phone.installID)
                    == uncached.install(TestStore.app, phone.installID))
        }
    }

    @Test("A known install is read without the store, until it changes", .embedded("PostgreSQL is not read at once"))
    func reads() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        _ = try await store.install(.mayasPhone)
        let before = store.database.reads.value

        for _ in 0..<10 { _ = try await store.install(.mayasPhone) }

        #expect(store.database.reads.value == before)
        _ = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "out", nowMs: TestStore.noon)
        _ = try await store.install(.mayasPhone)
        #expect(store.database.reads.value == before + 1)
    }

    @Test("A paywall's read may leave the last visit out; an open after it knows the visit all the same", .embedded("PostgreSQL is not read at once"))
    func unseen() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let proof = try #require(Credential.mayasPhone.proof), commits = store.commitCount

        let bare = try store.installs.knownAtOnce(TestStore.app, proof, readsLastSeen: false)
        try await store.open(.mayasPhone, nowMs: TestStore.noon + 1)
        let whole = try store.installs.knownAtOnce(TestStore.app, proof, readsLastSeen: false)

        #expect(bare != nil && bare?.install.lastSeenAtMs == nil)
        #expect(store.commitCount == commits)
        #expect(whole?.install.lastSeenAtMs == TestStore.noon)
    }

    @Test("Another secret is refused from memory too")
    func impostor() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        _ = try await store.install(.mayasPhone)

        await #expect(throws: InstallError.profileMismatch) { try await store.install(Credential.mayasPhone.impostor) }
        let proof = try #require(Credential.mayasPhone.impostor.proof)
        #expect(throws: InstallError.profileMismatch) { try store.installs.knownAtOnce(TestStore.app, proof, readsLastSeen: true) }
    }
}

/// Changes of a few installs and the people they belong to, in every way that there is.
private struct RandomLife {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// - Returns: the install after the change; nil if the route does not return it.
    mutating func change(_ phones: [Credential], in store: TestStore, step: Int) async throws -> Install? {
        let phone = phones.randomElement(using: &random)!, app = TestStore.app, nowMs = TestStore.noon + Int64(step)
        let key = IdempotencyKey("k\(step)")
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            var device = DeviceFacts()
            device.appVersion = "1.\(step)"
            device.deviceId = ["d1", "d2"].randomElement(using: &random)
            return try await store.open(phone, device: device, attributes: ["n": .number(Double(step))], nowMs: nowMs)
        case 1, 2:
            let changes = AttributeChanges(key: key, attributes: ["a": .string("\(step)")])
            return try await store.installs.change(app, phone, changes, nowMs: nowMs)
        case 3:
            let claim = AttributionClaim(key: key, source: ["tenjin", "adjust"].randomElement(using: &random)!, status: .nonOrganic)
            return try await store.installs.record(app, phone, claim, nowMs: nowMs)
        case 4:
            let customer = CustomerID(["maya", "omar"].randomElement(using: &random)!)
            let person = Identification(key: key, customerID: customer, isVerified: Int.random(in: 0..<4, using: &random) > 0)
            return try await store.installs.identify(app, phone, person, nowMs: nowMs)
        case 5: return try await store.installs.logOut(app, phone, key: key, nowMs: nowMs)
        case 6: return try await store.installs.report(app, phone, .value("token-\(step)"), nowMs: nowMs)
        default:
            for exchange in try await store.lease(2, nowMs: nowMs) {
                let outcome: ExchangeOutcome = Bool.random(using: &random) ? .organic : .attributed(AppleAdsAnswer(attribution: true))
                let next = ExchangeStep(after: outcome, of: exchange, nowMs: nowMs)
                try await store.answers.record(outcome, next, of: exchange, nowMs: nowMs)
            }
            return nil
        }
    }
}

extension Credential {
    /// The same as a connection reads it. The secret is in neither.
    fileprivate var proof: InstallProof? {
        guard let key = InstallKey(installID), let hash = SecretHash(secretHash) else { return nil }
        return InstallProof(key: key, secretHash: hash)
    }
}
