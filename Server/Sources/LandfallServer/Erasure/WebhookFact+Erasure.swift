// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

extension WebhookNote {
    /// Says that profiles were erased, and nothing else of them. The row names no profile in its columns: an erasure that goes on does not
    /// delete it.
    func insertions(ofErased profiles: [ProfileID], in app: AppID) -> [Statement] {
        let facts = profiles.map { profile in
            WebhookFact(.profileErased, atMs: nowMs) { $0.field("profileId", profile.rawValue) }
        }
        return insertions(of: facts, into: app)
    }
}
