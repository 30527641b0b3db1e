// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

extension WebhookNote {
    /// The facts of profiles that may use something else than before.
    /// - Parameter near: of several phones that show a profile, the one that the facts beside these are of.
    func facts(
        of changes: [ChangedAccess], near: InstallID? = nil, in app: AppID, _ connection: any ReadConnection
    ) throws -> [WebhookFact] {
        guard wants(.accessChanged) else { return [] }
        return try changes.map { change in
            let id = change.installs.first { $0 == near } ?? change.installs.first
            let install = try id.flatMap {
                try StoredInstall(app, $0, storeEpoch: 0, readsLastSeen: false, from: connection)?.install
            }
            let customer = install == nil ? try StoredProfile.customerID(of: change.profile, in: app, from: connection) : nil
            var profile = WireProfile(id: change.profile, installId: id ?? InstallID(""), epoch: 0, version: 0, attributionVersion: 0)
            profile.tell(change.access, nowMs: nowMs)
            return WebhookFact(.accessChanged, atMs: nowMs, of: .init(profile: change.profile, install: id)) { json in
                if let install {
                    install.writeWebhookFields(to: &json, nowMs: nowMs)
                } else {
                    json.field("profileId", change.profile.rawValue)
                    json.field("customerId", customer)
                }
                json.key("access")
                profile.writeAccess(to: &json)
            }
        }
    }

    func insertions(of changes: [ChangedAccess], into app: AppID, _ connection: any ReadConnection) throws -> [Statement] {
        try insertions(of: facts(of: changes, in: app, connection), into: app)
    }

    /// The rows of what chains of purchases have changed.
    func insertions(
        of charges: [RecordedCharge], and changes: [ChangedAccess], into app: AppID, _ connection: any ReadConnection
    ) throws -> [Statement] {
        try insertions(
            of: facts(of: charges, in: app, connection) + facts(of: changes, near: charges.first?.install, in: app, connection), into: app)
    }
}
