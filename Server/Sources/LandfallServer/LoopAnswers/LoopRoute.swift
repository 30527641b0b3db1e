// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import NIOCore

/// A route of the API that may answer from memory, on the connection's own event loop: no task, no middleware, no router. The
/// application has a route for the same path, which decides by the same code and writes the same bytes.
protocol LoopRoute: Sendable {
    /// Must return at once: other connections wait on the same loop.
    /// - Parameter snapshot: the configuration by which the request's host was read; a request uses only one.
    /// - Returns: nil if the application has to answer.
    func answer(to request: PlainRequest, in snapshot: Snapshot) -> LoopAnswer?
}

/// A plain request on a connection that has no other request under way.
struct PlainRequest {
    let head: PlainHead
    /// The bytes of the head.
    let bytes: ByteBuffer
    let peer: ClientAddress?

    var target: String { text(head.target) }

    func text(_ place: Range<Int>) -> String {
        bytes.getString(at: bytes.readerIndex + place.lowerBound, length: place.count) ?? ""
    }

    func text(_ place: Range<Int>?) -> String? { place.map { text($0) } }

    /// True if the target is this path, without a query.
    func isFor(_ path: StaticString) -> Bool {
        guard head.target.count == path.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeReadableBytes { UnsafeRawBufferPointer(rebasing: $0[head.target]).begins(with: path) }
    }
}

/// An answer that a connection sends by itself.
struct LoopAnswer: Sendable {
    let head: PreparedAnswer
    var body = ByteBuffer()
    let route: RequestTelemetry.Route
    /// The write that has to be on disk before the answer is sent: it calls back once, from any thread. Nil: the answer is sent
    /// at once.
    var first: (@Sendable (_ requestID: String, _ then: @escaping @Sendable () -> Void) -> Void)?
}

extension UnsafeRawBufferPointer {
    func begins(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && (0..<text.utf8CodeUnitCount).allSatisfy { self[$0] == text.utf8Start[$0] }
    }
}
