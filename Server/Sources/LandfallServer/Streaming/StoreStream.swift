// SPDX-License-Identifier: Apache-2.0
package import LandfallStore
package import Logging
import Synchronization

/// Sends what is committed to a store to another place, every few seconds: a whole copy, and then the pages that changed.
package actor StoreStream {
    struct Limits {
        /// Of changes that wait in the log for the place, in bytes.
        var unsent: Int64 = 256 << 20
        /// So much is sent before its time.
        var early: Int64 = 32 << 20
        /// A whole copy is made this often at least,
        var copyAgeMs: Int64 = 24 * 3_600_000
        /// and after so many segments, because a restore asks for each,
        var segments: Int64 = 4_096
        /// and after so many bytes of segments; of a large store after twice its size.
        var bytes: Int64 = 1 << 30
        /// After a whole copy that failed; twice as long after each further one,
        var copyPauseMs: Int64 = 60_000
        /// up to eight minutes.
        var copyPauseDoublings = 3
        /// The newest whole copies that stay, with their segments.
        var copies = 2
    }

    /// For work that was asked to end.
    private static let patience = Duration.seconds(10)

    /// A batch that is being sent: the same bytes at every try.
    struct Sending {
        let batch: any LogBatch
        let atMs: Int64
        var sent = 0
    }

    /// The generation that is under way.
    struct Following {
        let log: any FollowedLog
        let generation: StreamGeneration
        /// Of the last segment that the place has.
        var number: Int64 = 0
        var sending: Sending?
        var copying: Task<Void, Never>?
        var copyAgainMs: Int64 = 0
        /// In a row.
        var copiesFailed = 0
        /// The last whole copy.
        var copy: (atMs: Int64, number: Int64, bytes: Int64)?
        /// Since that copy began.
        var bytes: Int64 = 0
        /// Everything that was committed before is in the place, if it has a whole copy.
        var sentMs: Int64 = 0
    }

    let database: any Database
    private let log: any LogFollowing
    let place: any StreamPlace
    private let every: Duration
    let limits: Limits
    let time: ServerTime
    let logger: Logger
    var following: Following?
    /// Why the last whole copy failed.
    var copyFailure: String?
    private nonisolated let state: Mutex<StreamCondition>

    package init(_ database: any Database, _ log: any LogFollowing, to place: any StreamPlace, every: Duration, logger: Logger) {
        self.init(database, log, to: place, every: every, limits: Limits(), time: .live, logger: logger)
    }

    init(
        _ database: any Database, _ log: any LogFollowing, to place: any StreamPlace, every: Duration, limits: Limits, time: ServerTime, logger: Logger
    ) {
        (self.database, self.log, self.place, self.every, self.limits, self.time, self.logger) = (database, log, place, every, limits, time, logger)
        state = Mutex(StreamCondition(sinceMs: time.nowMs(), everyMs: every.wholeMilliseconds))
    }

    package nonisolated var condition: StreamCondition { state.withLock(\.self) }

    nonisolated func note(_ change: @Sendable (inout StreamCondition) -> Void) { state.withLock { change(&$0) } }

    /// Until its task is cancelled; call ``finish(within:)`` then.
    package func run() async {
        while !Task.isCancelled {
            await step()
            let nowMs = time.nowMs(), pause = nowMs..<nowMs + every.wholeMilliseconds
            // Some pause in any case: much waits too where the place refuses it. A clock that is set back ends it.
            repeat { try? await time.sleep(min(every, .seconds(1))) } while !Task.isCancelled && pause.contains(time.nowMs())
                && (following?.log.unsentBytes ?? 0) < limits.early
        }
    }

    /// Sends what the log still has, and leaves the log to the store. Nothing may write meanwhile.
    /// - Parameter limit: for the last changes; a place that hangs is left alone then.
    package func finish(within limit: Duration) async {
        if let copying = following?.copying {
            copying.cancel()
            _ = await abandoning(after: limit, by: time) { await copying.value }
            following?.copying = nil
        }
        if let now = following {
            let result = await abandoning(after: limit, by: time) { () async -> Result<Void, any Error> in
                do { return .success(try await self.sendAll(now)) } catch { return .failure(error) }
            }
            if case .success? = result { succeeded() } else {
                var reason = "the place did not take them in time"
                if case .failure(let error)? = result { reason = "\(error)" }
                logger.error("The last changes were not sent; the store itself has them.", metadata: ["error.text": "\(reason)"])
            }
        }
        await leave()
    }

    /// One look at the log.
    func step() async {
        do {
            if following == nil { try await bounded(nil) { try await self.begin() } }
            guard let now = following else { return }
            try await bounded(now.log) { try await self.sendAll(now) }
            if now.log.isLong { try await bounded(now.log) { try await self.restart(now) } }
            if isCopyDue { try await bounded(now.log) { try await self.beginCopy(now, isFirst: false) } }
            succeeded()
        } catch is CancellationError {
        } catch {
            failed(error)
            if error is LogBroken || error is StreamBehind || error is StreamHangs || following.map({ $0.log.unsentBytes > limits.unsent }) ?? false { await leave() }
        }
    }

    private func begin() async throws {
        let listing = try await listing(), store = try await store()
        // The place may have answered long after the stop.
        try Task.checkCancellation()
        let generation = StreamGeneration(store: store, beganAtMs: max(time.nowMs(), (listing.newestMs ?? 0) + 1))
        let new = Following(log: try await log.followLog(), generation: generation)
        following = new
        do { try await beginCopy(new, isFirst: true) } catch {
            // Without its first copy a generation is nothing.
            await leave()
            throw error
        }
    }

    private func store() async throws -> String {
        let id = try await database.read { try $0.row("SELECT store_id FROM store WHERE name = $1", [.text("self")])?.text("store_id") }
        return StreamGeneration.mark(ofStore: id ?? "")
    }

    /// - Throws: also if the stream of another store is there.
    func listing() async throws -> StreamListing {
        let listing = StreamListing(try await place.files())
        guard listing.stores.subtracting([try await store()]).isEmpty else { throw StreamOfAnother(place: "\(place)") }
        return listing
    }

    /// Sends everything that is committed now.
    private func sendAll(_ now: Following) async throws {
        try await sendPending(now)
        let nowMs = time.nowMs()
        try take(try await now.log.next(), of: now, atMs: nowMs)
        try await sendPending(now)
        following?.sentMs = nowMs
    }

    private func restart(_ now: Following) async throws {
        let nowMs = time.nowMs()
        try take(try await now.log.restart(), of: now, atMs: nowMs)
        try await sendPending(now)
    }

    /// - Throws: `CancellationError` if the generation was given up while its log was read or its segment was sent.
    func check(_ now: Following) throws { guard following?.generation == now.generation else { throw CancellationError() } }

    func take(_ batch: (any LogBatch)?, of now: Following, atMs: Int64) throws {
        try check(now)
        if let batch { following?.sending = Sending(batch: batch, atMs: atMs) }
    }

    func sendPending(_ now: Following) async throws {
        try check(now)
        while let number = following?.number, let sending = following?.sending {
            let file = StreamFile(now.generation, number + 1, .segment)
            let bytes = try await onThread {
                try sending.batch.segment(sending.sent, generation: now.generation.name, number: file.number, atMs: sending.atMs)
            }
            try await place.write(bytes, as: file)
            try check(now)
            let isLast = sending.sent + 1 == sending.batch.segmentCount
            following?.sending = isLast ? nil : Sending(batch: sending.batch, atMs: sending.atMs, sent: sending.sent + 1)
            if isLast { now.log.sent() }
            following?.number = file.number
            following?.bytes += Int64(bytes.count)
            note { $0.bytes += Int64(bytes.count) }
        }
    }

    /// Ends with ``StreamBehind`` when the log becomes too long meanwhile: the place may be silent for minutes. One that hangs is left alone.
    private func bounded(_ log: (any FollowedLog)?, _ work: @escaping @Sendable () async throws -> Void) async throws {
        let race = Race<Result<Void, any Error>>()
        let working = Task {
            do { race.end(with: .success(try await work())) } catch { race.end(with: .failure(error)) }
        }
        let watching = Task { [time, limits] in
            guard let log else { return }
            while log.unsentBytes <= limits.unsent { try await time.sleep(.seconds(1)) }
            race.end(with: .failure(StreamBehind(bytes: log.unsentBytes)))
        }
        defer {
            working.cancel()
            watching.cancel()
        }
        // After a stop the same changes are sent once more, so this is waited for.
        try await withTaskCancellationHandler { await race.winner() } onCancel: {
            working.cancel()
            Task { [time] in
                try await time.sleep(Self.patience)
                race.end(with: .failure(StreamHangs()))
            }
        }.get()
    }

    /// The log is the store's own again.
    private func leave() async {
        let left = following
        following = nil
        left?.copying?.cancel()
        await left?.log.end()
        // It deletes a file whose name the next copy's has too.
        if let copying = left?.copying { _ = await abandoning(after: Self.patience, by: time) { await copying.value } }
    }

    private func succeeded() {
        guard let following else { return }
        let reachedMs = following.copy == nil ? nil : following.sentMs
        if condition.failure != nil, copyFailure == nil { logger.notice("The stream of the store goes on.") }
        note { [copyFailure] condition in
            condition.failure = copyFailure
            if let reachedMs { condition.reachedMs = reachedMs }
        }
    }

    func failed(_ error: any Error) {
        if condition.failure == nil {
            logger.warning("Changes of the store are not sent to the place of the stream; it is tried again.", metadata: ["error.text": "\(error)"])
        }
        note { condition in
            condition.failure = "\(error)"
            condition.failures[StreamCondition.Reason(error), default: 0] += 1
        }
    }
}
