// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import NIOCore

/// Something of the API that a node may answer from memory, on the connection's own loop: there is no task, no middleware and
/// no router on the way. The application has a route for the same, which decides by the same code and says the same bytes.
protocol LoopRoute: Sendable {
    /// Returns at once: others wait on the same loop.
    /// - Parameter snapshot: by which the request's host was read; a request has one.
    /// - Returns: nil where the application is to answer.
    func answer(to request: PlainRequest, in snapshot: Snapshot) -> LoopAnswer?
}

/// A plain request on a connection that has nothing else to do.
struct PlainRequest {
    let head: PlainHead
    /// The head's.
    let bytes: ByteBuffer
    let peer: ClientAddress?

    var target: String { text(head.target) }

    func text(_ place: Range<Int>) -> String {
        bytes.getString(at: bytes.readerIndex + place.lowerBound, length: place.count) ?? ""
    }

    func text(_ place: Range<Int>?) -> String? { place.map { text($0) } }

    /// True where the target is this path, without a query.
    func isFor(_ path: StaticString) -> Bool {
        guard head.target.count == path.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeReadableBytes { UnsafeRawBufferPointer(rebasing: $0[head.target]).begins(with: path) }
    }
}

/// What a connection says by itself.
struct LoopAnswer: Sendable {
    let head: PreparedAnswer
    var body = ByteBuffer()
    let route: RequestTelemetry.Route
    /// What has to be on disk before the answer leaves: it calls back once, from any thread. Nil: the answer leaves at once.
    var first: (@Sendable (_ requestID: String, _ then: @escaping @Sendable () -> Void) -> Void)?
}

extension UnsafeRawBufferPointer {
    func begins(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && (0..<text.utf8CodeUnitCount).allSatisfy { self[$0] == text.utf8Start[$0] }
    }
}
