// SPDX-License-Identifier: Apache-2.0

extension Services {
    /// All that this node does without being asked.
    var works: [JobWork] { [RetentionWork(app: snapshot.app.id, rules: retentionRules, time: time).work, erasing.work] }

    /// What is deleted when its time is over.
    var retentionRules: [RetentionRule] {
        [.clicks(self), .addresses(self), .visitorKeys(visitors)] + RetentionRule.rows(self) + RetentionRule.installs(self)
    }
}
