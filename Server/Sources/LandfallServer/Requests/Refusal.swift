// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Something that a caller sent and that does not fit: has a stable code for the wire. The description is a sentence for the
/// developer, with what to do.
protocol Refusal: Error, CustomStringConvertible {
    var code: ErrorCode { get }
}
