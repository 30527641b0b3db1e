// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore

/// A redirect's head without what is each answer's own, as fields and as the bytes that HTTP/1.1 has for them: to render the
/// same fields anew for each visitor was a tenth of a redirect's time.
struct RedirectHead: Sendable {
    let fields: HTTPFields
    private let bytes: ByteBuffer

    init(to address: String) {
        var fields = LinkPage.securityHeaders
        fields[.location] = address.asciiOnly
        fields[.contentLength] = "0"
        fields[.landfallVersion] = LandfallVersion.current
        self.fields = fields
        let lines = fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
        bytes = ByteBuffer(string: "HTTP/1.1 302 Found\r\n" + lines)
    }

    /// The whole answer, which has no body.
    /// - Parameter own: fields of this answer alone, whose values are the server's: visible ASCII.
    func answer(_ own: KeyValuePairs<HTTPField.Name, String>, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        var answer = allocator.buffer(capacity: bytes.readableBytes + 128)
        answer.writeImmutableBuffer(bytes)
        for (name, value) in own {
            answer.writeString(name.rawName)
            answer.writeStaticString(": ")
            answer.writeString(value)
            answer.writeStaticString("\r\n")
        }
        answer.writeStaticString("\r\n")
        return answer
    }
}
