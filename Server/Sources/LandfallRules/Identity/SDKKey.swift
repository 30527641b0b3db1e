// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// A public key inside apps: it names the app, and gives no access to what needs a profile's secret.
package struct SDKKey: Hashable, Sendable {
    package enum Environment: String, CaseIterable, Sendable { case production, development }

    /// Starts with `pk_`.
    package let text: String
    package let environment: Environment
    /// Unix milliseconds by the server's clock; from then on the key is invalid. Nil: never.
    package let expiresAtMs: Int64?

    package func isActive(nowMs: Int64) -> Bool { expiresAtMs.map { nowMs < $0 } ?? true }
}

extension ConfigurationReader {
    /// The public keys of apps, and the secret keys of backends.
    mutating func keys(_ node: ConfigurationNode) -> (sdk: [SDKKey], server: [ServerKey]) {
        guard let elements = list(node, of: "'keys'") else { return ([], []) }
        noteSecondNames(elements, in: ["keys"])
        var seen: Set<ExactText> = []
        var keys: [SDKKey] = []
        var serverKeys: [ServerKey] = []
        for element in elements {
            if element.has("serverFrom") {
                if let key = serverKey(element) { serverKeys.append(key) }
                continue
            }
            if let key = key(element), seen.insert(ExactText(key.text)).inserted { keys.append(key) }
        }
        if elements.isEmpty { note(node.place, "'keys' is empty, so no app could call. Add one: - sdk: pk_…") }
        if !elements.isEmpty, elements.count == serverKeys.count {
            note(node.place, "'keys' has no SDK key, so no app could call. Add one: - sdk: pk_…")
        }
        return (keys, serverKeys)
    }

    private mutating func serverKey(_ node: ConfigurationNode) -> ServerKey? {
        guard let fields = fields(node, of: "A server key", required: ["serverFrom"], optional: ["expires", "may"]) else {
            return nil
        }
        let expiresAtMs = fields["expires"].flatMap { instant($0, "'expires'") }
        let scopes = fields["may"].map { self.scopes($0) } ?? ServerKey.usualScopes
        guard let place = fields["serverFrom"]?.place,
            let (variable, secret) = secret(fields["serverFrom"], "serverFrom", isFor: "server key")
        else { return nil }
        guard let key = ServerKey(secret, scopes: scopes, expiresAtMs: expiresAtMs, name: variable) else {
            note(
                place,
                "The key in '\(variable.shortened)' is not 'sk_' and 24 to 256 characters. Make one with: echo sk_$(openssl rand -hex 24)"
            )
            return nil
        }
        return key
    }

    private mutating func scopes(_ node: ConfigurationNode) -> Set<ServerKey.Scope> {
        guard let elements = list(node, of: "'may'") else { return [] }
        if elements.isEmpty { note(node.place, "'may' is empty, so the key opens nothing. List what it may do.") }
        return Set(elements.compactMap { choice($0, "A scope", as: ServerKey.Scope.self) })
    }

    private mutating func key(_ node: ConfigurationNode) -> SDKKey? {
        guard let fields = fields(node, of: "A key", required: ["sdk"], optional: ["environment", "expires"]) else {
            return nil
        }
        let environment = choice(fields["environment"], "'environment'", as: SDKKey.Environment.self)
        let expiresAtMs = fields["expires"].flatMap { instant($0, "'expires'") }
        // A message must not repeat a secret that was put here by mistake.
        let text = text(fields["sdk"], "'sdk'")
        guard let text, let place = fields["sdk"]?.place else { return nil }
        guard text.hasPrefix("pk_"), (4...128).contains(text.utf8.count), text.allSatisfy({ $0.isASCIIWord || $0 == "-" })
        else {
            note(
                place,
                "An SDK key starts with 'pk_', then has 1 to 125 letters, digits, '_' and '-'. It is public: never put a secret here."
            )
            return nil
        }
        return SDKKey(text: text, environment: environment ?? .production, expiresAtMs: expiresAtMs)
    }

    /// Unix milliseconds. A date without a time means its first instant in UTC.
    mutating func instant(_ node: ConfigurationNode, _ what: String) -> Int64? {
        guard let text = text(node, what) else { return nil }
        let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: .iso8601.year().month().day()))
        guard let date, (0..<253_402_300_800).contains(date.timeIntervalSince1970) else {
            note(
                node.place,
                "\(what) cannot be '\(text.shortened)'. Write a date (2027-01-31) or an instant (2027-01-31T12:00:00Z).")
            return nil
        }
        return Int64(date.timeIntervalSince1970 * 1000)
    }
}
