// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension InstallChange {
    /// Attaches a customer id. Without proof it touches this install's profile only: an unproven id of a profile that has
    /// another one means another person, who gets a fresh profile. With proof the customer's own profile is joined.
    /// - Parameter freshID: for a fresh profile, if one is needed.
    func identify(_ install: Install, _ person: Identification, freshID: ProfileID) throws {
        guard (1...Limits.customerID).contains(person.customerID.rawValue.utf8.count) else {
            throw InstallError.invalidValue("A customer id has 1 to \(Limits.customerID) bytes.")
        }
        if person.isVerified, let profile = try profile(ofCustomer: person.customerID) {
            if profile != install.profileID { try move(install, to: profile) }
            return
        }
        if install.customerID == nil || install.customerID == person.customerID {
            try connection.run(
                """
                UPDATE profile SET customer_id = $3, customer_is_verified = $4 WHERE app_id = $1 AND profile_id = $2
                """,
                [
                    .text(app.rawValue), .text(install.profileID.rawValue), .text(person.customerID.rawValue),
                    .flag(person.isVerified || install.customerIsVerified),
                ]
            )
            if person.isVerified { try own(person.customerID, install.profileID) }
        } else {
            try createProfile(freshID, customerID: person.customerID, isVerified: person.isVerified)
            try move(install, to: freshID)
            if person.isVerified { try own(person.customerID, freshID) }
        }
    }

    /// The install starts over as nobody known.
    func logOut(_ install: Install, freshID: ProfileID) throws {
        try createProfile(freshID)
        try move(install, to: freshID)
    }

    /// Another person's profile: a higher epoch makes it win over everything that the phone keeps.
    private func move(_ install: Install, to profile: ProfileID) throws {
        try connection.run(
            "UPDATE install SET profile_id = $3, epoch = $4 WHERE app_id = $1 AND install_id = $2",
            [.text(app.rawValue), .text(id.rawValue), .text(profile.rawValue), .integer(install.epoch + 1)]
        )
    }

    private func profile(ofCustomer customerID: CustomerID) throws -> ProfileID? {
        try connection.row(
            "SELECT profile_id FROM customer WHERE app_id = $1 AND customer_id = $2",
            [.text(app.rawValue), .text(customerID.rawValue)]
        ).map { ProfileID(try $0.text("profile_id")) }
    }

    /// - Throws: where the customer has a profile already; the same call then finds and joins it.
    private func own(_ customerID: CustomerID, _ profile: ProfileID) throws {
        try connection.run(
            """
            INSERT INTO customer (app_id, customer_id, profile_id, created_at_ms) VALUES ($1, $2, $3, $4)
            """,
            [.text(app.rawValue), .text(customerID.rawValue), .text(profile.rawValue), .integer(nowMs)]
        )
    }
}
