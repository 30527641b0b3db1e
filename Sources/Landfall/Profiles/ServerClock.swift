// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The server's time. In the launch in which the server said it, the phone's own calendar does not matter.
struct ServerClock: Hashable, Sendable {
    /// In Unix milliseconds.
    let said: Int64
    /// Far enough for every sum with it.
    private static let latest: Int64 = 1 << 52
    /// On the launch's clock; nil if an earlier launch heard it.
    let heardAt: Duration?

    init(said: Int64, heardAt: Duration?) {
        self.said = min(max(0, said), Self.latest)
        self.heardAt = heardAt
    }

    /// After an earlier launch only the calendar goes on, and it is not earlier than what the server has said.
    func time(_ now: Duration, _ date: Date) -> Int64 {
        guard let heardAt else { return max(said, date.unixMilliseconds) }
        return said + (now - heardAt).wholeMilliseconds
    }

    /// When the server's time will be that, on the launch's clock; a day from now at the latest.
    func reaches(_ time: Int64, _ now: Duration, _ date: Date) -> Duration {
        now + Duration.milliseconds(max(0, min(time, Self.latest) - self.time(now, date))).withinADay
    }
}
