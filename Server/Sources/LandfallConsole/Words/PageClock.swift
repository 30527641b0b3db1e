// SPDX-License-Identifier: Apache-2.0

/// The clock that a page goes by: the time zone in which it shows instants, and the moment at which it is made.
struct PageClock: Hashable, Sendable {
    /// Of no moment: no day is today's.
    static let utc = PageClock(zone: "UTC", nowMs: nil) { _ in 0 }

    /// As the IANA database calls it.
    let zone: String
    private let nowMs: Int64?
    private let offsetMs: @Sendable (Int64) -> Int64

    /// - Parameters:
    ///   - nowMs: when the page is made; nil if it does not matter.
    ///   - offsetMs: how far the zone's clocks are ahead of UTC at an instant.
    init(zone: String, nowMs: Int64?, offsetMs: @escaping @Sendable (Int64) -> Int64) {
        self.zone = zone
        self.nowMs = nowMs
        self.offsetMs = offsetMs
    }

    static func == (one: PageClock, other: PageClock) -> Bool { one.zone == other.zone && one.nowMs == other.nowMs }

    func hash(into hasher: inout Hasher) {
        hasher.combine(zone)
        hasher.combine(nowMs)
    }

    /// An instant as if the zone's clocks showed UTC: for ``Language/calendar(_:)``.
    func local(_ milliseconds: Int64) -> Int64 {
        let shown = Language.nearest(milliseconds)
        return shown + offsetMs(shown)
    }

    /// 2026-11-22
    var today: String? { nowMs.map { Language.calendar(local($0)).date } }
}

extension Words {
    /// Day and time by the page's clock. The page says once in which zone.
    func instant(_ milliseconds: Int64) -> String { language.instant(clock.local(milliseconds)) }

    /// The time alone if it is today's.
    func moment(_ milliseconds: Int64) -> String {
        let (date, time) = Language.calendar(clock.local(milliseconds))
        return date == clock.today ? time : date + " " + time
    }

    /// A day of the calendar, from 2026-11-22: with its year, unless that is the year of the page.
    func day(_ text: String) -> String { language.day(text, in: clock.today.map { String($0.prefix { $0 != "-" }) }) }

    var timesNote: String { translate("Times in \(clock.zone)") }

    /// The numbers of a page have what came before an instant.
    func completeTo(_ milliseconds: Int64) -> String { completeTo(moment(milliseconds), zone: clock.zone) }
}

extension Language {
    static func iso(_ atMs: Int64) -> String {
        let (date, time) = Language.calendar(atMs)
        return "\(date)T\(time):\(secondsText(ofMs: atMs))Z"
    }

    static func secondsText(ofMs atMs: Int64) -> String {
        let seconds = atMs / 1000 % 60
        return seconds < 10 ? "0\(seconds)" : "\(seconds)"
    }
}
