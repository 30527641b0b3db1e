// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Names one kind of work that is retried after a failure.
enum RetryableOperationName: Hashable, Sendable {
    case files, storing, firstOpen, adToken, adTokenDelivery, profile, outbox, links, deferredLink, forgetting, purchases
    case paywall(PaywallKey)

    var text: String {
        switch self {
        case .files: "reading the files"
        case .storing: "writing the files"
        case .firstOpen: "first open"
        case .adToken: "ad token"
        case .adTokenDelivery: "delivering the ad token"
        case .profile: "following the profile"
        case .outbox: "outbox"
        case .links: "resolving links"
        case .deferredLink: "link from before the install"
        case .forgetting: "forgetting"
        case .purchases: "sending purchases"
        case .paywall(let key): "paywall \(key.inWords)"
        }
    }
}

/// The last error of each kind of retried work in this launch.
struct LastErrors: Sendable {
    private var errors: [RetryableOperationName: LastError] = [:]

    subscript(name: RetryableOperationName) -> LastError? { errors[name] }

    mutating func note(_ error: some Error, of name: RetryableOperationName, now: Duration) {
        // All work is tried again.
        let text = (error as? LandfallError).map { "\($0.kept)" } ?? error.inWords
        errors[name] = LastError(text: text, at: now)
    }
}

struct LastError: Hashable, Sendable {
    let text: String
    /// On the launch's clock.
    let at: Duration
}

extension RetryableOperationName {
    var category: LogLine.Category {
        switch self {
        case .files, .storing: .storage
        case .firstOpen: .firstOpen
        case .adToken, .adTokenDelivery: .attribution
        case .profile: .profiles
        case .outbox: .events
        case .links, .deferredLink: .links
        case .forgetting: .client
        case .purchases: .purchases
        case .paywall: .paywalls
        }
    }
}
