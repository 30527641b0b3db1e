// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension Install {
    /// Attaches a customer id. An unverified id changes only this install's profile: if the profile has another id, it is
    /// another person, who gets a fresh profile. With a verified id the install joins the customer's own profile.
    /// - Parameters:
    ///   - theirs: the existing profile of a verified customer.
    ///   - freshID: for a fresh profile, if one is needed.
    /// - Returns: true if the profile now belongs to a verified customer.
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

    /// The install starts over with an anonymous profile.
    mutating func logOut(freshID: ProfileID) { move(to: StoredProfile(id: freshID)) }

    /// Shows another profile. A higher epoch makes it win over everything that the phone keeps.
    private mutating func move(to profile: StoredProfile) {
        epoch += 1
        profileID = profile.id
        profileVersion = profile.version
        customerID = profile.customerID
        customerIsVerified = profile.isVerified
        attributes = profile.attributes
        access = profile.access
    }
}

extension Identification {
    /// - Throws: ``InstallError/invalidValue(_:)``
    func check() throws(InstallError) {
        guard (1...Limits.customerID).contains(customerID.rawValue.utf8.count) else {
            throw .invalidValue("'customerId' needs 1 to \(Limits.customerID) bytes.")
        }
    }
}
