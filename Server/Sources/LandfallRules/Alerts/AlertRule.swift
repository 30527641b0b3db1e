// SPDX-License-Identifier: Apache-2.0

/// Something that a person should look at, by the name that the file uses.
package enum AlertRule: String, CaseIterable, Hashable, Sendable, Codable {
    /// Ad tokens wait, because Apple is silent or fails.
    case appleSilent
    /// Apple knows too few of the ad tokens.
    case tokensNotFound
    /// First opens end before everything about them is known.
    case deadlinesMissed
    /// Paywalls come from the file in the app.
    case fallbackShare
    /// A brand domain does not serve this server's association file.
    case associationFile
    /// The same for Apple's copy of it, which phones read.
    case appleCopy
    case certificate
    case expiredClicks
    /// Fewer of the clicks reach the app than before.
    case linksReachApp
    case disk
    case backup
    case webhook
    /// Notifications of the App Store do not arrive by themselves.
    case notificationsSilent

    package enum Unit: String, Hashable, Sendable, Codable { case percent, days, hours, minutes, count }

    package enum Side: Hashable, Sendable { case above, below }

    /// What a measured number is compared with.
    package struct Limit: Hashable, Sendable {
        /// On which side of the limit the alert is.
        package let side: Side
        package let usual: Int64
        package let range: ClosedRange<Int64>
        package let unit: Unit

        package func isPassed(by value: Int64, limit: Int64) -> Bool { side == .above ? value > limit : value < limit }
    }

    /// Nil for a rule that has no number: something is wrong, or it is not.
    package var limit: Limit? {
        switch self {
        case .appleSilent: Limit(side: .above, usual: 15, range: 1...1_440, unit: .minutes)
        case .tokensNotFound: Limit(side: .above, usual: 50, range: 1...99, unit: .percent)
        case .deadlinesMissed: Limit(side: .above, usual: 20, range: 1...99, unit: .percent)
        case .fallbackShare: Limit(side: .above, usual: 30, range: 1...99, unit: .percent)
        case .associationFile, .appleCopy: nil
        case .certificate: Limit(side: .below, usual: 14, range: 1...90, unit: .days)
        case .expiredClicks: Limit(side: .above, usual: 100, range: 1...1_000_000, unit: .count)
        case .linksReachApp: Limit(side: .above, usual: 50, range: 1...99, unit: .percent)
        case .disk: Limit(side: .below, usual: 10, range: 1...90, unit: .percent)
        case .backup: Limit(side: .above, usual: 48, range: 1...8_760, unit: .hours)
        case .webhook: Limit(side: .above, usual: 60, range: 1...4_320, unit: .minutes)
        case .notificationsSilent: Limit(side: .above, usual: 12, range: 1...720, unit: .hours)
        }
    }

    /// How many minutes something has to last until the alert fires.
    package var usualMinutes: Int64 {
        switch self {
        case .appleSilent, .disk, .webhook, .notificationsSilent: 5
        case .deadlinesMissed: 15
        case .tokensNotFound: 30
        case .fallbackShare, .associationFile, .certificate, .expiredClicks, .backup: 60
        case .linksReachApp: 180
        // Apple asks a domain again within a day.
        case .appleCopy: 1_440
        }
    }

    package static let minutes: ClosedRange<Int64> = 0...10_080
}
