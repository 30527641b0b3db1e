// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// What shows that the app was used before an installation of Landfall began: its launch is then an update and no first open.
///
/// The age of the app alone shows nothing: apps are downloaded ahead of time, by pre-orders and by automatic downloads.
struct EarlierUse: Sendable {
    /// What the app says of itself.
    var said: Date?
    /// What the platform shows. Reads a file.
    var shown: @Sendable () -> Date? = { nil }

    /// A younger date may be of this very launch.
    static let shortestAge: Duration = .seconds(60)
    /// An older date is a mistake.
    static let longestAge: Duration = .days(20 * 366)

    /// For how long the app has been used; nil where nothing shows an earlier launch.
    func age(at date: Date) -> Duration? {
        [said, shown()].compactMap { $0.map(date.timeIntervalSince) }
            .filter { $0 >= Self.shortestAge / .seconds(1) && $0 <= Self.longestAge / .seconds(1) }
            .max().map { .milliseconds(Int64($0 * 1000)) }
    }
}
