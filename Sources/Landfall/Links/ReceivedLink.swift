// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// Identifies one scene of the app: in UIKit the `persistentIdentifier` of its session. At most 256 bytes count.
public struct SceneID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// Where a link came from.
public struct LinkOrigin: Hashable, Sendable {
    private let name: String

    /// A person tapped it inside the app: it is resolved, and no click is recorded.
    public static let app = LinkOrigin(name: "app")
    /// iOS delivered it: its click is recorded once, however often iOS delivers it.
    public static let system = LinkOrigin(name: "system")
}

/// The result of ``LandfallClient/resolve(_:from:within:)``: where a link leads.
public struct OpenedLink: Hashable, Sendable {
    /// The link that was passed in.
    public let original: URL
    /// Where it leads; ``original`` unless ``status`` is ``LinkStatus/resolved``.
    public let resolved: URL
    public let status: LinkStatus
    /// The screen: equal for all forms of a link. nil if the link does not belong to the app (``LinkRules/domains``), is not
    /// valid, or may be a short link that was not resolved.
    public let destination: Destination?

    public init(original: URL, resolved: URL? = nil, status: LinkStatus = .passedThrough, destination: Destination? = nil) {
        self.original = original
        self.resolved = resolved ?? original
        self.status = status
        self.destination = destination
    }
}

/// A link of the inbox. Call ``markTaken()`` when the app has handled it.
public struct ReceivedLink: Hashable, Sendable, Identifiable {
    public let id: String
    /// The link as iOS delivered it, or as it was tapped before the app was installed.
    public let original: URL
    /// Where it leads; ``original`` unless ``status`` is ``LinkStatus/resolved``.
    public let resolved: URL
    public let status: LinkStatus
    /// The screen: equal for all forms of a link. nil as for ``OpenedLink/destination``.
    public let destination: Destination?
    /// The scene of the delivery, if it is known.
    public let scene: SceneID?
    /// True if an earlier launch handed it over and ended before ``markTaken()``.
    public let isRedelivered: Bool
    /// How the tap before the installation was found; nil for every other link.
    public let deferredMatch: DeferredLinkMatch?
    /// How long ago it was received, or tapped before the installation; 0…365 days.
    public let age: Duration

    private let take: @Sendable () -> Void

    /// True for the link that was tapped before the app was installed.
    public var isDeferred: Bool { deferredMatch != nil }

    /// A link for previews and tests. The closure is called by ``markTaken()``.
    public init(
        id: String, original: URL, resolved: URL? = nil, status: LinkStatus = .passedThrough, destination: Destination? = nil,
        scene: SceneID? = nil, isRedelivered: Bool = false, deferredMatch: DeferredLinkMatch? = nil, age: Duration = .zero,
        onTaken: @escaping @Sendable () -> Void = {}
    ) {
        self.id = id
        self.original = original
        self.resolved = resolved ?? original
        self.status = status
        self.destination = destination
        self.scene = scene
        self.isRedelivered = isRedelivered
        self.deferredMatch = deferredMatch
        self.age = age
        self.take = onTaken
    }

    /// Marks the link as handled: it does not come again, and a background task stores that at once. Without this call the link
    /// comes again after the app was killed. Callable from any thread, more than once.
    public func markTaken() { take() }

    public static func == (one: ReceivedLink, other: ReceivedLink) -> Bool {
        one.id == other.id && one.original == other.original && one.resolved == other.resolved && one.status == other.status
            && one.isRedelivered == other.isRedelivered
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// How a tap before the installation was found. New words may appear.
public struct DeferredLinkMatch: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let pasteboard = DeferredLinkMatch(rawValue: "pasteboard")
    /// The person typed or pasted the code that the link's page showed.
    public static let code = DeferredLinkMatch(rawValue: "code")
    /// By network address: a guess, and fingerprinting in Apple's terms; off by default.
    public static let address = DeferredLinkMatch(rawValue: "address")
}

/// Whether a link was tapped before the app was installed.
public enum DeferredLinkResult: Hashable, Sendable {
    case link(ReceivedLink)
    /// No link waits, or it has been handed over already.
    case none
    /// Not known yet. If there is a link, the inbox delivers it later.
    case pending
}
