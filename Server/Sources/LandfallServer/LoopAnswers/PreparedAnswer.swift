// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore

/// An answer in the bytes of HTTP/1.1, but for what is each request's own: rendered once, written many times. To render the
/// same fields anew for each visitor was a tenth of a redirect's time.
struct PreparedAnswer: Sendable {
    /// As far as the request's id.
    private let start: ByteBuffer
    private let afterID: ByteBuffer
    private let body: ByteBuffer

    /// - Parameters:
    ///   - fields: all but those of each request, in the order in which the application says them.
    ///   - late: those that come behind the request's id.
    init(_ status: HTTPResponse.Status, _ fields: HTTPFields, late: HTTPFields = [:], body: ByteBuffer = ByteBuffer()) {
        let line = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        start = ByteBuffer(string: line + Self.lines(fields) + "\(HTTPField.Name.landfallRequestID.rawName): ")
        afterID = ByteBuffer(string: "\r\n" + Self.lines(late) + "\(HTTPField.Name.date.rawName): ")
        self.body = body
    }

    /// As the application ends an answer of the API.
    /// - Parameter fields: what its route says.
    static func ofAPI(_ status: HTTPResponse.Status, _ fields: HTTPFields, body: ByteBuffer) -> PreparedAnswer {
        var fields = fields
        fields[.contentLength] = "\(body.readableBytes)"
        fields[.landfallVersion] = LandfallVersion.current
        return PreparedAnswer(status, fields, late: [.xContentTypeOptions: "nosniff"], body: body)
    }

    private static func lines(_ fields: HTTPFields) -> String {
        fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    }

    /// The whole answer.
    /// - Parameters:
    ///   - isWhole: false for HEAD.
    ///   - isLast: the connection ends with it.
    func bytes(
        requestID: String, date: String, isWhole: Bool, isLast: Bool, _ allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        let capacity = start.readableBytes + afterID.readableBytes + (isWhole ? body.readableBytes : 0) + 80
        var answer = allocator.buffer(capacity: capacity)
        answer.writeImmutableBuffer(start)
        answer.writeString(requestID)
        answer.writeImmutableBuffer(afterID)
        answer.writeString(date)
        answer.writeStaticString(isLast ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
        if isWhole { answer.writeImmutableBuffer(body) }
        return answer
    }
}
