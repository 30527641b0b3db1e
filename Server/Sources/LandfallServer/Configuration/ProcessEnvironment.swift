// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The environment that this process was started with.
enum ProcessEnvironment {
    static func value(of name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    /// For those who read a configuration and need none of the secrets that it names: lets it be read wherever they are.
    static let standIn = "sk_" + String(repeating: "x", count: 64)

    static func anySecret(of name: String) -> String? { standIn }
}
