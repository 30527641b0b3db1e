// SPDX-License-Identifier: Apache-2.0

/// Says the name of its type and nothing of what it holds. Loggers, debuggers and failed assertions print values whole, with
/// everything inside them: at log level debug the hashes of keys would be in the log.
protocol Discreet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Discreet {
    var description: String { "\(Self.self)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
