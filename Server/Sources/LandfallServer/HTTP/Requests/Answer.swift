// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
package import Hummingbird
import LandfallRules
import LandfallWire
package import NIOCore
import NIOFoundationCompat

/// A successful answer: one wire value as JSON.
package struct Answer<Body>: ResponseGenerator {
    private let json: () throws -> ByteBuffer

    init(_ body: Body) where Body: JSONWritable { json = { body.jsonBytes() } }

    /// For answers that no phone waits for: `Encodable` is ten times slower.
    package init(_ body: Body) where Body: Encodable { json = { ByteBuffer(data: try WireCoding.encode(body)) } }

    init(_ body: Body) where Body: Encodable & JSONWritable { json = { body.jsonBytes() } }

    /// Bytes that are already encoded, and that several answers may share.
    package init(bytes: ByteBuffer) { json = { bytes } }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(status: .ok, headers: AnswerFields.json, body: ResponseBody(byteBuffer: try json()))
    }
}

/// Header fields that answers have in common, made once.
enum AnswerFields {
    static let json: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]

    private static let version = HTTPField(name: .landfallVersion, value: LandfallVersion.current)
    private static let noSniffing = HTTPField(name: .xContentTypeOptions, value: "nosniff")

    /// Adds the fields that end every answer. No handler sets any of them itself.
    static func end(_ fields: inout HTTPFields, requestID: String) {
        fields.append(version)
        fields.append(HTTPField(name: .landfallRequestID, value: requestID))
        fields.append(noSniffing)
    }
}
