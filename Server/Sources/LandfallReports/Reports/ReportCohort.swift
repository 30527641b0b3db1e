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
    /// The index of the day in the key.
    private let dayIndex: Int?
    private var keys: [ReportSheet.Key] = []
    private var rows: [ReportSheet.Key: Int32] = [:]
    private var members: [Member] = []
    private var installs: [InstallKey: Int32] = [:]

    init(metrics: [Metric], dayIndex: Int? = nil) {
        self.metrics = metrics
        self.dayIndex = dayIndex
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
                row: row(of: key), startMs: openedAtMs, attributedAtMs: attributedAtMs ?? .max, isOrganic: isOrganic,
                isReinstall: isReinstall, isUnverified: isUnverified))
    }

    private mutating func row(of key: ReportSheet.Key) -> Int32 {
        if let row = rows[key] { return row }
        if keys.count >= Self.mostRows {
            let other = key.indices.map { $0 == dayIndex ? key[$0] : Array(DayCells.other.utf8) }
            if other != key { return self.row(of: other) }
        }
        let row = Int32(keys.count)
        rows[key] = row
        keys.append(key)
        return row
    }

    /// Counts an event of an install, if it happened within the window.
    mutating func count(_ type: Event.Kind, of install: InstallKey, atMs: Int64) {
        guard let index = installs[install].map({ Int($0) }) else { return }
        let startMs = members[index].startMs
        if type == .paywallShown, atMs >= startMs, atMs <= startMs + Self.shownMs {
            members[index].firstShownMs = min(members[index].firstShownMs, atMs)
        }
        for (number, metric) in metrics.enumerated() where metric.event == type {
            if atMs >= startMs, atMs <= startMs + metric.windowMs { members[index].converted |= 1 << UInt32(number) }
        }
    }

    /// Reads the events of the installs.
    /// - Parameter days: the days on which the installs start.
    mutating func follow(_ database: any StoreReading, of app: AppID, from days: ReportDays, types: [Event.Kind]) async throws {
        let longest = (metrics.map(\.windowMs) + [Self.shownMs]).max() ?? 0
        let receivedMs = days.milliseconds.lowerBound..<(days.endMs + longest + ReportedAge.longestMs)
        try await EventReader(database: database, app: app).forEach(of: types, receivedMs: receivedMs) { found in
            count(found.type, of: found.install, atMs: found.occurredAtMs)
        }
    }

    /// What is counted of each row, see ``counts``.
    var layout: MetricLayout { Self.layout(metrics.count) }

    /// - Parameters:
    ///   - metrics: how many the configuration has.
    ///   - last: what a report counts besides.
    static func layout(_ metrics: Int, _ last: [ReportMetric] = []) -> MetricLayout {
        MetricLayout([.firstOpens, .attributed, .late, .shown, .organic, .unknown, .reinstalls, .unverified], converted: metrics, last)
    }

    /// By key, in the order of ``layout``.
    var counts: [ReportSheet.Key: [Int64]] {
        let layout = layout
        var counts = keys.map { _ in Array(repeating: Int64(0), count: layout.count) }
        for member in members {
            let isAttributed = member.attributedAtMs != .max, isShown = member.firstShownMs != .max
            let isLate = isAttributed && isShown && member.firstShownMs < member.attributedAtMs
            func count(_ metric: ReportMetric, if isCounted: Bool = true) { if isCounted { counts[Int(member.row)][layout[metric]] += 1 } }
            guard !member.isReinstall else {
                count(.reinstalls)
                continue
            }
            count(.firstOpens)
            count(isAttributed ? .attributed : member.isOrganic ? .organic : .unknown)
            count(.unverified, if: isAttributed && member.isUnverified)
            count(.late, if: isLate)
            count(.shown, if: isShown)
            for number in metrics.indices { count(.converted(number), if: member.converted & (1 << UInt32(number)) != 0) }
        }
        let known = zip(keys, counts).filter { $0.1[layout[.firstOpens]] > 0 || $0.1[layout[.reinstalls]] > 0 }
        return Dictionary(known.map { ($0.0, $0.1) }) { first, _ in first }
    }

    /// The columns of the configuration's metrics: how many installs converted, and which share that is.
    /// - Parameter installs: counts all installs.
    static func columns(
        _ metrics: [Metric], in installs: ReportMetric = .firstOpens, since start: String, among whole: String
    ) -> [ReportSheet.Column] {
        metrics.enumerated().flatMap { number, metric -> [ReportSheet.Column] in
            let days = "within \(metric.windowDays) day\(metric.windowDays == 1 ? "" : "s") after \(start)"
            let (name, window) = ("converted." + metric.name, metric.windowDays)
            switch metric.measure {
            case .event(let type):
                return [
                    .init(
                        name: name, definition: "Of \(whole), those who sent '\(type.rawValue)' \(days).", content: .count(.converted(number)),
                        windowDays: window),
                    .init(
                        name: "rate." + metric.name, definition: "\(name) in \(whole).",
                        content: .ratio(.converted(number), in: installs), windowDays: window),
                ]
            case .purchase:
                return [
                    .init(
                        name: name, definition: "Of \(whole), those who bought something \(days). This report does not count purchases; experiments do.",
                        content: .unknown(.count), windowDays: window)
                ]
            case .revenue:
                return [
                    .init(
                        name: "revenue." + metric.name, definition: "What \(whole) paid \(days). This report does not count money; experiments and the report of revenue do.",
                        content: .unknown(.milliunits), windowDays: window)
                ]
            }
        }
    }
}
