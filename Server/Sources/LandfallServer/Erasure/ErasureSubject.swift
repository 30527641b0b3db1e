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
