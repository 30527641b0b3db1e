// SPDX-License-Identifier: Apache-2.0

extension Services {
    /// What this node does without being asked, besides Apple's exchange.
    var works: [JobWork] { [RetentionWork(app: snapshot.app.id, rules: retentionRules, time: time).work, erasing.work] }

    /// What is deleted when its time is over.
    var retentionRules: [RetentionRule] {
        [.clicks(self), .addresses(self), .visitorKeys(visitors)] + RetentionRule.rows(self) + RetentionRule.installs(self)
    }
}
