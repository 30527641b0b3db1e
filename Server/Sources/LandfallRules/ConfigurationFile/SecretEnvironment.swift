// SPDX-License-Identifier: Apache-2.0

/// Where the variables are looked up that a configuration names.
package struct SecretEnvironment: Sendable {
    let value: @Sendable (String) -> String?
    /// What is taken where a variable is not set, for those who serve nothing; nil: then the file cannot be read here.
    var standIn: (@Sendable (String) -> String)?

    package init(value: @escaping @Sendable (String) -> String?, standIn: (@Sendable (String) -> String)? = nil) {
        self.value = value
        self.standIn = standIn
    }

    /// Of a node that serves.
    package static let process = SecretEnvironment(value: { ProcessEnvironment.value(of: $0) })

    /// Of a command that works in a store by itself. Only a server that serves the store later needs the variables.
    package static let withoutSecrets = SecretEnvironment(
        value: { ProcessEnvironment.value(of: $0) }, standIn: { _ in ProcessEnvironment.standIn })
}
