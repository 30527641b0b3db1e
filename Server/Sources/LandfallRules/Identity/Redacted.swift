// SPDX-License-Identifier: Apache-2.0

/// Prints as the name of its type without its values. Loggers, debuggers and failed assertions print values whole, including
/// nested ones: without this, hashes of keys would be in the log at level debug.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "\(Self.self)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
