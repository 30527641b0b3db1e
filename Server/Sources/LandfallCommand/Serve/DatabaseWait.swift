// SPDX-License-Identifier: Apache-2.0
import LandfallNode
import LandfallServer
import LandfallStore
import Logging
import ServiceLifecycle
import Synchronization

/// Opens a node's store. While its database is away the process waits for it: it is alive, and not ready.
final class DatabaseWait: Service {
    /// The pause before the first repeat. Each is twice the one before.
    static let pause = Duration.seconds(1)
    static let longestPause = Duration.seconds(5)
    static let logInterval = Duration.seconds(60)

    private let opening: @Sendable () async throws -> OpenedStore
    private let host: String
    private let notice: ServiceNotice
    private let stops: StopSignals
    private let logger: Logger
    private let state: Mutex<State>

    private struct State {
        var port: Int
        var store: OpenedStore?
    }

    /// - Parameter port: 0 picks a free one.
    init(
        host: String, port: Int, _ notice: ServiceNotice, _ stops: StopSignals, _ logger: Logger,
        opening: @escaping @Sendable () async throws -> OpenedStore
    ) {
        (self.host, self.notice, self.stops, self.logger, self.opening) = (host, notice, stops, logger, opening)
        state = Mutex(State(port: port))
    }

    /// - Returns: the store, and the port for the node; nil if the process was asked to stop before the database was there.
    /// - Throws: what no waiting mends: a wrong password, an unsuitable database.
    func store() async throws -> (store: OpenedStore, port: Int)? {
        do {
            return (try await opening(), state.withLock(\.port))
        } catch let error as DatabaseError where error.mayPass {
            logger.error("The database is away: the server starts when it is there.", metadata: ["error.text": "\(error)"])
        }
        let waiting = ServiceGroupConfiguration(
            services: [.init(service: self, successTerminationBehavior: .gracefullyShutdownGroup)], logger: logger)
        let isAsked = try await stops.run(waiting)
        let found = state.withLock(\.self)
        guard let store = found.store else { return nil }
        if isAsked {
            try await store.close()
            return nil
        }
        return (store, found.port)
    }

    func run() async throws {
        let starting = StartingNode(host: host, port: state.withLock(\.port), logger: logger) { [self] port in
            state.withLock { $0.port = port }
            notice.ready()
        }
        do {
            try await cancelWhenGracefulShutdown { [self] in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    defer { tasks.cancelAll() }
                    tasks.addTask { try await starting.run() }
                    tasks.addTask { [self] in try await wait() }
                    _ = try await tasks.next()
                }
            }
        } catch is CancellationError {}
    }

    private func wait() async throws {
        var pause = Self.pause
        let begun = ContinuousClock.now
        var logged = begun
        while true {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
            do {
                let store = try await attempt()
                state.withLock { $0.store = store }
                return logger.notice("The database is there.", metadata: ["store.awaySeconds": "\((ContinuousClock.now - begun).components.seconds)"])
            } catch let error as DatabaseError where error.mayPass {
                guard ContinuousClock.now - logged >= Self.logInterval else { continue }
                logged = .now
                logger.error("The database is still away.", metadata: ["error.text": "\(error)"])
            }
        }
    }

    /// A stop does not wait for an attempt, which may take seconds. It ends with the process.
    private func attempt() async throws -> OpenedStore {
        let race = Race<Result<OpenedStore, any Error>>()
        Task { [opening] in
            do { race.end(with: .success(try await opening())) } catch { race.end(with: .failure(error)) }
        }
        let outcome = await withTaskCancellationHandler { await race.winner() } onCancel: { race.end(with: .failure(CancellationError())) }
        return try outcome.get()
    }
}
