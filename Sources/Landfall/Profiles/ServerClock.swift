// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The server's time, as the phone has measured it. In a launch it goes on by the launch's own clock, whatever the calendar says;
/// from one launch to the next by as much as the calendar went on. A calendar that was set back makes it stand still between the
/// launches, and never go back.
struct ServerClock: Hashable, Sendable {
    /// As a launch leaves it to the next one. In Unix milliseconds.
    struct Stored: Hashable, Sendable, Codable {
        var server: Int64
        var calendar: Int64
    }

    /// In Unix milliseconds.
    private let said: Int64
    /// On the launch's clock.
    private let heardAt: Duration
    /// What the calendar showed at the same time, or would have, had nobody set it back; nil if the server was heard in this launch.
    private let calendar: Int64?
    /// Far enough for every sum with it.
    private static let latest: Int64 = 1 << 52

    init(said: Int64, heardAt: Duration) {
        self.said = Self.understood(said)
        self.heardAt = heardAt
        calendar = nil
    }

    init(_ stored: Stored, now: Duration, date: Date) {
        let before = Self.understood(stored.calendar), calendar = max(before, date.unixMilliseconds)
        said = Self.understood(stored.server) + (calendar - before)
        heardAt = now
        self.calendar = calendar
    }

    private static func understood(_ time: Int64) -> Int64 { min(max(0, time), latest) }

    func time(_ now: Duration) -> Int64 { said + passed(now) }

    private func passed(_ now: Duration) -> Int64 { max(0, (now - heardAt).wholeMilliseconds) }

    /// When the server's time will be that, on the launch's clock; a day from now at the latest.
    func reaches(_ time: Int64, _ now: Duration) -> Duration {
        now + Duration.milliseconds(max(0, min(time, Self.latest) - self.time(now))).withinADay
    }

    func stored(_ now: Duration, _ date: Date) -> Stored {
        Stored(server: time(now), calendar: max(date.unixMilliseconds, calendar.map { $0 + passed(now) } ?? 0))
    }
}
