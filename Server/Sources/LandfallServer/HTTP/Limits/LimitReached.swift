// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// A refusal that passes: the same call may succeed later. A plain ``Refusal`` is final.
package protocol PassingRefusal: Refusal {
    /// Seconds after which another try may succeed.
    var retryAfter: Int { get }
    /// The limit that was reached; nil if it is not about one.
    var limit: Limit? { get }
}

/// A call that is refused because a limit is reached.
package struct LimitReached: PassingRefusal, Hashable {
    package let code: ErrorCode
    package let description: String
    package let retryAfter: Int
    package let limit: Limit?

    private init(_ code: ErrorCode, _ limit: Limit, _ sentence: String, _ retryAfter: Int) {
        (self.code, self.limit, self.description, self.retryAfter) = (code, limit, sentence, retryAfter)
    }

    /// The node does as much of this work as it may.
    static func busy(_ limit: Limit, _ sentence: String, retryAfter: Int) -> LimitReached {
        LimitReached(.busy, limit, sentence, retryAfter)
    }

    /// One caller did it too often.
    /// - Parameter endMs: when the caller may do it again.
    static func rate(_ limit: Limit, _ sentence: String, from nowMs: Int64, to endMs: Int64) -> LimitReached {
        LimitReached(.rateLimited, limit, sentence, seconds(from: nowMs, to: endMs))
    }

    /// Rounded up.
    package static func seconds(from nowMs: Int64, to endMs: Int64) -> Int { Int((endMs - nowMs + 999) / 1000) }
}
