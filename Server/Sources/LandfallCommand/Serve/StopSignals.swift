// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// SIGTERM and SIGINT from its making until the process ends, so that none is lost between two parts of a start.
///
/// The first asks what runs to stop; if nothing does, the process ends. A second one ends it at once. The store is not harmed: everything
/// that was answered is on disk.
final class StopSignals: Sendable {
    private struct State {
        var count = 0
        var group: ServiceGroup?
    }

    private let state = Mutex(State())
    private let logger: Logger

    init(logger: Logger) async {
        self.logger = logger
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        // As long as the process.
        Task { for await _ in signals { await stop() } }
    }

    private func stop() async {
        let (count, group) = state.withLock { state in
            state.count += 1
            return (state.count, state.group)
        }
        if count > 1 {
            logger.warning("The server was asked to stop for the second time and ends now.")
            _exit(1)
        }
        guard let group else { _exit(0) }
        await group.triggerGracefulShutdown()
    }

    /// Runs the services until they end, or were asked to stop and have stopped.
    /// - Returns: true if they were asked to.
    @discardableResult
    func run(_ configuration: ServiceGroupConfiguration) async throws -> Bool {
        let group = ServiceGroup(configuration: configuration)
        state.withLock { $0.group = group }
        defer { state.withLock { $0.group = nil } }
        try await group.run()
        // The same lock tells a signal that finds nothing running, and ends the process.
        return state.withLock { state in
            state.group = nil
            return state.count > 0
        }
    }
}
