// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// An install in the hands of one unit of the database: loaded once, changed as a value, written back as one difference.
///
/// Features decide about their own values (facts, attributes, a token, a person) and know nothing of this one. Only Profiles
/// loads, changes and writes it.
struct InstallRecord {
    let unit: InstallUnit
    /// As it is in the store; an unknown install as its first call makes it.
    let stored: Install
    /// True where the store does not have it yet.
    let isNew: Bool
    /// What the store says about the names that the call mentions.
    let answers: InstallAnswers
    /// As it is to be.
    var install: Install

    /// Rows beside the install that are only added, or that belong to another room.
    var keys: RequestKeys
    var queuedToken: QueuedToken?
    /// The customer whose profile this install's has become.
    var ownedCustomer: CustomerID?
    /// Of clicks, and of an exchange that is over.
    var additions: [Statement] = []
    /// The link from before the install, being taken.
    var takenLink: FoundLink = .none

    init(_ unit: InstallUnit, stored: Install, isNew: Bool, answers: InstallAnswers) {
        self.unit = unit
        self.stored = stored
        self.isNew = isNew
        self.answers = answers
        install = stored
        keys = answers.keys
    }
}

/// On whose behalf a unit works, and what was drawn for it: an engine may run a unit again.
struct InstallUnit: Sendable {
    let app: AppID
    let id: InstallID
    /// Nil where it is the server itself that changes the install.
    let credential: Credential?
    /// Of the store's mark; an older epoch of the install counts as this.
    let storeEpoch: Int64
    let nowMs: Int64
    /// For another person on this install, and for a new install whose own id some profile has.
    let freshID: ProfileID

    init(_ app: AppID, _ id: InstallID, _ credential: Credential?, storeEpoch: Int64, nowMs: Int64) {
        self.app = app
        self.id = id
        self.credential = credential
        self.storeEpoch = storeEpoch
        self.nowMs = nowMs
        freshID = .fresh(nowMs: nowMs)
    }
}

/// What a unit wants to know of the store besides the install itself.
struct InstallQuestions: Sendable {
    /// Who named this device first.
    var device: String?
    /// Who sent this token first.
    var token: TokenHash?
    /// Which of these were used before.
    var keys: [RequestKey] = []
    /// Which profile this customer has.
    var customer: CustomerID?
    /// Which link waits for this install.
    var link: DeferredClaim?
    /// What the phone says of itself with that claim.
    var saying = DeviceFacts()
    /// Clicks may count, so the install's absences are wanted.
    var countsClicks = false
}

extension InstallQuestions {
    /// What the unit reads in order to change it. The profile is the install's first one: that of another person is changed only
    /// as it was read.
    func locks(of unit: InstallUnit) -> [RowLock] {
        let app = SQLValue.text(unit.app.rawValue)
        var locks = [
            RowLock("install", ["app_id": app, "install_id": .text(unit.id.rawValue)]),
            RowLock("profile", ["app_id": app, "profile_id": .text(ProfileID.first(of: unit.id).rawValue)]),
        ]
        if let device { locks.append(RowLock("install", ["app_id": app, "device_id": .text(device)])) }
        if let token { locks.append(RowLock("apple_ads_exchange", ["app_id": app, "token_hash": .text(token.rawValue)])) }
        if let customer { locks.append(RowLock("customer", ["app_id": app, "customer_id": .text(customer.rawValue)])) }
        return locks
    }
}

/// What the store said.
struct InstallAnswers: Sendable {
    var firstInstallOfDevice: InstallID?
    var token = TokenUse()
    var keys = RequestKeys()
    var customersProfile: StoredProfile?
    var link: FoundLink = .none
    /// Some profile has the id that the new install's own would get.
    var isOwnProfileTaken = false
}

extension Install {
    /// As the first call of an unknown install makes it.
    init(new id: InstallID, profileID: ProfileID, epoch: Int64, nowMs: Int64) {
        self.init(
            id: id, profileID: profileID, epoch: epoch, installVersion: 1, profileVersion: 0, attributionVersion: 0,
            customerID: nil, customerIsVerified: false, device: DeviceFacts(), attributes: [:], isReinstall: false,
            firstInstallID: nil, createdAtMs: nowMs, installedAtMs: nowMs, lastSeenAtMs: nowMs, facts: []
        )
    }
}
