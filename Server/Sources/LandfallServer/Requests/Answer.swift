// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import LandfallWire
import NIOCore
import NIOFoundationCompat

/// A successful answer: one wire value as JSON.
struct Answer<Body>: ResponseGenerator {
    private let json: () throws -> ByteBuffer

    init(_ body: Body) where Body: JSONWritable { json = { body.jsonBytes() } }

    /// For answers that no phone waits for: ten times slower.
    init(_ body: Body) where Body: Encodable { json = { ByteBuffer(data: try WireCoding.encode(body)) } }

    init(_ body: Body) where Body: Encodable & JSONWritable { json = { body.jsonBytes() } }

    /// The same in bytes that others may be answered with too.
    init(bytes: ByteBuffer) { json = { bytes } }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(status: .ok, headers: AnswerFields.json, body: ResponseBody(byteBuffer: try json()))
    }
}

/// The fields that answers have in common, made once.
enum AnswerFields {
    static let json: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]

    private static let version = HTTPField(name: .landfallVersion, value: LandfallVersion.current)
    private static let noSniffing = HTTPField(name: .xContentTypeOptions, value: "nosniff")

    /// Adds what every answer ends with. No handler sets any of these itself.
    static func end(_ fields: inout HTTPFields, requestID: String) {
        fields.append(version)
        fields.append(HTTPField(name: .landfallRequestID, value: requestID))
        fields.append(noSniffing)
    }
}
