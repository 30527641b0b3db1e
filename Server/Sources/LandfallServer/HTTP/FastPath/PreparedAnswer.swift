// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import NIOCore

/// The bytes of an HTTP/1.1 answer's head, except the fields that differ between answers: rendered once, written many times.
/// Rendering the same fields again for each visitor took a tenth of a redirect's time. A class, because an answer is passed on
/// several times.
package final class PreparedAnswer: Sendable {
    /// The head up to the body's length.
    private let start: ByteBuffer
    private let afterLength: ByteBuffer
    private let afterID: ByteBuffer

    /// - Parameters:
    ///   - fields: all but the common fields and those that differ, in the order in which the application writes them.
    ///   - late: fields that follow the request id.
    init(_ status: HTTPResponse.Status, _ fields: HTTPFields, late: HTTPFields = [:]) {
        func begun(_ name: HTTPField.Name) -> String { "\(name.rawName): " }
        start = ByteBuffer(
            string: "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n" + Self.lines(fields) + begun(.contentLength))
        afterLength = ByteBuffer(
            string: "\r\n" + Self.lines([.landfallVersion: LandfallVersion.current]) + begun(.landfallRequestID))
        afterID = ByteBuffer(string: "\r\n" + Self.lines(late) + begun(.date))
    }

    /// Ends like the application's API answers.
    /// - Parameter fields: those of the route.
    package static func ofAPI(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> PreparedAnswer {
        PreparedAnswer(status, fields, late: [.xContentTypeOptions: "nosniff"])
    }

    private static func lines(_ fields: HTTPFields) -> String {
        fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    }

    /// The whole answer.
    /// - Parameters:
    ///   - isWhole: false for HEAD.
    ///   - isLast: the connection closes after it.
    func bytes(
        body: ByteBuffer, requestID: String, date: String, isWhole: Bool, isLast: Bool, _ allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        let fixed = start.readableBytes + afterLength.readableBytes + afterID.readableBytes
        var answer = allocator.buffer(capacity: fixed + (isWhole ? body.readableBytes : 0) + 96)
        answer.writeImmutableBuffer(start)
        answer.writeString(String(body.readableBytes))
        answer.writeImmutableBuffer(afterLength)
        answer.writeString(requestID)
        answer.writeImmutableBuffer(afterID)
        answer.writeString(date)
        answer.writeStaticString(isLast ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
        if isWhole { answer.writeImmutableBuffer(body) }
        return answer
    }
}
