// SPDX-License-Identifier: Apache-2.0

/// A kind of fact that an endpoint is told of.
package enum WebhookType: String, CaseIterable, Hashable, Sendable {
    case firstOpen = "first_open"
    case attributionDecided = "attribution.decided"
    case linkClicked = "link.clicked"
    case linkOpened = "link.opened"
    case paywallShown = "paywall.shown"
    case experimentAssigned = "experiment.assigned"
    case purchaseRecorded = "purchase.recorded"
    case accessChanged = "access.changed"
    case profileErased = "profile.erased"
}

/// Some types; as small as a number, so that a write asks for them without a lock.
package struct WebhookTypes: Hashable, Sendable {
    package let bits: Int

    package init(bits: Int) { self.bits = bits }

    package init(_ types: some Sequence<WebhookType> = [] as [WebhookType]) {
        bits = types.reduce(0) { $0 | Self.bit(of: $1) }
    }

    package var isEmpty: Bool { bits == 0 }

    package func contains(_ type: WebhookType) -> Bool { bits & Self.bit(of: type) != 0 }

    private static func bit(of type: WebhookType) -> Int {
        switch type {
        case .firstOpen: 1
        case .attributionDecided: 2
        case .linkClicked: 4
        case .linkOpened: 8
        case .paywallShown: 16
        case .experimentAssigned: 32
        case .purchaseRecorded: 64
        case .accessChanged: 128
        case .profileErased: 256
        }
    }
}
