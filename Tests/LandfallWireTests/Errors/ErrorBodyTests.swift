// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("An error on the wire", .timeLimit(.minutes(1)))
struct ErrorBodyTests {
    @Test("is read with a newer server's fields, and without a request id")
    func lenient() throws {
        let text = #"{"error": {"code": "newer_code", "message": "Text.", "hint": 1}, "more": []}"#

        let body = try WireCoding.decode(ErrorBody.self, from: Data(text.utf8))

        #expect(body.error.code == ErrorCode("newer_code"))
        #expect(body.error.message == "Text.")
        #expect(body.error.requestId == nil)
    }

    @Test("encodes and decodes to the same value")
    func roundTrip() throws {
        let body = ErrorBody(error: .init(code: .rateLimited, message: "Wait.", requestId: "r1"))

        let data = try WireCoding.encode(body)

        #expect(try WireCoding.decode(ErrorBody.self, from: data) == body)
    }
}
