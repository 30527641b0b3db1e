// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// Whose data is to be erased.
package enum ErasureSubject: Hashable, Sendable {
    /// The profile with all its installs.
    case profile(ProfileID)
    /// Every profile with this customer id, verified or not, with all their installs.
    case customer(CustomerID)
    /// The install with its profile, unless another install has that.
    case install(InstallID)

    /// The key of the subject's job.
    var key: String {
        switch self {
        case .profile(let id): "profile:" + id.rawValue
        case .customer(let id): "customer:" + id.rawValue
        case .install(let id): "install:" + id.rawValue
        }
    }

    init?(key: String) {
        let parts = key.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).map { String(Substring($0)) }
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "profile": self = .profile(ProfileID(parts[1]))
        case "customer": self = .customer(CustomerID(parts[1]))
        case "install": self = .install(InstallID(parts[1]))
        default: return nil
        }
    }
}

/// The body of `POST /v1/erasures`: exactly one of the three fields.
struct ErasureOrder: Codable {
    var profileId: String?
    var customerId: String?
    var installId: String?

    /// - Throws: `invalid_value` if it names no subject, or more than one.
    func subject() throws -> ErasureSubject {
        let subjects: [ErasureSubject] =
            [profileId.map { .profile(ProfileID($0)) }, customerId.map { .customer(CustomerID($0)) }].compactMap { $0 }
            + [installId.map { .install(InstallID($0)) }].compactMap { $0 }
        guard subjects.count == 1, let subject = subjects.first else {
            throw RequestError.invalid("profileId", "name one person: profileId, customerId or installId.")
        }
        let id = profileId ?? customerId ?? installId ?? ""
        guard (1...Limits.customerID).contains(id.utf8.count) else {
            throw RequestError.invalid("profileId", "an id has 1 to \(Limits.customerID) bytes.")
        }
        return subject
    }
}
