// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a link on a brand domain is. Never decided by the shape of the path.
enum LinkDecision: Hashable, Sendable {
    /// A path that the server keeps for itself.
    case reserved
    case stored(StoredLink)
    /// Stored, and its time is over.
    case expired(StoredLink)
    /// One of the domain's `paths:`.
    case ownPath
    /// Nothing stored, but it names a tracker.
    case tracked
    case notFound

    /// - Parameter stored: what the store has at this host and path.
    init(
        _ link: LinkAddress, path: LinkPath, stored: StoredLink?, patterns: [PathPattern], parameters: LinkParameters,
        nowMs: Int64
    ) {
        if path.isReserved {
            self = .reserved
        } else if let stored {
            self = stored.isExpired(nowMs: nowMs) ? .expired(stored) : .stored(stored)
        } else if patterns.match(link) {
            self = .ownPath
        } else {
            self = parameters.hasTracker ? .tracked : .notFound
        }
    }

    /// The stored link, expired or not.
    var link: StoredLink? {
        switch self {
        case .stored(let link), .expired(let link): link
        default: nil
        }
    }

    /// True for what leads somewhere.
    var isOpen: Bool {
        switch self {
        case .stored, .ownPath, .tracked: true
        case .reserved, .expired, .notFound: false
        }
    }
}
