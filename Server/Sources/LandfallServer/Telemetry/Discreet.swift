// SPDX-License-Identifier: Apache-2.0

/// Prints as the name of its type without its values. Loggers, debuggers and failed assertions print values whole, including
/// nested ones: without this, hashes of keys would be in the log at level debug.
protocol Discreet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Discreet {
    var description: String { "\(Self.self)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
