// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Names one kind of work that is retried after a failure.
enum RetryableOperationName: Hashable, Sendable {
    case files, storing, firstOpen, adToken, adTokenDelivery, profile, outbox, links, deferredLink, forgetting
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
        case .paywall(let key): "paywall \(key.inWords)"
        }
    }
}

/// The last error of retried work.
struct LastError: Hashable, Sendable {
    let text: String
    /// On the launch's clock.
    let at: Duration
}

extension LaunchState {
    mutating func failed(_ errand: RetryableOperationName, _ error: some Error, now: Duration) {
        // All work is tried again.
        let text = (error as? LandfallError).map { "\($0.kept)" } ?? error.inWords
        lastErrors[errand] = LastError(text: text, at: now)
    }

    /// Notes a failure of a request, and logs what the server has refused.
    mutating func noticed(_ error: LandfallError, by errand: RetryableOperationName, now: Duration) {
        failed(errand, error, now: now)
        if errand == .firstOpen { checkServerName(after: error) }
        guard error.isRefusal else { return }
        if case .refused(.placementUnknown) = error.kind, case .paywall(let key) = errand {
            speak(.unknownPlacement(key.placement))
        } else {
            log(.error, error.description, errand.category)
        }
    }
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
        case .paywall: .paywalls
        }
    }
}
