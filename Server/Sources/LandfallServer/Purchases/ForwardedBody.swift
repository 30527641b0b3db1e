// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// What became of a notification for the second receiver.
enum Forwarding: String { case waiting, done, givenUp }

/// The body of Apple's request around the signed text, which the store has already: together they are the body again, byte for byte.
struct ForwardedBody: Hashable, Sendable {
    /// As Apple has written it so far.
    private static let usual = (before: Data(#"{"signedPayload":""#.utf8), after: Data(#""}"#.utf8))

    private struct Parts: Codable {
        let before: Data
        /// Nil: `before` is all of it.
        let after: Data?
    }

    private let before: Data
    private let after: Data?

    /// - Parameter signedPayload: what was read from the body.
    /// - Returns: nil if the configuration names no second receiver.
    init?(in rules: PurchaseRules, _ body: Data, with signedPayload: String) {
        guard rules.notify != nil else { return nil }
        let place = body.range(of: Data(signedPayload.utf8))
        before = place.map { Data(body[..<$0.lowerBound]) } ?? body
        after = place.map { Data(body[$0.upperBound...]) }
    }

    /// Of a notification that Apple could not post and was asked for: in Apple's form.
    init?(ofAppleIn rules: PurchaseRules) {
        guard rules.notify != nil else { return nil }
        (before, after) = Self.usual
    }

    /// Of a job.
    init?(payload: String) {
        guard !payload.isEmpty else {
            (before, after) = Self.usual
            return
        }
        guard let parts = try? WireCoding.decode(Parts.self, from: Data(payload.utf8)) else { return nil }
        (before, after) = (parts.before, parts.after)
    }

    /// For a job; empty for Apple's usual form.
    func payload() throws -> String {
        if before == Self.usual.before, after == Self.usual.after { return "" }
        return String(decoding: try WireCoding.encode(Parts(before: before, after: after)), as: UTF8.self)
    }

    func bytes(around signedPayload: String) -> [UInt8] {
        [UInt8](after.map { before + Data(signedPayload.utf8) + $0 } ?? before)
    }
}
