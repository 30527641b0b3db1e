// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallDatabase
import LandfallWire
import Logging
import NIOCore
import Synchronization

/// Writes one first-open answer, line by line, until everything is final or the hold is over.
struct FirstOpenStream: Sendable {
    /// A blank line at least so often, so that nothing between server and phone takes the connection for dead.
    static let heartbeat = Duration.seconds(5)
    /// URLSession holds back the first bytes of an answer until it has seen this many.
    static let firstLineLength = 600
    /// From one look that failed to the next.
    static let lookPauseMs: Int64 = 1_000

    let services: Services
    let caller: Caller
    let credential: Credential
    let channel: any Channel
    let logger: Logger

    /// - Parameter place: nil where nothing is to be held or the node holds as many streams as it may: answered at once.
    func write(
        _ session: FirstOpenSession, _ first: FirstLook, isTokenAnnounced: Bool, place: HeldPlace?,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        defer { place?.release() }
        limitAnswer(holdEndsAtMs: session.holdEndsAtMs)
        do {
            services.telemetry.firstOpen.ended(try await write(session, first, isTokenAnnounced, place?.hold, &writer))
        } catch {
            services.telemetry.firstOpen.brokeOff(error, logger)
            throw error
        }
    }

    private func write(
        _ session: FirstOpenSession, _ first: FirstLook, _ isTokenAnnounced: Bool, _ hold: Hold?,
        _ writer: inout any ResponseBodyWriter
    ) async throws -> EndReason {
        var session = session
        let isTokenComing = hold?.isTokenComing ?? isTokenAnnounced
        try await writer.write(try firstBytes(&session, first, isTokenComing))

        let reason = try await follow(&session, hold, &writer)
        try await writer.write(Self.bytes([.end(reason)]))
        try await writer.finish(nil)
        return reason
    }

    private func firstBytes(
        _ session: inout FirstOpenSession, _ first: FirstLook, _ isTokenComing: Bool
    ) throws -> ByteBuffer {
        guard let install = first.take() else { throw CancellationError() }
        return Self.bytes(
            session.lines(for: install, isTokenAnnounced: isTokenComing, nowMs: services.time.nowMs()), padFirst: true)
    }

    /// What a change adds; empty where it says nothing new. Nil where the install could not be read: what was said stays.
    private func bytes(_ session: inout FirstOpenSession, after look: SharedLook, _ hold: Hold) async throws -> ByteBuffer? {
        let isProven = session.standing == .stored
        let seen: SharedLook.Seen?
        do {
            seen = try await services.firstOpens.outcome(
                of: { [self] in
                    if isProven { return try await services.look(look, as: caller, credential) }
                    // Nothing has proved yet that the install is this caller's.
                    return try await services.look(as: caller, credential)
                }, time: services.time, afterwards: {})
            if seen == nil { services.telemetry.firstOpen.lookFailed(nil, logger) }
        } catch let error as DatabaseError {
            services.telemetry.firstOpen.lookFailed(error, logger)
            seen = nil
        }
        guard let seen else { return nil }
        session.isStored()
        session.goOn(with: services.snapshot)
        let lines = session.lines(for: seen.install, isTokenAnnounced: hold.isTokenComing, nowMs: services.time.nowMs())
        return Self.bytes(lines)
    }

    private func follow(
        _ session: inout FirstOpenSession, _ hold: Hold?, _ writer: inout any ResponseBodyWriter
    ) async throws -> EndReason {
        /// After a look that failed.
        var nextLookMs: Int64?
        // What was published before the hold was taken woke nobody.
        if let hold, services.snapshot !== session.snapshot, !session.isFinal {
            nextLookMs = try await say(&session, after: SharedLook(), hold, &writer)
        }
        var nextHeartbeatMs = services.time.nowMs() + Self.heartbeat.wholeMilliseconds
        while true {
            if session.isFinal { return .final }
            guard let hold else { return .notHeld }
            let nowMs = services.time.nowMs()
            if nowMs >= session.holdEndsAtMs { return .holdOver }
            let untilMs = min(session.holdEndsAtMs, nextHeartbeatMs, nextLookMs ?? .max)
            switch await hold.wait(for: .milliseconds(untilMs - nowMs), time: services.time) {
            case .replaced: return .replaced
            case .stopping: return .stopping
            case .changed(let look):
                nextLookMs = try await say(&session, after: look, hold, &writer)
            case .time:
                try Task.checkCancellation()
                if let lookMs = nextLookMs, services.time.nowMs() >= lookMs {
                    nextLookMs = try await say(&session, after: SharedLook(), hold, &writer)
                }
                guard services.time.nowMs() >= nextHeartbeatMs else { continue }
                try await writer.write(ByteBuffer(string: "\n"))
                nextHeartbeatMs = services.time.nowMs() + Self.heartbeat.wholeMilliseconds
            }
        }
    }

    /// - Returns: when to look again; nil where this look told everything.
    private func say(
        _ session: inout FirstOpenSession, after look: SharedLook, _ hold: Hold, _ writer: inout any ResponseBodyWriter
    ) async throws -> Int64? {
        guard let bytes = try await bytes(&session, after: look, hold) else { return services.time.nowMs() + Self.lookPauseMs }
        if bytes.readableBytes > 0 { try await writer.write(bytes) }
        return nil
    }

    /// A reader that stopped reading cannot keep a stream beyond its hold and 5 s.
    private func limitAnswer(holdEndsAtMs: Int64) {
        let left = max(0, holdEndsAtMs - services.time.nowMs()) + 5_000
        channel.pipeline.triggerUserOutboundEvent(ConnectionRules.AnswerLimit(left: .milliseconds(left)), promise: nil)
    }

    static func bytes(_ lines: [FirstOpenLine], padFirst: Bool = false) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: 2 * firstLineLength)
        for (index, line) in lines.enumerated() {
            var bytes = line.jsonBytes()
            if padFirst, index == 0, bytes.readableBytes < firstLineLength {
                // The brace that is taken off is written again behind it.
                let missing = firstLineLength - bytes.readableBytes + 1
                bytes.moveWriterIndex(to: bytes.writerIndex - 1)
                bytes.writeStaticString(",\"padding\":\"")
                bytes.writeRepeatingByte(UInt8(ascii: " "), count: missing)
                bytes.writeStaticString("\"}")
            }
            buffer.writeBuffer(&bytes)
            buffer.writeInteger(UInt8(ascii: "\n"))
        }
        return buffer
    }
}

/// The install as the open left it, for the first lines. Handed over once, because whoever writes the answer is kept for as long
/// as it is held.
final class FirstLook: Sendable {
    private let install: Mutex<Install?>

    init(_ install: Install) { self.install = Mutex(install) }

    func take() -> Install? {
        install.withLock { install in
            defer { install = nil }
            return install
        }
    }
}
