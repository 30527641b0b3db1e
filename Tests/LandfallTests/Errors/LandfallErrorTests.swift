// SPDX-License-Identifier: Apache-2.0
import Foundation
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

    @Test("has a stable domain and number, and its text in `localizedDescription`, also as an NSError")
    func nsError() {
        let kinds: [LandfallError.Kind] = [
            .notStarted, .shutDown, .noPaywall("onboarding", network: nil), .placementUnknown("onboarding"), .invalidArgument,
            .refused(.invalidKey), .unavailable(.busy), .network(TransportError(.offline)), .storage, .storageUnavailable,
        ]
        let errors = kinds.map { LandfallError($0, detail: "Detail.") }

        #expect(errors.map { ($0 as NSError).code } == Array(1...10))
        #expect(Set(errors.map { ($0 as NSError).domain }) == ["LandfallErrorDomain"])
        #expect(errors.allSatisfy { $0.localizedDescription == $0.description && $0.errorDescription == $0.description })
        #expect(errors.allSatisfy { ($0 as NSError).localizedDescription == $0.description })
        #expect(errors[5].errorUserInfo["LandfallServerCode"] as? String == "invalid_key")
    }

    @Test("brings the network's error with it")
    func underlying() throws {
        let network = TransportError(.timedOut, detail: "Nothing arrived for 15.0 seconds.")
        let errors = [LandfallError(.network(network)), LandfallError(.noPaywall("onboarding", network: network))]

        for error in errors {
            let underlying = try #require((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)
            #expect((underlying.domain, underlying.code) == ("LandfallTransportErrorDomain", 2))
            #expect(underlying.localizedDescription == network.description)
        }
    }
}
