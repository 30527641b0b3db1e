// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Evidence that the app was used before an installation of Landfall began: then its launch is an update and not a first open.
///
/// The age of the app alone proves nothing: pre-orders and automatic downloads install apps ahead of time. After `forget()` and
/// `resetInstall()` the evidence is about the installation that has ended, and is not used.
struct EarlierUse: Sendable {
    /// The app's own statement.
    var said: Date?
    /// The platform's evidence. Reads a file.
    var shown: @Sendable () -> Date? = { nil }

    /// A younger date may come from this very launch.
    static let shortestAge: Duration = .seconds(60)
    /// An older date is a mistake.
    static let longestAge: Duration = .days(20 * 366)

    /// How long the app has been used; nil if there is no evidence of an earlier launch.
    func age(at date: Date) -> Duration? {
        [said, shown()].compactMap { $0.map(date.timeIntervalSince) }
            .filter { $0 >= Self.shortestAge / .seconds(1) && $0 <= Self.longestAge / .seconds(1) }
            .max().map { .milliseconds(Int64($0 * 1000)) }
    }
}
