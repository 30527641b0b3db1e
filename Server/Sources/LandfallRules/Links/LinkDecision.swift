// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// What kind of link a brand domain's address is. The shape of the path never decides it.
package enum LinkDecision: Hashable, Sendable {
    /// A path that the server reserves for itself.
    case reserved
    case stored(StoredLink)
    /// A stored link that has expired.
    case expired(StoredLink)
    /// A stored link whose start is still to come.
    case early(StoredLink)
    /// One of the domain's `paths:`.
    case ownPath
    /// A link that is not stored but names a tracker.
    case tracked
    case notFound

    /// - Parameter stored: the stored link at this host and path.
    package init(
        _ link: LinkAddress, path: LinkPath, stored: StoredLink?, patterns: [PathPattern], parameters: LinkParameters,
        nowMs: Int64
    ) {
        if path.isReserved {
            self = .reserved
        } else if let stored {
            self = stored.isExpired(nowMs: nowMs) ? .expired(stored) : stored.isEarly(nowMs: nowMs) ? .early(stored) : .stored(stored)
        } else if patterns.match(link) {
            self = .ownPath
        } else {
            self = parameters.hasTracker ? .tracked : .notFound
        }
    }

    /// The stored link, whether its time is now or not.
    package var link: StoredLink? {
        switch self {
        case .stored(let link), .expired(let link), .early(let link): link
        default: nil
        }
    }

    /// True for a link that leads somewhere.
    package var isOpen: Bool {
        switch self {
        case .stored, .ownPath, .tracked: true
        case .reserved, .expired, .early, .notFound: false
        }
    }
}
