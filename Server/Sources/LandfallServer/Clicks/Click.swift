// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// One request for a link in a browser, as it is stored. It holds no address and no user agent.
struct Click: Hashable, Sendable {
    enum Outcome: String, CaseIterable, Sendable { case store, page, web, expired }

    /// A UUIDv7: names the click, never the person.
    let id: String
    let atMs: Int64
    let kind: ClickKind
    let platform: BrowserPlatform
    let host: String
    let path: LinkPath
    let outcome: Outcome
    /// The same for the same visitor of this link on this day; nil where nobody is counted.
    var visitor: Int64?
    /// Two letters, where a trusted proxy says so.
    var country: String?
    var labels: LinkLabels
    /// Tracking parameters without a column of their own.
    var parameters: [String: String] = [:]
}

/// A click that the app may find again at its first open.
struct DeferredClick: Hashable, Sendable {
    let token: DeferredToken
    /// As it was followed.
    let original: String
    /// Where it leads in the app.
    let resolved: String
}

/// A click with what was handed out for it. A class, because it is passed on a dozen times on its way to the disk, and a copy
/// of its many texts takes longer than an insert.
final class ClickEntry: Sendable {
    let click: Click
    let deferred: [DeferredClick]
    /// Nil where nobody is to find it by address.
    let waiting: AddressedClick?

    init(click: Click, deferred: [DeferredClick] = [], waiting: AddressedClick? = nil) {
        self.click = click
        self.deferred = deferred
        self.waiting = waiting
    }
}

/// Keeps clicks.
protocol ClickStore: Sendable {
    /// Stores a click with what was handed out for it: all of it or nothing. Clicks that wait at the time share a commit.
    /// - Parameter then: called once, on any thread, when it is on disk or with what kept it from there. It returns at once.
    func record(_ entry: ClickEntry, of app: AppID, then: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

extension ClickStore {
    /// Returns when it is on disk. A caller that is cancelled meanwhile is still told how it ended.
    func record(_ entry: ClickEntry, of app: AppID) async throws {
        try await withCheckedThrowingContinuation { continuation in
            record(entry, of: app) { continuation.resume(with: $0) }
        }
    }
}
