// SPDX-License-Identifier: Apache-2.0

/// Looks up the variables that a configuration names.
package struct SecretEnvironment: Sendable {
    package let value: @Sendable (String) -> String?
    /// The value for a variable that is not set, for programs that do not serve; nil: then the file cannot be read here.
    var standIn: (@Sendable (String) -> String)?

    package init(value: @escaping @Sendable (String) -> String?, standIn: (@Sendable (String) -> String)? = nil) {
        self.value = value
        self.standIn = standIn
    }

    /// The environment of a node that serves.
    package static let process = SecretEnvironment(value: { ProcessEnvironment.value(of: $0) })

    /// The environment of a command that works in a store without a server. Only the server that serves the store later needs the
    /// variables.
    package static let withoutSecrets = SecretEnvironment(
        value: { ProcessEnvironment.value(of: $0) }, standIn: { _ in ProcessEnvironment.standIn })
}
