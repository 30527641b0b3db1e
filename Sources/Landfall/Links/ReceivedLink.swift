// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// Names one scene of the app: in UIKit the `persistentIdentifier` of its session. At most 256 bytes count.
public struct SceneID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// Who brought a link.
public struct LinkOrigin: Hashable, Sendable {
    private let name: String

    /// A person tapped it inside the app: where it leads is answered, no click is recorded.
    public static let app = LinkOrigin(name: "app")
    /// iOS delivered it: its click is recorded, once however often iOS delivers it.
    public static let system = LinkOrigin(name: "system")
}

/// Where a link leads, as ``LandfallClient/open(_:from:)`` answers.
public struct OpenedLink: Hashable, Sendable {
    /// As it was given.
    public let original: URL
    /// Where it leads; ``original`` unless ``status`` is ``LinkStatus/resolved``.
    public let resolved: URL
    public let status: LinkStatus
    /// The screen: equal for all forms of a link. nil where the link does not belong to the app
    /// (``LinkRules/domains``), is not valid, or may be a short link that was not resolved.
    public let destination: Destination?

    public init(original: URL, resolved: URL? = nil, status: LinkStatus = .passedThrough, destination: Destination? = nil) {
        self.original = original
        self.resolved = resolved ?? original
        self.status = status
        self.destination = destination
    }
}

/// A link out of the inbox. Call ``markTaken()`` when the app has acted on it.
public struct ReceivedLink: Hashable, Sendable, Identifiable {
    public let id: String
    /// As iOS delivered it, or as it was tapped before the app was installed.
    public let original: URL
    /// Where it leads; ``original`` unless ``status`` is ``LinkStatus/resolved``.
    public let resolved: URL
    public let status: LinkStatus
    /// The screen: equal for all forms of a link. nil as for ``OpenedLink/destination``.
    public let destination: Destination?
    /// Where iOS delivered it, as far as that is known.
    public let scene: SceneID?
    /// True where an earlier launch handed it over and ended before ``markTaken()``.
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

    /// The app has acted on the link: it is gone for good, and the background stores that at once. Without it the link comes
    /// again after the app was killed. Callable from any thread, also several times.
    public func markTaken() { take() }

    public static func == (one: ReceivedLink, other: ReceivedLink) -> Bool {
        one.id == other.id && one.original == other.original && one.resolved == other.resolved && one.status == other.status
            && one.isRedelivered == other.isRedelivered
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// How a tap before the installation was found again. New words may appear.
public struct DeferredLinkMatch: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let pasteboard = DeferredLinkMatch(rawValue: "pasteboard")
    /// The person typed or pasted the code that the link's page showed.
    public static let code = DeferredLinkMatch(rawValue: "code")
    /// By network address: a guess, and fingerprinting in Apple's terms; off by default.
    public static let address = DeferredLinkMatch(rawValue: "address")
}

/// Whether there is a link that was tapped before the app was installed.
public enum DeferredLinkResult: Hashable, Sendable {
    case link(ReceivedLink)
    /// No link waits, or it has been handed over already.
    case none
    /// Not known yet. If it comes, the inbox delivers it.
    case pending
}
