// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire
import NIOCore

/// `/console/settings/keys`: the keys of the configuration, never their text.
struct KeysPageRoutes: Sendable {
    let store: KeyUseStore

    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        ConsoleAnswer.page(
            KeysPage(
                frame: try call.frame, version: call.context.snapshot.revision, keys: try await entries(call.context.snapshot, call.nowMs)
            ).html)
    }

    /// The same for programs.
    @Sendable func json(_ call: ConsoleCall) async throws -> Response {
        let entries = try await entries(call.context.snapshot, call.nowMs)
        return try ConsoleAnswer.document(entries.map { KeyDocument($0) })
    }

    /// This node knows uses that are not written down yet, and the store those of other nodes and earlier starts.
    private func entries(_ snapshot: Snapshot, _ nowMs: Int64) async throws -> [KeyEntry] {
        let keys = snapshot.configuration.keys, serverKeys = snapshot.configuration.serverKeys
        var lastUses = try await store.lastUses(of: keys.map { KeyID($0) } + serverKeys.map { KeyID($0) })
        lastUses.merge(snapshot.keyMarks.lastUses) { max($0, $1) }
        return keys.map { key in
            KeyEntry(
                name: key.maskedText, kind: .sdk(environment: key.environment.rawValue), endsAtMs: key.expiresAtMs,
                isActive: key.isActive(nowMs: nowMs), lastUsedMs: lastUses[KeyID(key)])
        }
            + serverKeys.map { key in
                KeyEntry(
                    name: key.name, kind: .server(scopes: key.scopes.map(\.rawValue).sorted()), endsAtMs: key.expiresAtMs,
                    isActive: key.expiresAtMs.map { nowMs < $0 } ?? true, lastUsedMs: lastUses[KeyID(key)])
            }
    }
}

extension ConsoleRoute {
    static func keys(_ routes: KeysPageRoutes) -> [ConsoleRoute] {
        [
            get("/console/settings/keys", .member(.operating), routes.page),
            get("/console/settings/keys.json", .member(.operating), routes.json),
        ]
    }
}

struct KeyDocument: Encodable {
    let name: String
    let kind: String
    let environment: String?
    let scopes: [String]?
    let active: Bool
    let endsAtMilliseconds: Int64?
    let lastUsedMilliseconds: Int64?

    init(_ entry: KeyEntry) {
        name = entry.name
        switch entry.kind {
        case .sdk(let environment): (kind, self.environment, scopes) = ("sdk", environment, nil)
        case .server(let scopes): (kind, environment, self.scopes) = ("server", nil, scopes)
        }
        active = entry.isActive
        endsAtMilliseconds = entry.endsAtMs
        lastUsedMilliseconds = entry.lastUsedMs
    }
}
