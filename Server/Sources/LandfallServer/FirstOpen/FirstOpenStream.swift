// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallStore
import LandfallWire
import Logging
import NIOCore
import Synchronization

/// Writes one first-open answer, line by line, until everything is final or the hold is over.
package struct FirstOpenStream: Sendable {
    /// The longest time between two lines. A blank line keeps the network between server and phone from closing an idle
    /// connection.
    static let heartbeat = Duration.seconds(5)
    /// URLSession delivers the first bytes of a body only once it has received this many.
    package static let firstLineLength = 600
    /// The pause after a look that failed.
    static let lookPauseMs: Int64 = 1_000

    let openings: Openings
    let caller: Caller
    let credential: Credential
    /// The device that the open names.
    let device: String?
    let channel: any Channel
    /// Makes a logger when there is something to log.
    let logger: @Sendable () -> Logger

    private var time: ServerTime { openings.held.time }

    /// The first lines of a held answer. If nothing is waited for, which is the usual case, this is the whole answer: it leaves
    /// in one write, where a stream takes four writes through the pipeline to the system.
    /// - Parameter place: nil if the answer is not held, or the node holds as many streams as it may: then the answer is
    ///   complete at once.
    func body(
        _ session: FirstOpenSession, _ install: Install, isTokenAnnounced: Bool, place: HeldPlace?
    ) -> ResponseBody {
        var session = session
        let lines = session.lines(for: install, isTokenAnnounced: isTokenAnnounced, nowMs: time.nowMs())
        guard let place, !session.isFinal else {
            let reason: EndReason = session.isFinal ? .final : .notHeld
            openings.telemetry.ended(reason)
            place?.release()
            return ResponseBody(byteBuffer: Self.bytes(lines + [.end(reason)], padFirst: true))
        }
        let first = FirstBytes(Self.bytes(lines, padFirst: true))
        return ResponseBody { [session] writer in try await write(session, first, place: place, to: &writer) }
    }

    private func write(
        _ session: FirstOpenSession, _ first: FirstBytes, place: HeldPlace, to writer: inout any ResponseBodyWriter
    ) async throws {
        defer { place.release() }
        limitAnswer(holdEndsAtMs: session.holdEndsAtMs)
        do {
            var session = session
            guard let first = first.take() else { throw CancellationError() }
            try await writer.write(first)
            let reason = try await follow(&session, place.hold, &writer)
            try await writer.write(Self.bytes([.end(reason)]))
            try await writer.finish(nil)
            openings.telemetry.ended(reason)
        } catch {
            openings.telemetry.brokeOff(error, logger)
            throw error
        }
    }

    /// The lines that a change adds; empty if it changes nothing. Nil if the install could not be read: the lines already sent
    /// stay valid.
    private func bytes(_ session: inout FirstOpenSession, after look: SharedRead) async throws -> ByteBuffer? {
        let isProven = session.standing == .stored
        let seen: SharedRead.Seen?
        do {
            seen = try await openings.storing.outcome(
                of: { [self] in
                    if isProven { return try await openings.held.look(look, as: caller, credential, device: nil) }
                    // The caller has not yet proved that the install is theirs.
                    return try await openings.held.look(as: caller, credential, device: device)
                }, time: time, afterwards: {})
            if seen == nil { openings.telemetry.lookFailed(nil, logger()) }
        } catch let error as DatabaseError {
            openings.telemetry.lookFailed(error, logger())
            seen = nil
        }
        guard let seen else { return nil }
        session.isStored()
        session.goOn(with: openings.held.configuration.snapshot)
        let isTokenAnnounced = session.isTokenComing(to: seen.install)
        let install = try await openings.enrolled(
            seen.install, by: session.enrolling(isTokenAnnounced: isTokenAnnounced), of: caller, credential, logger: logger)
        let lines = session.lines(for: install, isTokenAnnounced: isTokenAnnounced, nowMs: time.nowMs())
        return Self.bytes(lines)
    }

    private func follow(
        _ session: inout FirstOpenSession, _ hold: HeldAnswer, _ writer: inout any ResponseBodyWriter
    ) async throws -> EndReason {
        // The hold is as long as the phone asked, also if the machine's calendar is set meanwhile.
        let steady = SteadyTime(time)
        /// The time of the next look after a failed one.
        var nextLookMs: Int64?
        // A version published before the hold was taken did not wake this stream.
        if openings.held.configuration.snapshot !== session.snapshot, !session.isFinal {
            nextLookMs = try await say(&session, after: SharedRead(), &writer, by: steady)
        }
        // Then answers no longer wait for purchases.
        var purchasesLookMs = session.purchasesUntilMs > steady.nowMs() ? session.purchasesUntilMs : nil
        var nextHeartbeatMs = steady.nowMs() + Self.heartbeat.wholeMilliseconds
        while true {
            if session.isFinal { return .final }
            let nowMs = steady.nowMs()
            if nowMs >= session.holdEndsAtMs { return .holdOver }
            let untilMs = min(session.holdEndsAtMs, nextHeartbeatMs, nextLookMs ?? .max, purchasesLookMs ?? .max)
            switch await hold.wait(for: .milliseconds(untilMs - nowMs), time: time) {
            case .replaced: return .replaced
            case .stopping: return .stopping
            case .changed(let look):
                nextLookMs = try await say(&session, after: look, &writer, by: steady)
            case .time:
                try Task.checkCancellation()
                if let lookMs = purchasesLookMs, steady.nowMs() >= lookMs {
                    purchasesLookMs = nil
                    nextLookMs = min(nextLookMs ?? .max, lookMs)
                }
                if let lookMs = nextLookMs, steady.nowMs() >= lookMs {
                    nextLookMs = try await say(&session, after: SharedRead(), &writer, by: steady)
                }
                guard steady.nowMs() >= nextHeartbeatMs else { continue }
                try await writer.write(ByteBuffer(string: "\n"))
                nextHeartbeatMs = steady.nowMs() + Self.heartbeat.wholeMilliseconds
            }
        }
    }

    /// - Returns: when to look again; nil if this look sent everything.
    private func say(
        _ session: inout FirstOpenSession, after look: SharedRead, _ writer: inout any ResponseBodyWriter, by steady: SteadyTime
    ) async throws -> Int64? {
        guard let bytes = try await bytes(&session, after: look) else { return steady.nowMs() + Self.lookPauseMs }
        if bytes.readableBytes > 0 { try await writer.write(bytes) }
        return nil
    }

    /// A client that stopped reading cannot keep a stream longer than its hold and 5 s.
    private func limitAnswer(holdEndsAtMs: Int64) {
        let left = max(0, holdEndsAtMs - time.nowMs()) + 5_000
        channel.pipeline.triggerUserOutboundEvent(ConnectionRules.AnswerLimit(left: .milliseconds(left)), promise: nil)
    }

    static func bytes(_ lines: [FirstOpenLine], padFirst: Bool = false) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: 2 * firstLineLength)
        for (index, line) in lines.enumerated() {
            var bytes = line.jsonBytes()
            if padFirst, index == 0, bytes.readableBytes < firstLineLength {
                // The closing brace is removed here and written again after the padding.
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

/// The first lines of a stream. They are handed over once, because the object that writes the answer lives as long as the
/// stream.
final class FirstBytes: Sendable {
    private let bytes: Mutex<ByteBuffer?>

    init(_ bytes: ByteBuffer) { self.bytes = Mutex(bytes) }

    func take() -> ByteBuffer? {
        bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
    }
}
