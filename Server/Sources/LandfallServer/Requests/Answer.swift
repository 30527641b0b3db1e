// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import LandfallWire
import NIOCore
import NIOFoundationCompat

/// A successful answer: one wire value as JSON.
struct Answer<Body: Encodable>: ResponseGenerator {
    private enum Content {
        case value(Body)
        case bytes(ByteBuffer)
    }

    private let content: Content

    init(_ body: Body) { content = .value(body) }

    /// The same in bytes that others may be answered with too.
    init(bytes: ByteBuffer) { content = .bytes(bytes) }

    static func bytes(of body: Body) throws -> ByteBuffer { ByteBuffer(data: try WireCoding.encode(body)) }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let bytes =
            switch content {
            case .value(let body): try Self.bytes(of: body)
            case .bytes(let bytes): bytes
            }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: bytes))
    }
}
