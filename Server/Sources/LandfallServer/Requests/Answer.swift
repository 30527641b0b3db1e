// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import LandfallWire
import NIOCore
import NIOFoundationCompat

/// A successful answer: one wire value as JSON.
struct Answer<Body: Encodable>: ResponseGenerator {
    let body: Body

    init(_ body: Body) { self.body = body }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(data: try WireCoding.encode(body)))
        )
    }
}
