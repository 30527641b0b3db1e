// SPDX-License-Identifier: Apache-2.0

/// A key of the configuration, without its text.
struct KeyEntry: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case sdk(environment: String)
        case server(scopes: [String])
    }

    /// The beginning and the length of an SDK key; the variable of a server key.
    let name: String
    let kind: Kind
    let endsAtMs: Int64?
    let isActive: Bool
    let lastUsedMs: Int64?

    fileprivate var isSDK: Bool {
        if case .sdk = kind { return true }
        return false
    }
}

/// Which keys open something, and when each was last used.
struct KeysPage {
    let frame: Frame
    /// Of the configuration that has the keys.
    let version: Int64
    let keys: [KeyEntry]

    private var words: Words { frame.words }

    var html: HTML {
        let serverKeys = keys.filter { !$0.isSDK }
        return frame.page(words.keysTitle, .keys, note: words.keysNote(version)) {
            section(.class("block")) {
                h2 { words.sdkKeys }
                p(.class("hint")) { words.sdkKeysText }
                table(words.sdkKeys, words.keyColumn, words.environmentColumn, keys.filter(\.isSDK))
            }
            section(.class("block")) {
                h2 { words.serverKeys }
                p(.class("hint")) { words.serverKeysText }
                if serverKeys.isEmpty {
                    p(.class("empty")) { words.noServerKeys }
                    frame.helpForEmpty(.keys)
                } else {
                    table(words.serverKeys, words.variableColumn, words.scopesColumn, serverKeys)
                }
            }
        }
    }

    private func table(_ name: String, _ first: String, _ second: String, _ keys: [KeyEntry]) -> HTML {
        scrollingTable(name, titles: [first, second, words.keyEnds, words.lastUsed]) {
            for key in keys {
                tr {
                    th(Attribute("scope", "row")) { code { key.name } }
                    td { detail(key.kind) }
                    td(.class("nowrap")) {
                        key.endsAtMs.map { words.instant($0) } ?? words.never
                        if !key.isActive { span(.class("badge bad")) { words.keyEnded } }
                    }
                    td(.class("nowrap")) { key.lastUsedMs.map { words.instant($0) } ?? words.never }
                }
            }
        }
    }

    private func detail(_ kind: KeyEntry.Kind) -> String {
        switch kind {
        case .sdk(let environment): environment
        case .server(let scopes): scopes.joined(separator: ", ")
        }
    }
}

extension Words {
    var keysTitle: String { translate("Keys") }
    func keysNote(_ version: Int64) -> String { translate("Of configuration version \(version); times in \(clock.zone)") }
    var sdkKeys: String { translate("SDK keys") }
    var sdkKeysText: String {
        translate("Below 'keys' in landfall.yaml. They are inside apps: here stands the beginning and the length of each.")
    }
    var serverKeys: String { translate("Server keys") }
    var serverKeysText: String {
        translate("Secrets of your backends. landfall.yaml names the variable ('serverFrom') and what the key may do ('may').")
    }
    var noServerKeys: String { translate("The configuration has no server key.") }
    var keyColumn: String { translate("Key") }
    var variableColumn: String { translate("Variable") }
    var environmentColumn: String { translate("Environment") }
    var scopesColumn: String { translate("May") }
    var keyEnds: String { translate("Ends") }
    var keyEnded: String { translate("Ended") }
    var lastUsed: String { translate("Last used") }
}
