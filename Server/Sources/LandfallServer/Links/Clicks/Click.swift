// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// One request for a link in a browser, as it is stored. It contains no address and no user agent.
package struct Click: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Sendable { case store, page, web, expired }

    /// A UUIDv7: identifies the click, never the person.
    let id: String
    let atMs: Int64
    let kind: ClickKind
    let platform: BrowserPlatform
    let host: String
    let path: LinkPath
    let outcome: Outcome
    /// Equal for the same visitor of this link on this day; nil if visitors are not counted.
    var visitor: Int64?
    /// Two letters, if a trusted proxy reports them.
    var country: String?
    var labels: LinkLabels
    /// Tracking parameters without their own column.
    var parameters: [String: String] = [:]
    var context = ClickContext()
}

/// A click that the app may find at its first open.
struct DeferredClick: Hashable, Sendable {
    let token: DeferredToken
    /// The link that was followed.
    let original: String
    /// Where it leads in the app.
    let resolved: String
}

/// A click with its deferred link. A class, because it is passed on a dozen times on its way to the disk, and a copy of its
/// many texts takes longer than an insert.
package final class ClickEntry: Sendable {
    let click: Click
    let deferred: [DeferredClick]
    /// Nil if it must not be found by address.
    let waiting: AddressedClick?

    init(click: Click, deferred: [DeferredClick] = [], waiting: AddressedClick? = nil) {
        self.click = click
        self.deferred = deferred
        self.waiting = waiting
    }
}

/// Stores clicks.
package protocol ClickStore: Sendable {
    /// Stores a click with its deferred link: both or neither. Clicks that wait at the same time share a commit.
    /// - Parameter then: called once, on any thread, when the click is on disk, or with the error. It must return at once.
    func record(_ entry: ClickEntry, of app: AppID, then: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

extension ClickStore {
    /// Returns when the click is on disk. A caller that is cancelled meanwhile still gets the result.
    func record(_ entry: ClickEntry, of app: AppID) async throws {
        try await withCheckedThrowingContinuation { continuation in
            record(entry, of: app) { continuation.resume(with: $0) }
        }
    }
}
