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
                if serverKeys.isEmpty { p(.class("empty")) { words.noServerKeys } } else {
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
    var keysTitle: String { say("Keys", "キー", "密钥") }
    func keysNote(_ version: Int64) -> String {
        say(
            "Of configuration version \(version); times in \(clock.zone)", "設定バージョン \(version) のキー。時刻は \(clock.zone)",
            "配置版本 \(version) 的密钥;时间为 \(clock.zone)")
    }
    var sdkKeys: String { say("SDK keys", "SDK キー", "SDK 密钥") }
    var sdkKeysText: String {
        say(
            "Below 'keys' in landfall.yaml. They are inside apps: here stands the beginning and the length of each.",
            "landfall.yaml の 'keys' で宣言します。アプリに含まれる公開キーで、ここには先頭と長さを表示します。",
            "在 landfall.yaml 的 'keys' 下声明。密钥包含在应用中,此处显示开头和长度。")
    }
    var serverKeys: String { say("Server keys", "サーバーキー", "服务器密钥") }
    var serverKeysText: String {
        say(
            "Secrets of your backends. landfall.yaml names the variable ('serverFrom') and what the key may do ('may').",
            "バックエンド用の秘密のキーです。landfall.yaml は変数名 ('serverFrom') と権限 ('may') だけを持ちます。",
            "后端使用的机密。landfall.yaml 只写变量名 ('serverFrom') 和权限 ('may')。")
    }
    var noServerKeys: String { say("The configuration has no server key.", "サーバーキーはありません。", "配置中没有服务器密钥。") }
    var keyColumn: String { say("Key", "キー", "密钥") }
    var variableColumn: String { say("Variable", "変数", "变量") }
    var environmentColumn: String { say("Environment", "環境", "环境") }
    var scopesColumn: String { say("May", "権限", "权限") }
    var keyEnds: String { say("Ends", "期限", "到期") }
    var keyEnded: String { say("Ended", "期限切れ", "已过期") }
    var lastUsed: String { say("Last used", "最終使用", "最近使用") }
}
