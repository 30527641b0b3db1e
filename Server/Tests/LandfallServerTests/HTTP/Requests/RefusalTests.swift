// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallRules
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("Errors of a domain become answers in one place", .timeLimit(.minutes(1)))
struct RefusalTests {
    @Test(
        "with the domain's stable code and sentence",
        arguments: [
            (
                UnknownPlacement(), .placementUnknown, .notFound,
                "The configuration has no placement of that id. Add it to landfall.yaml or correct the app."
            ),
            (
                ExplanationError.unknownInstall, .notFound, .notFound,
                "There is no such install. Check the id; an erased person cannot be explained."
            ),
            (
                ExplanationError.unknownEvent, .notFound, .notFound,
                "The install has no event of that id. Check it: an event of another install is not found."
            ),
            (
                ExplanationError.otherPlacement, .invalidValue, .badRequest,
                "'placement' is not valid: that event is not of this placement."
            ),
            (
                ExplanationError.unreadableVersion(7, "line 1"), .invalidValue, .badRequest,
                "'exposure' is not valid: version 7 of the configuration decided, and cannot be read here any more: line 1"
            ),
            (
                PublishingRefusal.wrongTime, .invalidValue, .badRequest,
                "'atMilliseconds' is not valid: an instant after now, at most 366 days ahead, in Unix milliseconds."
            ),
            (
                PublishingRefusal.manyScheduled, .invalidValue, .badRequest,
                "'atMilliseconds' is not valid: left out: 100 versions wait for their time already. Cancel one of them."
            ),
        ] as [(any Refusal, ErrorCode, HTTPResponse.Status, String)])
    func final(refusal: any Refusal, code: ErrorCode, status: HTTPResponse.Status, sentence: String) {
        let answer = RequestError(any: refusal)

        #expect(answer.code == code && answer.status == status)
        #expect(answer.message == sentence)
        #expect(answer.retryAfter == nil && answer.limit == nil && answer.details == nil)
    }

    @Test(
        "with the time after which another try may succeed, and the limit that was reached",
        arguments: [
            (
                LimitReached.busy(.editing, "Later.", retryAfter: 2),
                RequestError(.busy, "Later.", retryAfter: 2, limit: .editing)
            ),
            (
                LimitReached.rate(.codesByInstall, "Later.", from: 1, to: 60_000),
                RequestError(.rateLimited, "Later.", retryAfter: 60, limit: .codesByInstall)
            ),
            (
                Draining.Stopping(),
                RequestError(
                    .busy, "The server is stopping and has ended this. Start it again when the server runs again.", retryAfter: 10)
            ),
        ] as [(any PassingRefusal, RequestError)])
    func passing(refusal: any PassingRefusal, answer: RequestError) {
        #expect(RequestError(any: refusal) == answer)
    }
}
