// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Landfall

@Suite("An error of the SDK", .timeLimit(.minutes(1)))
struct LandfallErrorTests {
    @Test(
        "tells whether the same call may succeed later",
        arguments: [
            (.noPaywall("onboarding", network: nil), true), (.network(TransportError(.timedOut)), true),
            (.unavailable(.diskLow), true), (.storage, true), (.refused(.invalidKey), false),
            (.placementUnknown("onboarding"), false), (.invalidArgument, false), (.notStarted, false), (.shutDown, false),
        ] as [(LandfallError.Kind, Bool)]
    )
    func retrying(kind: LandfallError.Kind, expected: Bool) {
        #expect(LandfallError(kind).isWorthRetrying == expected)
    }

    @Test("names its subject, and what to do")
    func words() {
        let unknown = LandfallError(.placementUnknown("onbording")).description
        let nothing = LandfallError(.noPaywall("onboarding", network: TransportError(.offline))).description
        let refused = LandfallError(.refused(.invalidKey), detail: "The key is unknown.").description

        #expect(unknown.contains("'onbording'") && unknown.contains("landfall.yaml"))
        #expect(nothing.contains("'onboarding'") && nothing.contains("There is no network path.") && nothing.contains("fallback"))
        #expect(refused.contains("invalid_key") && refused.contains("The key is unknown."))
    }

    @Test(
        "says that the SDK tries again only where the request is kept",
        arguments: [.network(TransportError(.offline)), .network(TransportError(.timedOut)), .unavailable(.busy), .storage]
            as [LandfallError.Kind])
    func queued(kind: LandfallError.Kind) {
        let error = LandfallError(kind)

        #expect(error.description.hasSuffix("Nothing is queued: call again later."))
        #expect(error.kept.description.hasSuffix("The request is kept, and the SDK tries again; nothing to do."))
        #expect(!error.description.contains("  "))
    }
}
