// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// The installs that a report counts, each in one row, with what they did. In memory they are numbers only: fifty bytes for each
/// install.
package struct ReportCohort {
    /// This number takes about a hundred megabytes.
    static let mostMembers = 1_000_000
    /// Further rows are one row, see ``ReportSheet/capped(_:by:)``.
    static let mostRows = 100_000

    /// The number of days after a first open in which a paywall counts as shown.
    static let shownDays = Metric.usualWindowDays
    private static let shownMs = shownDays * Retention.dayMs

    private struct Member {
        let row: Int32
        /// The time from which something counts.
        let startMs: Int64
        /// `.max` if the install is not attributed.
        let attributedAtMs: Int64
        let isOrganic: Bool
        let isReinstall: Bool
        let isUnverified: Bool
        /// `.max` if no paywall was shown.
        var firstShownMs = Int64.max
        /// One bit for each metric.
        var converted: UInt32 = 0
    }

    private let metrics: [Metric]
    /// Where the key has the day.
    private let dayPlace: Int?
    private var keys: [ReportSheet.Key] = []
    private var rows: [ReportSheet.Key: Int32] = [:]
    private var members: [Member] = []
    private var installs: [InstallKey: Int32] = [:]

    init(metrics: [Metric], dayPlace: Int? = nil) {
        self.metrics = metrics
        self.dayPlace = dayPlace
    }

    /// Counts an install in a row, from its first open. A reinstall is only counted as that.
    /// - Throws: ``ReportError/tooManyInstalls``.
    mutating func add(
        _ install: InstallKey, to key: ReportSheet.Key, openedAtMs: Int64, attributedAtMs: Int64?, isOrganic: Bool = false,
        isReinstall: Bool = false, isUnverified: Bool = false
    ) throws(ReportError) {
        guard installs[install] == nil else { return }
        guard members.count < Self.mostMembers else {
            throw .tooManyInstalls
        }
        installs[install] = Int32(members.count)
        members.append(
            Member(
                row: place(of: key), startMs: openedAtMs, attributedAtMs: attributedAtMs ?? .max, isOrganic: isOrganic,
                isReinstall: isReinstall, isUnverified: isUnverified))
    }

    private mutating func place(of key: ReportSheet.Key) -> Int32 {
        if let row = rows[key] { return row }
        if keys.count >= Self.mostRows {
            let other = key.indices.map { $0 == dayPlace ? key[$0] : Array(DayCells.other.utf8) }
            if other != key { return place(of: other) }
        }
        let row = Int32(keys.count)
        rows[key] = row
        keys.append(key)
        return row
    }

    /// Counts an event of an install, if it happened within the window.
    mutating func count(_ type: Event.Kind, of install: InstallKey, atMs: Int64) {
        guard let place = installs[install].map({ Int($0) }) else { return }
        let startMs = members[place].startMs
        if type == .paywallShown, atMs >= startMs, atMs <= startMs + Self.shownMs {
            members[place].firstShownMs = min(members[place].firstShownMs, atMs)
        }
        for (number, metric) in metrics.enumerated() where metric.event == type {
            if atMs >= startMs, atMs <= startMs + metric.windowMs { members[place].converted |= 1 << UInt32(number) }
        }
    }

    /// Reads the events of the installs.
    /// - Parameter days: the days on which the installs start.
    mutating func follow(_ database: any Database, of app: AppID, from days: ReportDays, types: [Event.Kind]) async throws {
        let longest = (metrics.map(\.windowMs) + [Self.shownMs]).max() ?? 0
        let receivedMs = days.milliseconds.lowerBound..<(days.endMs + longest + ReportedAge.longestMs)
        try await EventReading(database: database, app: app).forEach(of: types, receivedMs: receivedMs) { found in
            count(found.type, of: found.install, atMs: found.occurredAtMs)
        }
    }

    /// The counts by key, in the places below; after them, for each metric, the installs that converted.
    var counts: [ReportSheet.Key: [Int64]] {
        var counts = keys.map { _ in Array(repeating: Int64(0), count: Self.firstMetric + metrics.count) }
        for member in members {
            let isAttributed = member.attributedAtMs != .max, isShown = member.firstShownMs != .max
            let isLate = isAttributed && isShown && member.firstShownMs < member.attributedAtMs
            let row = Int(member.row)
            guard !member.isReinstall else {
                counts[row][Self.reinstalls] += 1
                continue
            }
            counts[row][Self.installs] += 1
            counts[row][isAttributed ? Self.attributed : member.isOrganic ? Self.organic : Self.unknown] += 1
            if isAttributed, member.isUnverified { counts[row][Self.unverified] += 1 }
            if isLate { counts[row][Self.late] += 1 }
            if isShown { counts[row][Self.shown] += 1 }
            for place in metrics.indices where member.converted & (1 << UInt32(place)) != 0 {
                counts[row][Self.firstMetric + place] += 1
            }
        }
        let known = zip(keys, counts).filter { $0.1[Self.installs] > 0 || $0.1[Self.reinstalls] > 0 }
        return Dictionary(known.map { ($0.0, $0.1) }) { first, _ in first }
    }

    /// The places of the counts.
    package static let installs = 0, attributed = 1, late = 2, shown = 3, organic = 4, unknown = 5, reinstalls = 6, unverified = 7,
        firstMetric = 8

    /// The columns of the metrics: how many installs converted, and which share that is.
    /// - Parameters:
    ///   - first: the place of the first metric's count.
    ///   - installs: the place of the count of all installs.
    static func columns(
        _ metrics: [Metric], from first: Int = firstMetric, in installs: Int = installs, since start: String, among whole: String
    ) -> [ReportSheet.Column] {
        metrics.enumerated().flatMap { place, metric -> [ReportSheet.Column] in
            let days = "within \(metric.windowDays) day\(metric.windowDays == 1 ? "" : "s") after \(start)"
            let (name, count) = ("converted." + metric.name, ReportSheet.Column.Content.count(first + place)), window = metric.windowDays
            switch metric.measure {
            case .event(let type):
                return [
                    .init(name: name, definition: "Of \(whole), those who sent '\(type.rawValue)' \(days).", content: count, windowDays: window),
                    .init(
                        name: "rate." + metric.name, definition: "\(name) in \(whole).",
                        content: .ratio(first + place, in: installs), windowDays: window),
                ]
            case .purchase:
                return [
                    .init(
                        name: name, definition: "Of \(whole), those who bought something \(days). Purchases are not recorded yet.",
                        content: .unknown(unit: "count"), windowDays: window)
                ]
            case .revenue:
                return [
                    .init(
                        name: "revenue." + metric.name, definition: "What \(whole) paid \(days). Purchases are not recorded yet.",
                        content: .unknown(unit: "milliunits"), windowDays: window)
                ]
            }
        }
    }
}
