// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Event {
    /// What happened with the result of a call.
    init(_ type: Kind, of result: PaywallResult, id: String) {
        self.init(id: id, type: type, ageMilliseconds: 0)
        placement = result.placement
        paywall = result.paywall?.name
        variationId = result.paywall?.variationID ?? result.assignment?.variationId
        audience = result.audience
        revision = result.revision
        origin = result.origin.name
        assignment = result.assignment
        elapsedMilliseconds = type == .paywallShown ? min(max(0, result.elapsed.wholeMilliseconds), 86_400_000) : nil
    }
}

extension PaywallResult.Origin {
    /// As events carry it.
    fileprivate var name: String {
        switch self {
        case .matchingAudience: "matchingAudience"
        case .defaultAudience: "defaultAudience"
        case .cache: "cache"
        case .bundled: "bundled"
        }
    }
}
