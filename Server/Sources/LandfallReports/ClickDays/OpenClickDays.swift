// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The clicks of days that are not over, as far as reports read them: they are counted again only when there are others. A page that
/// shows several reports, and a person who reads page after page, would otherwise count the same clicks each time.
package final class OpenClickDays: Sendable {
    private struct Read {
        let clicks: ClickDays.Clicks
        let texts: [String]
    }

    /// Two days of an app are open for some minutes, in two zones while one changes.
    private static let most = 8

    private let days = Mutex<[ClickDays.Day: Read]>([:])

    package init() {}

    /// - Parameters:
    ///   - clicks: what the store has now.
    ///   - read: counts them.
    func texts(of day: Int64, _ days: ClickDays, _ clicks: ClickDays.Clicks, _ read: () async throws -> [String]) async throws -> [String] {
        let key = days.day(day)
        if let stored = self.days.withLock({ $0[key] }), stored.clicks == clicks { return stored.texts }
        let texts = try await read()
        self.days.withLock { stored in
            if stored[key] == nil, stored.count >= Self.most, let oldest = stored.keys.min(by: { $0.day < $1.day }) { stored[oldest] = nil }
            stored[key] = Read(clicks: clicks, texts: texts)
        }
        return texts
    }
}
