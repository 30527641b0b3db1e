// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallWire

/// `/v1/retention/clock`, for commands only: the operator says that the machine's clock is right.
package struct RetentionClockRoutes: Sendable {
    package static let path = "/v1/retention/clock"

    package let clock: RetentionClock
    package let time: ServerTime

    package init(clock: RetentionClock, time: ServerTime) {
        (self.clock, self.time) = (clock, time)
    }

    /// `POST`
    @Sendable package func confirm(_ request: Request, context: AppContext) async throws -> Answer<ConfirmedClock> {
        let nowMs = time.nowMs()
        let jump = try await clock.confirm(nowMs: nowMs)
        return Answer(
            ConfirmedClock(nowMilliseconds: nowMs, newestMilliseconds: jump?.newestMs ?? nowMs, isConfirmed: jump != nil))
    }
}

/// What `landfall confirm-clock` has done.
package struct ConfirmedClock: Hashable, Sendable, Codable {
    let nowMilliseconds: Int64
    /// The newest time that the store knew before.
    let newestMilliseconds: Int64
    /// False if there was nothing to confirm.
    let isConfirmed: Bool

    /// A sentence for the operator.
    package var text: String {
        let now = RetentionClock.text(ofMs: nowMilliseconds)
        guard isConfirmed else { return "The clock says \(now), which is plausible: there is nothing to confirm." }
        let days = (nowMilliseconds - newestMilliseconds) / Retention.dayMs
        return "The clock says \(now), \(days) days after the newest time that the store knew (\(RetentionClock.text(ofMs: newestMilliseconds))). "
            + "It is confirmed: rows past their time are deleted again within the hour."
    }
}
