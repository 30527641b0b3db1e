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

        #expect(error.adaptyErrorCode == code)
        #expect(error.originalError as? LandfallError == LandfallError(kind))
    }

    @Test("A cancelled call throws 9000, with the cancellation inside")
    func cancellation() async {
        let error = await #expect(throws: AdaptyError.self) {
            try await AdaptyError.translating { () async throws -> Void in throw CancellationError() }
        }

        #expect(error?.adaptyErrorCode == .operationInterrupted)
        #expect(error?.originalError is CancellationError)
    }

    @Test("The codes are the 38 numbers that apps know, each once")
    func everyCode() {
        let storeKit = Array(0...14)
        let purchases = [1000, 1002, 1003, 1005, 1006, 1010, 1020, 1030, 1050]
        let calls = [2002, 2003, 2004, 2005, 2006, 2009, 3000, 3001, 3005, 3006, 3007, 3020, 3101, 9000]

        #expect(AdaptyError.ErrorCode.allCases.map(\.rawValue) == storeKit + purchases + calls)
        #expect(AdaptyError.ErrorCode.allCases.count == 38)
    }

    @Test("A failed result has its error, and a successful one has none")
    func result() {
        #expect(AdaptyResult<Int>.failure(AdaptyError(.wrongParam, "No.")).error?.adaptyErrorCode == .wrongParam)
        #expect(AdaptyResult<Int>.success(1).error == nil)
    }

    @Test("Domain, number and sentence are there for code that reads NSError")
    func nsError() {
        let cause = AdaptyError(.networkFailed, "No network.")
        let error = AdaptyError(.unknown, "Failed.", originalError: cause)

        #expect((error as NSError).domain == AdaptyError.AdaptyErrorDomain)
        #expect(error.errorUserInfo[AdaptyError.UserInfoKey.description] as? String == "Failed.")
        #expect(error.originalNSError?.code == 2005)
        #expect(AdaptyError(.unknown, "Failed.").originalNSError == nil)
        #expect(error.debugDescription.contains("No network."))
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
                MainActor.preconditionIsolated()
                done.resume(returning: error)
            }
        }

        #expect(error?.adaptyErrorCode == .wrongParam)
    }
}
