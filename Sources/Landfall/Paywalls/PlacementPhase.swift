// SPDX-License-Identifier: Apache-2.0
/// The phase of a placement's paywall, for the view that shows it.
public enum PlacementPhase: Hashable, Sendable {
    /// Nothing is known yet; this takes at most the time limit.
    case loading
    /// Show this paywall. The result says where it came from: the server, the cache or the app's bundle.
    case loaded(paywall: Paywall, result: PaywallResult)
    /// Show nothing, and go on as if the user had closed the paywall.
    case nothing(PaywallResult)
    /// There is no paywall at all, not even a bundled one.
    case failed(LandfallError)

    /// - Parameter result: what a call returned.
    public init(_ result: PaywallResult) {
        self = result.paywall.map { .loaded(paywall: $0, result: result) } ?? .nothing(result)
    }

    @available(*, deprecated, renamed: "loaded(paywall:result:)")
    public static func loaded(_ paywall: Paywall, _ result: PaywallResult) -> PlacementPhase {
        .loaded(paywall: paywall, result: result)
    }

    /// What to show; nil in the other phases.
    public var paywall: Paywall? { if case .loaded(let paywall, _) = self { paywall } else { nil } }

    /// What the call returned; nil while it loads, and after a failure.
    public var result: PaywallResult? {
        switch self {
        case .loaded(_, let result), .nothing(let result): result
        case .loading, .failed: nil
        }
    }

    /// Why there is none; nil in the other phases.
    public var error: LandfallError? { if case .failed(let error) = self { error } else { nil } }

    /// Every phase, for previews: loading, the server's paywall, a stored one, the bundled one, nothing, a failure.
    public static let previews: [PlacementPhase] = [
        .loading, PlacementPhase(.preview()), PlacementPhase(.preview(origin: .cache(age: .seconds(3_600)))),
        PlacementPhase(.preview(origin: .bundled, attribution: .pending)), PlacementPhase(.preview(nil)),
        .failed(LandfallError(.noPaywall("preview", network: TransportError(.offline)))),
    ]
}
