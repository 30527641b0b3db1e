// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// An input error with a stable code for the wire. The description is a sentence for the developer that says what to do.
package protocol Refusal: Error, CustomStringConvertible {
    var code: ErrorCode { get }
}

/// The sentence about a value of a call that cannot be taken.
package func notValid(_ field: String, _ advice: String) -> String { "'\(field)' is not valid: \(advice)" }

/// A refusal whose answer has members beside `error`.
package protocol DetailedRefusal: Refusal {
    /// A JSON object; nil if there is nothing to add.
    var details: (any Encodable)? { get }
}
