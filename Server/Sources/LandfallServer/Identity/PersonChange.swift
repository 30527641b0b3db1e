// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension Install {
    /// Attaches a customer id. Without proof it touches this install's profile only: an unproven id of a profile that has
    /// another one means another person, who gets a fresh profile. With proof the customer's own profile is joined.
    /// - Parameters:
    ///   - theirs: the profile that a proven customer has.
    ///   - freshID: for a fresh profile, if one is needed.
    /// - Returns: true where the profile has become a proven customer's.
    mutating func identify(_ person: Identification, theirs: StoredProfile?, freshID: ProfileID) -> Bool {
        if person.isVerified, let theirs {
            if theirs.id != profileID { move(to: theirs) }
            return false
        }
        if customerID == nil || customerID == person.customerID {
            customerID = person.customerID
            customerIsVerified = person.isVerified || customerIsVerified
        } else {
            move(to: StoredProfile(id: freshID, customerID: person.customerID, isVerified: person.isVerified))
        }
        return person.isVerified
    }

    /// The install starts over as nobody known.
    mutating func logOut(freshID: ProfileID) { move(to: StoredProfile(id: freshID)) }

    /// Another person's profile: a higher epoch makes it win over everything that the phone keeps.
    private mutating func move(to profile: StoredProfile) {
        epoch += 1
        profileID = profile.id
        profileVersion = profile.version
        customerID = profile.customerID
        customerIsVerified = profile.isVerified
        attributes = profile.attributes
    }
}

extension Identification {
    /// - Throws: ``InstallError/invalidValue(_:)``
    func check() throws(InstallError) {
        guard (1...Limits.customerID).contains(customerID.rawValue.utf8.count) else {
            throw .invalidValue("A customer id has 1 to \(Limits.customerID) bytes.")
        }
    }
}
