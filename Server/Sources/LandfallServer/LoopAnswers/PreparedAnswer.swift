// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore

/// An answer's head in the bytes of HTTP/1.1, but for what is each answer's own: rendered once, written many times. To render
/// the same fields anew for each visitor was a tenth of a redirect's time. A class, because an answer is passed on several times
/// on its way.
final class PreparedAnswer: Sendable {
    /// As far as the body's length.
    private let start: ByteBuffer
    private let afterLength: ByteBuffer
    private let afterID: ByteBuffer

    /// - Parameters:
    ///   - fields: all but those of each answer and of all, in the order in which the application says them.
    ///   - late: those that come behind the request's id.
    init(_ status: HTTPResponse.Status, _ fields: HTTPFields, late: HTTPFields = [:]) {
        func begun(_ name: HTTPField.Name) -> String { "\(name.rawName): " }
        start = ByteBuffer(
            string: "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n" + Self.lines(fields) + begun(.contentLength))
        afterLength = ByteBuffer(
            string: "\r\n" + Self.lines([.landfallVersion: LandfallVersion.current]) + begun(.landfallRequestID))
        afterID = ByteBuffer(string: "\r\n" + Self.lines(late) + begun(.date))
    }

    /// As the application ends an answer of the API.
    /// - Parameter fields: what its route says.
    static func ofAPI(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> PreparedAnswer {
        PreparedAnswer(status, fields, late: [.xContentTypeOptions: "nosniff"])
    }

    private static func lines(_ fields: HTTPFields) -> String {
        fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    }

    /// The whole answer.
    /// - Parameters:
    ///   - isWhole: false for HEAD.
    ///   - isLast: the connection ends with it.
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
