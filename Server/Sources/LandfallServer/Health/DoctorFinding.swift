// SPDX-License-Identifier: Apache-2.0

/// The result of one check.
package struct DoctorFinding: Hashable, Sendable, Codable {
    /// The check's stable name, such as `schema`.
    package let check: String
    package let ok: Bool
    package let message: String
    /// What to do; nil if nothing has to be done.
    package let fix: String?

    package init(check: String, ok: Bool, message: String, fix: String?) {
        (self.check, self.ok, self.message, self.fix) = (check, ok, message, fix)
    }

    package static func good(_ check: String, _ message: String) -> DoctorFinding {
        DoctorFinding(check: check, ok: true, message: message, fix: nil)
    }

    package static func bad(_ check: String, _ message: String, fix: String) -> DoctorFinding {
        DoctorFinding(check: check, ok: false, message: message, fix: fix)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(check, forKey: .check)
        try container.encode(ok, forKey: .ok)
        try container.encode(message, forKey: .message)
        try container.encode(fix, forKey: .fix)  // Also written as null: every element has the same keys.
    }
}
