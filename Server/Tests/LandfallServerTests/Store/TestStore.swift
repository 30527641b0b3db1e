// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Synchronization

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A store in a database of its own, with everything that works on it.
final class TestStore: Sendable {
    static let app = AppID("com.example.app")
    /// Some instant; tests count from it.
    static let noon: Int64 = 1_790_000_000_000
    static let hour: Int64 = 3_600_000

    private let own: OwnDatabase
    let database: RecordingDatabase
    let mark: StoreMark
    let cache = InstallCache()
    let installs: SQLInstallStore
    let events: EventStore
    let links: LinkStore
    let clicks: SQLClickStore
    let jobs: JobQueue
    let answers: AppleAdsAnswers
    let tokensQueued = Count()
    private let observation: StoreObservation

    /// - Parameters:
    ///   - createdAtMs: when the store was made: its epoch.
    ///   - isShared: other nodes work on it too.
    ///   - isEmbedded: true for SQLite, whatever the engine of the run is.
    init(
        createdAtMs: Int64 = TestStore.noon - 1_000, isShared: Bool = false, isEmbedded: Bool = TestEngine.isEmbedded
    ) async throws {
        own = try await OwnDatabase(isEmbedded: isEmbedded)
        database = RecordingDatabase(own.engine, isShared: isShared)
        // Again, for the record.
        try await database.migrate(Schema.migrations)
        mark = try await StoreMark.load(from: database, nowMs: createdAtMs)
        installs = SQLInstallStore(database, mark, cache: cache)
        events = EventStore(database, mark)
        links = LinkStore(database)
        clicks = SQLClickStore(database)
        jobs = JobQueue(database: database)
        answers = AppleAdsAnswers(database, mark)
        observation = database.observers.add { [cache, tokensQueued] news in
            cache.hear(news)
            if case .changed(let changes) = news, changes.contains(.job) { tokensQueued.increment() }
        }
    }

    /// What is under ``database``: it runs a unit once, and records nothing.
    var engine: any Database { own.engine }
    /// For files of the test.
    var folder: URL { own.folder }

    /// A first open with a token that Apple has not seen yet.
    @discardableResult
    func open(
        _ phone: Credential, token: AdToken = .none(.noToken), device: DeviceFacts = DeviceFacts(),
        attributes: [String: AttributeValue] = [:], nowMs: Int64 = TestStore.noon
    ) async throws -> Install {
        try await installs.open(
            Self.app, phone, Opening(device: device, adToken: token, attributes: attributes), nowMs: nowMs
        ).install
    }

    /// Takes exchanges that are due.
    func lease(_ limit: Int, nowMs: Int64, leaseMs: Int64 = 30_000) async throws -> [LeasedExchange] {
        try await jobs.lease(.appleAds, limit, nowMs: nowMs, leaseMs: leaseMs, .interactive).compactMap { LeasedExchange($0) }
    }

    func install(_ phone: Credential) async throws -> Install {
        try await installs.install(Self.app, phone, nowMs: Self.noon)
    }

    /// How often the disk was waited for. PostgreSQL's driver counts a commit after its caller has the answer.
    var commitCount: Int { (engine as? any WriteCounting)?.writeCounts.commits ?? 0 }

    func count(of table: String) async throws -> Int64 {
        try await engine.read { try $0.row("SELECT COUNT(*) AS count FROM \(table)")?.integer("count") ?? -1 }
    }
}

extension Credential {
    /// Phones that tests speak of.
    static let mayasPhone = phone("0199b0a0-0000-7000-8000-000000000001", secret: 1)
    static let mayasTablet = phone("0199b0a0-0000-7000-8000-000000000002", secret: 2)
    static let omarsPhone = phone("0199b0a0-0000-7000-8000-000000000003", secret: 3)

    static func phone(_ id: String, secret: UInt8) -> Credential {
        Credential(installID: InstallID(id), secretHash: [UInt8](repeating: secret, count: 32))
    }

    /// The same install id with a wrong secret.
    var impostor: Credential { Credential(installID: installID, secretHash: [UInt8](repeating: 0xEE, count: 32)) }
}

final class Count: Sendable {
    private let state = Mutex(0)
    var value: Int { state.withLock(\.self) }
    func increment() { state.withLock { $0 += 1 } }
}

extension ClickStore {
    /// One click in its own transaction.
    func record(
        _ click: Click, handing deferred: [DeferredClick], waiting: AddressedClick?, of app: AppID
    ) async throws {
        try await record(ClickEntry(click: click, deferred: deferred, waiting: waiting), of: app)
    }
}
