// SPDX-License-Identifier: Apache-2.0

/// One direction of a connection: computes when each piece comes out. Pieces stay in order.
struct DelayLine {
    private let delay: Duration
    private let bytesPerSecond: Double?
    private let loss: Double
    /// The delay of a lost piece: TCP's shortest timeout, and the way of the packet that reports the loss.
    private let resend: Duration
    private var chance: SeededNumbers
    /// When the line can take the next piece.
    private var isFreeAt: Duration
    private var lastOut = Duration.zero

    /// - Parameter opensAt: earlier pieces wait until then.
    init(_ plan: ConnectionPlan, opensAt: Duration, seed: UInt64) {
        delay = plan.roundTrip / 2
        bytesPerSecond = plan.bytesPerSecond
        loss = plan.loss
        resend = .milliseconds(200) + plan.roundTrip
        chance = SeededNumbers(seed)
        isFreeAt = opensAt
    }

    /// When a piece that enters now comes out.
    mutating func out(bytes: Int, now: Duration) -> Duration {
        var enters = max(now, isFreeAt)
        if let bytesPerSecond { enters += .seconds(Double(bytes) / bytesPerSecond) }
        isFreeAt = enters
        if chance.isLikely(loss) { enters += resend }
        lastOut = max(lastOut, enters + delay)
        return lastOut
    }
}
