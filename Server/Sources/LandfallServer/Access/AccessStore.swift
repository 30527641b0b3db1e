// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
package import LandfallStore
import LandfallWire

/// What backends ask about a person's access, and what they give and take back.
package struct AccessStore: Sendable {
    /// A person as a backend names them.
    enum Person: Hashable, Sendable {
        case profile(ProfileID)
        /// Only a verified customer: an unproven id leads to nobody.
        case customer(CustomerID)
    }

    private let database: any Database
    private let webhooks: WebhookNeed

    package init(_ database: any Database, webhooks: WebhookNeed = WebhookNeed()) { (self.database, self.webhooks) = (database, webhooks) }

    enum Giving: Hashable, Sendable {
        /// With the grant's id: an older one's if the same call came before.
        case given(String)
        case unknownPerson
        /// The person has ``AccessGrant/most``.
        case tooMany
    }

    /// Returns after the grant is on disk, and every phone of the person shows it.
    /// - Parameter line: of the audit log; it is written with a grant that is new.
    func add(_ grant: AccessGrant, to person: Person, in app: AppID, noting line: Statement, nowMs: Int64) async throws -> Giving {
        guard let profile = try await database.read({ try Self.profile(of: person, in: app, $0) }) else { return .unknownPerson }
        let note = webhooks.note(of: .accessChanged, nowMs: nowMs)
        return try await database.write(.interactive, locking: [.profile(profile, in: app)]) { connection in
            // It may be erased since.
            guard try Self.isKnown(profile, in: app, connection) else { return .unknownPerson }
            if let row = try connection.row(grant.repeated(of: profile, in: app)) { return .given(try row.text("grant_id")) }
            let open = try connection.row(AccessGrant.openCount(of: profile, in: app, nowMs: nowMs))?.integer("grants") ?? 0
            guard open < AccessGrant.most else { return .tooMany }
            try connection.batch([grant.insertion(for: profile, in: app), line])
            try fold(profile, in: app, note, nowMs: nowMs, connection)
            return .given(grant.id)
        }
    }

    /// - Parameter line: of the audit log; it is written if the grant is taken back now.
    /// - Returns: false if there is no such grant. One that was taken back before stays as it is.
    func takeBack(
        _ grant: String, in app: AppID, because reason: String, by: String, noting line: Statement, nowMs: Int64
    ) async throws -> Bool {
        let row = try await database.read { try $0.row(AccessGrant.holderText, [.text(app.rawValue), .text(grant)]) }
        guard let profile = try row.map({ ProfileID(try $0.text("profile_id")) }) else { return false }
        let note = webhooks.note(of: .accessChanged, nowMs: nowMs)
        try await database.write(.interactive, locking: [.profile(profile, in: app)]) { connection in
            let ending = AccessGrant.ending(grant, of: profile, in: app, because: reason, by: by, nowMs: nowMs)
            guard try connection.run(ending) > 0 else { return }
            try connection.run(line)
            try fold(profile, in: app, note, nowMs: nowMs, connection)
        }
        return true
    }

    private func fold(_ profile: ProfileID, in app: AppID, _ note: WebhookNote?, nowMs: Int64, _ connection: any WriteConnection) throws {
        let changed = try AccessUnit(app: app, nowMs: nowMs).fold([profile], connection)
        for row in try note?.insertions(of: changed, into: app, connection) ?? [] { try connection.run(row) }
    }

    /// - Returns: nil for a customer id that no backend has verified.
    func access(of customer: CustomerID, in app: AppID) async throws -> (profile: ProfileID, access: ProfileAccess?)? {
        try await database.read { connection in
            guard let profile = try StoredProfile(of: customer, in: app, from: connection) else { return nil }
            return (profile.id, profile.access)
        }
    }

    private static func profile(of person: Person, in app: AppID, _ connection: any ReadConnection) throws -> ProfileID? {
        switch person {
        case .profile(let id): try isKnown(id, in: app, connection) ? id : nil
        case .customer(let id): try StoredProfile(of: id, in: app, from: connection)?.id
        }
    }

    private static func isKnown(_ profile: ProfileID, in app: AppID, _ connection: any ReadConnection) throws -> Bool {
        try connection.rows(StoredProfile.questions(of: profile, in: app)).contains { !$0.isEmpty }
    }
}
