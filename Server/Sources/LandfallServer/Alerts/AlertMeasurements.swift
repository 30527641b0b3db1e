// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// What was measured for alerts. Nil: it could not be measured now, or there is nothing to measure; then an alert stays as it is.
package struct AlertMeasurements: Hashable, Sendable {
    /// A part of something that is counted.
    package struct Share: Hashable, Sendable {
        package let part: Int64
        package let whole: Int64

        package init(_ part: Int64, of whole: Int64) { (self.part, self.whole) = (part, whole) }

        /// Whole percent, rounded down; nil if too few are counted to say something.
        func percent(least: Int64) -> Int64? { whole >= max(least, 1) ? part * 100 / whole : nil }
    }

    package struct Endpoint: Hashable, Sendable {
        package let host: String
        /// How long it has taken nothing; nil while it takes what it gets.
        package let failingMs: Int64?
        package let isOff: Bool
        package let failure: String?
    }

    /// The age of the oldest ad token that waits for Apple; 0 if none waits.
    var oldestTokenMs: Int64?
    /// Of Apple's answers about ad tokens, those that say that the token is unknown.
    var unknownTokens: Share?
    /// Of the streams that ended by themselves, those whose hold was over first.
    var missedDeadlines: Share?
    /// Of the paywalls seen, those that came from the app's own file.
    var bundledPaywalls: Share?
    var expiredClicks: Int64?
    /// Links that reached the app, in clicks: lately, and before.
    var linkOpens: Share?
    var linkOpensBefore: Share?
    /// 0…1; nil where the disk is not this machine's.
    var freeDisk: Double?
    /// Since the last backup, or since the store was made.
    var backupMs: Int64?
    var webhooks: [Endpoint]?
    var domains: [DomainLook]?
    /// How long no notification of the App Store has come by itself although there were some; 0 if one came.
    var notificationsSilentMs: Int64?
}

/// What counts are: of reports, which another module reads.
package struct AlertCounts: Hashable, Sendable {
    package var bundledPaywalls: AlertMeasurements.Share?
    package var expiredClicks: Int64?
    package var linkOpens: AlertMeasurements.Share?
    package var linkOpensBefore: AlertMeasurements.Share?

    package init() {}
}
