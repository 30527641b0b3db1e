// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire
package import NIOCore

/// A route of the API that may answer from memory, on the connection's own event loop: no task, no middleware, no router. The
/// application has a route for the same path, which decides by the same code and writes the same bytes.
package protocol FastPathRoute: Sendable {
    /// Must return at once: other connections wait on the same loop.
    /// - Parameter snapshot: the configuration by which the request's host was read; a request uses only one.
    /// - Returns: nil if the application has to answer.
    func answer(to request: PlainRequest, in snapshot: Snapshot) -> FastPathAnswer?
}

/// The same for the links of a brand domain.
package protocol BrandFastPathRoute: Sendable {
    /// - Returns: nil if the application has to answer.
    func answer(to request: PlainRequest, on domain: BrandDomain, in snapshot: Snapshot) -> FastPathAnswer?
}

/// A plain request on a connection that has no other request under way.
package struct PlainRequest {
    package let head: PlainHead
    /// The bytes of the head.
    let bytes: ByteBuffer
    let peer: ClientAddress?

    var target: String { text(head.target) }

    func text(_ place: Range<Int>) -> String {
        bytes.getString(at: bytes.readerIndex + place.lowerBound, length: place.count) ?? ""
    }

    func text(_ place: Range<Int>?) -> String? { place.map { text($0) } }

    /// True if the target is this path, without a query.
    package func isFor(_ path: StaticString) -> Bool { head.target.count == path.utf8CodeUnitCount && begins(with: path) }

    /// The fields of the query, if the target is this path. They stop at the first field that is not taken.
    /// - Parameter take: returns false for a field that the route cannot read.
    /// - Returns: false for another path, and for a field that was not taken.
    func isFor(_ path: StaticString, taking take: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool) -> Bool {
        if isFor(path) { return true }
        guard begins(with: path) else { return false }
        return bytes.withUnsafeReadableBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[head.target].dropFirst(path.utf8CodeUnitCount))
            guard rest.first == UInt8(ascii: "?") else { return false }
            return UnsafeRawBufferPointer(rebasing: rest.dropFirst()).takeFields(take)
        }
    }

    private func begins(with path: StaticString) -> Bool {
        bytes.withUnsafeReadableBytes { UnsafeRawBufferPointer(rebasing: $0[head.target]).begins(with: path) }
    }
}

/// An answer that a connection sends by itself.
package struct FastPathAnswer: Sendable {
    let head: PreparedAnswer
    var body = ByteBuffer()
    let route: RequestTelemetry.Route
    /// The write that has to be on disk before the answer is sent: it calls back once, from any thread. Nil: the answer is sent
    /// at once.
    var first: (@Sendable (_ requestID: String, _ then: @escaping @Sendable () -> Void) -> Void)?

    package init(head: PreparedAnswer, body: ByteBuffer = ByteBuffer(), route: RequestTelemetry.Route) {
        (self.head, self.body, self.route) = (head, body, route)
    }
}

extension UnsafeRawBufferPointer {
    /// Gives each `name=value` of a query to `take`.
    /// - Returns: false at the first field without `=`, and at the first that is not taken.
    func takeFields(_ take: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool) -> Bool {
        var rest = self[...]
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            guard let sign = rest[..<end].firstIndex(of: UInt8(ascii: "=")) else { return false }
            let name = UnsafeRawBufferPointer(rebasing: rest[rest.startIndex..<sign])
            guard take(name, UnsafeRawBufferPointer(rebasing: rest[(sign + 1)..<end])) else { return false }
            guard end < rest.endIndex else { return true }
            rest = rest[(end + 1)...]
        }
    }

    func begins(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && (0..<text.utf8CodeUnitCount).allSatisfy { self[$0] == text.utf8Start[$0] }
    }
}

/// The caller, as ``Authentication`` and the store determine it, read from the bytes of a request's head.
struct FastPathCaller {
    let app: AppID
    /// Nil if the caller sent only the SDK key.
    let proof: InstallProof?
    let namesDevice: Bool

    /// - Returns: nil for a caller that the application refuses; the application writes the error.
    init?(_ request: PlainRequest, _ snapshot: Snapshot, nowMs: Int64) {
        guard let key = request.withBytes(request.head.authorization, { $0.flatMap(BearerKey.text) }),
            let app = snapshot.app(ofKey: key, nowMs: nowMs)
        else { return nil }
        self.app = app
        namesDevice = request.head.device != nil
        guard request.head.profile != nil else {
            proof = nil
            return
        }
        guard let proof = request.withBytes(request.head.profile, { $0.flatMap { InstallProof($0) } }) else { return nil }
        self.proof = proof
    }
}

extension PlainRequest {
    func withBytes<Value>(_ place: Range<Int>?, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
        guard let place else { return body(nil) }
        return bytes.withUnsafeReadableBytes { body(UnsafeRawBufferPointer(rebasing: $0[place])) }
    }
}
