// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The environment that this process was started with.
package enum ProcessEnvironment {
    package static func value(of name: String) -> String? {
        let variables = ProcessInfo.processInfo.environment
        return variables[name] ?? variables["CREDENTIALS_DIRECTORY"].flatMap { credential(name, in: $0) }
    }

    /// A file that systemd gives only to this service (`LoadCredential=`), named like the variable. The final line break does
    /// not belong to the value.
    /// - Parameter name: without a slash: it comes from a configuration.
    static func credential(_ name: String, in folder: String) -> String? {
        guard !name.contains("/"), let data = FileManager.default.contents(atPath: folder + "/" + name), data.count <= 64 * 1024,
            let text = String(validating: data, as: UTF8.self)
        else { return nil }
        return text.last?.isNewline == true ? String(text.dropLast()) : text
    }

    /// For reading a configuration without its secrets: gives a value to every variable.
    package static let standIn = "sk_" + String(repeating: "x", count: 64)

    package static func anySecret(of name: String) -> String? { standIn }
}
