// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

extension WebhookNote {
    /// The facts of profiles that may use something else than before.
    func facts(of changes: [ChangedAccess], in app: AppID, _ connection: any ReadConnection) throws -> [WebhookFact] {
        guard wants(.accessChanged) else { return [] }
        return try changes.map { change in
            let install = try change.install.flatMap {
                try StoredInstall(app, $0, storeEpoch: 0, readsLastSeen: false, from: connection)?.install
            }
            let customer = install == nil ? try StoredProfile.customerID(of: change.profile, in: app, from: connection) : nil
            var profile = WireProfile(id: change.profile, installId: change.install ?? InstallID(""), epoch: 0, version: 0, attributionVersion: 0)
            profile.tell(change.access, nowMs: nowMs)
            return WebhookFact(.accessChanged, atMs: nowMs) { json in
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

    /// The row of changes; nil if there are none.
    func insertion(of changes: [ChangedAccess], into app: AppID, _ connection: any ReadConnection) throws -> Statement? {
        try insertion(
            of: facts(of: changes, in: app, connection), profile: changes.first?.profile, install: changes.first?.install, into: app)
    }

    /// The row of what a chain of purchases has changed; nil if that is nothing.
    func insertion(
        of charges: [RecordedCharge], and changes: [ChangedAccess], into app: AppID, _ connection: any ReadConnection
    ) throws -> Statement? {
        try insertion(
            of: facts(of: charges, in: app, connection) + facts(of: changes, in: app, connection),
            profile: charges.first?.owner ?? changes.first?.profile, install: charges.first?.install ?? changes.first?.install, into: app)
    }
}
