// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallAppClient

/// The state behind the static members of ``Adapty``: at most one client, and the calls before it existed.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
final class Activation: @unchecked Sendable {
    /// The only global state of this module.
    static let current = Activation()
    /// The default limit of a call.
    static let loadTimeout = Duration.seconds(5)

    private struct Active {
        let configuration: AdaptyConfiguration
        let client: LandfallClient
        let store: (any ProductSource)?
    }

    private struct State {
        var active: Active?
        var fallback: Data?
        var waiting: [UUID: AsyncStream<LandfallClient>.Continuation] = [:]
        var following: [Task<Void, Never>] = []
        var identifying: Task<Void, Never>?

        func isActive(with configuration: AdaptyConfiguration) throws(AdaptyError) -> Bool {
            guard let active else { return false }
            guard active.configuration == configuration else {
                throw AdaptyError(
                    .activateOnceError,
                    "Already activated with another configuration. Activate once; to change the person, call identify."
                )
            }
            return true
        }

        /// - Returns: the calls from before there was a client.
        mutating func begin(_ active: Active) -> State {
            defer {
                self.active = active
                fallback = nil
                waiting = [:]
            }
            return self
        }
    }

    let delivery = ProfileDelivery()
    let shownPaywalls = ShownPaywalls()
    let log: LogDesk
    let time: LandfallTime
    private let ownStore: (any ProductSource)?
    private let makeClient: @Sendable (LandfallConfiguration) -> LandfallClient
    private let lock = NSLock()
    private var state = State()

    /// - Parameters:
    ///   - store: of a test; nil: the platform's.
    ///   - makeClient: tests put their own transport and storage into the configuration here; does no I/O.
    init(
        time: LandfallTime = .live, log: LogDesk = LogDesk(), store: (any ProductSource)? = nil,
        makeClient: @escaping @Sendable (LandfallConfiguration) -> LandfallClient = { SharedClient.current.client($0) }
    ) {
        self.time = time
        self.log = log
        ownStore = store
        self.makeClient = makeClient
    }

    deinit {
        state.following.forEach { $0.cancel() }
        state.identifying?.cancel()
    }

    var client: LandfallClient? { lock.withLock { state.active?.client } }
    /// What sells on this phone; nil before `activate`, and on a system without a store.
    var store: (any ProductSource)? { lock.withLock { state.active?.store } }

    /// Where completions and the delegate are called.
    var callbackQueue: DispatchQueue { lock.withLock { state.active?.configuration.callbackDispatchQueue } ?? .main }

    func activate(_ configuration: AdaptyConfiguration) throws(AdaptyError) {
        try AdaptyError.translating { try begin(configuration) }
    }

    private func begin(_ configuration: AdaptyConfiguration) throws {
        if try lock.withLock({ try state.isActive(with: configuration) }) { return }
        let server = try configuration.serverURL ?? ServerAddress.found()
        // Before the client is made: joining one is logged.
        if let level = configuration.logLevel { log.level = level }
        let settings = configuration.landfall(server: server) { [log] line in log.log(line) }
        // Foreign code runs in here, so the lock is free. Of two clients made at once one is dropped; making one does no I/O.
        let client = makeClient(settings)
        let active = Active(configuration: configuration, client: client, store: ownStore ?? settings.products)
        let before = try lock.withLock {
            try state.isActive(with: configuration) ? nil : state.begin(active)
        }
        guard let before else { return }
        for notice in configuration.notices { log.say(notice) }
        if let fallback = before.fallback {
            do { try client.setFallback(fallback) } catch { settings.log(LogLine(.error, "\(error)")) }
        }
        // Before the start: the first open says that purchases are coming.
        if active.store != nil || settings.transactions != nil { client.observePurchases() }
        client.start()
        follow(active)
        for waiting in before.waiting.values { waiting.yield(client) }
    }

    /// The client, as soon as there is one.
    /// - Throws: ``AdaptyError`` 2002 if `activate` is not called within `limit`, 9000.
    func client(within limit: Duration = loadTimeout) async throws(AdaptyError) -> LandfallClient {
        try await AdaptyError.translating { try await arrived(within: limit) }
    }

    private func arrived(within limit: Duration) async throws -> LandfallClient {
        let id = UUID()
        let (arrivals, arrival) = AsyncStream.makeStream(of: LandfallClient.self)
        let active = lock.withLock {
            if state.active == nil { state.waiting[id] = arrival }
            return state.active?.client
        }
        if let active { return active }
        defer { lock.withLock { state.waiting[id] = nil } }
        let deadline = time.now() + limit
        return try await withThrowingTaskGroup(of: LandfallClient.self) { [time] race in
            defer { race.cancelAll() }
            race.addTask {
                for await client in arrivals { return client }
                throw CancellationError()
            }
            race.addTask {
                try await time.sleep(deadline)
                throw AdaptyError(.notActivated, "Adapty.activate has not been called. Call it when the app starts.")
            }
            guard let client = try await race.next() else { throw CancellationError() }
            return client
        }
    }

    /// Sets the fallback file of this client, or of the client that is made later.
    /// - Throws: ``AdaptyError`` 2006; before `activate` the file cannot be checked, and the client logs a problem later.
    func setFallback(_ data: Data) throws(AdaptyError) {
        let client = lock.withLock {
            if state.active == nil { state.fallback = data }
            return state.active?.client
        }
        do {
            try client?.setFallback(data)
        } catch {
            throw AdaptyError(.decodingFailed, "\(error)", originalError: error)
        }
    }

    /// The app itself identifies the person: the id given to `activate` no longer counts.
    func endIdentifying() { lock.withLock { state.identifying }?.cancel() }

    private func follow(_ active: Active) {
        let (client, configuration, queue) = (active.client, active.configuration, callbackQueue)
        var following = [Task { [delivery] in await delivery.follow(client.profiles, on: queue) }]
        if let store = active.store, !configuration.observerMode {
            let course = StoreCourse(
                store: store, client: client, behavior: configuration.transactionFinishBehavior, delivery: delivery, queue: queue)
            following.append(Task { await course.follow() })
        }
        let identifying = configuration.customerUserId.map { id in Task { [time] in await client.identify(id, untilDoneBy: time) } }
        lock.withLock {
            state.following = following
            state.identifying = identifying
        }
    }
}
