// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import Testing

@Suite("Errors", .timeLimit(.minutes(1)))
struct AdaptyErrorTests {
    @Test(
        "Each of Landfall's errors has the code that apps know",
        arguments: [
            (LandfallError.Kind.notStarted, AdaptyError.ErrorCode.notActivated),
            (.noPaywall("onboarding", network: nil), .fetchTimeoutError),
            (.noPaywall("onboarding", network: TransportError(.timedOut)), .fetchTimeoutError),
            (.noPaywall("onboarding", network: TransportError(.offline)), .networkFailed),
            (.placementUnknown("onboarding"), .badRequest),
            (.refused(.invalidKey), .badRequest),
            (.unavailable(.busy), .serverError),
            (.network(TransportError(.connectionFailed)), .networkFailed),
            (.invalidArgument, .wrongParam),
            (.shutDown, .unknown),
        ])
    func codes(kind: LandfallError.Kind, code: AdaptyError.ErrorCode) {
        let error = AdaptyError(translated: LandfallError(kind))

        #expect(error?.adaptyErrorCode == code)
        #expect(error?.originalError as? LandfallError == LandfallError(kind))
    }

    @Test("Cancellation stays cancellation")
    func cancellation() async {
        await #expect(throws: CancellationError.self) {
            try await AdaptyError.translating { () async throws -> Void in throw CancellationError() }
        }
    }

    @Test("The number and the sentence show everywhere")
    func texts() {
        let error = AdaptyError(.notActivated, "Call activate.")

        #expect((error as NSError).code == 2002)
        #expect(error.localizedDescription == "Call activate.")
        #expect("\(error)" == "Call activate. (2002)")
    }

    @Test("A completion handler gets the error, on the main thread")
    func completion() async {
        let error = await withCheckedContinuation { (done: CheckedContinuation<AdaptyError?, Never>) in
            Adapty.updateAttribution("no JSON", source: "branch") { error in
                MainActor.assertIsolated()
                done.resume(returning: error)
            }
        }

        #expect(error?.adaptyErrorCode == .wrongParam)
    }
}
