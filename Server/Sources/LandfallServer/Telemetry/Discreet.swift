// SPDX-License-Identifier: Apache-2.0

/// Says the name of its type and nothing of what it holds. Loggers, debuggers and failed assertions print values whole, with
/// everything inside them: whoever runs a service at log level debug would find the hashes of keys in the log.
protocol Discreet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Discreet {
    var description: String { "\(Self.self)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
