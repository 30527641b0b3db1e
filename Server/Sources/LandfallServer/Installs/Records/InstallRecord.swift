// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// An install inside one transaction: loaded once, changed as a value, written back as one difference.
///
/// Features decide about their own values (facts, attributes, a token, a person) and do not know this type. Only Profiles
/// loads, changes and writes it.
struct InstallRecord {
    let unit: InstallUnit
    /// The install as stored; an unknown install as its first call creates it.
    let stored: Install
    /// True if the store does not have it yet.
    let isNew: Bool
    /// The store's answers about the names in the call.
    let answers: InstallAnswers
    /// The install as it will be written.
    var install: Install

    /// Rows beside the install that are only added, or that belong to another feature.
    var keys: RequestKeys
    var queuedToken: QueuedToken?
    /// With it this node takes a queued token's job; nil: it has no place for it.
    var tokenLease: JobLease?
    /// The customer who now owns the install's profile.
    var ownedCustomer: CustomerID?
    /// New clicks, and a finished exchange.
    var additions: [Statement] = []
    /// The link from before the install that this transaction takes.
    var takenLink: FoundLink = .none
    /// Links that reached the app with this call.
    var openedLinks: [ClickReport] = []

    init(_ unit: InstallUnit, stored: Install, isNew: Bool, answers: InstallAnswers) {
        self.unit = unit
        self.stored = stored
        self.isNew = isNew
        self.answers = answers
        install = stored
        keys = answers.keys
    }

    /// False for changes about a person whom the install no longer shows. The epoch of another store says nothing about that: the
    /// install may be the one that a wiped or restored server has begun anew.
    func isAboutPerson(_ changes: AttributeChanges) -> Bool {
        guard let epoch = changes.epoch, epoch >= unit.storeEpoch else { return true }
        return epoch >= install.epoch
    }

    /// What was learned about the install's source.
    var newFacts: [AttributionFact] {
        guard install.facts.count != stored.facts.count || install.facts != stored.facts else { return [] }
        let known = Set(stored.facts.map(\.id))
        return install.facts.filter { !known.contains($0.id) }
    }
}

/// The caller of a transaction, and its random values. They are drawn beforehand because an engine may run a transaction again.
struct InstallUnit: Sendable {
    let app: AppID
    let id: InstallID
    /// Nil if the server itself changes the install.
    let credential: Credential?
    /// The epoch of the store's mark; an older epoch of the install counts as this.
    let storeEpoch: Int64
    let nowMs: Int64
    /// The same instant by the clock of all nodes.
    let storeNowMs: Int64
    /// For another person on this install, and for a new install whose own profile id is taken.
    let freshID: ProfileID
    /// See ``DirtyMark``.
    let reportStamp = DirtyMark.drawnStamp()
    /// For what endpoints want to know; nil if none wants anything of it.
    let webhook: WebhookNote?

    init(
        _ app: AppID, _ id: InstallID, _ credential: Credential?, storeEpoch: Int64, nowMs: Int64, clock: StoreClock = .own,
        webhook: WebhookNote? = nil
    ) {
        self.app = app
        self.id = id
        self.credential = credential
        self.storeEpoch = storeEpoch
        self.nowMs = nowMs
        storeNowMs = clock.ms(at: nowMs)
        self.webhook = webhook
        freshID = .fresh(nowMs: nowMs)
    }
}

/// What a transaction asks the store besides the install itself.
struct InstallQuestions: Sendable {
    /// Whether the store has the install. If it is otherwise, the store is asked once more.
    enum Expectation { case known, new, nothing }

    var expectation = Expectation.known
    /// Which install used this device first.
    var device: String?
    /// Which install sent this token first.
    var token: TokenHash?
    /// Which of these keys were used before.
    var keys: [RequestKey] = []
    /// Which profile this customer has.
    var customer: CustomerID?
    /// Which link waits for this install.
    var link: DeferredClaim?
    /// The device facts that the phone sends with that claim.
    var saying = DeviceFacts()
    /// Clicks may count, so the install's absences are needed.
    var countsClicks = false
    /// The configuration has experiments, so the install's assignments are needed.
    var readsAssignments = false
}

extension InstallQuestions {
    /// The rows that the transaction reads in order to change them. The profile is the install's first one. Another one that the install
    /// joins is locked inside; one that it shares is changed only if it is still as it was read.
    func locks(of unit: InstallUnit) -> [RowLock] {
        var locks: [RowLock] = [.install(unit.id, in: unit.app), .profile(.first(of: unit.id), in: unit.app)]
        if let device { locks.append(.device(device, in: unit.app)) }
        if let token { locks.append(.token(token, in: unit.app)) }
        if let customer { locks.append(.customer(customer, in: unit.app)) }
        return locks
    }
}

/// The store's answers.
struct InstallAnswers: Sendable {
    var firstInstallOfDevice: InstallID?
    var token = TokenUse()
    var keys = RequestKeys()
    var customersProfile: StoredProfile?
    var link: FoundLink = .none
    /// A profile already has the id that the new install would get.
    var isOwnProfileTaken = false
}

extension Install {
    /// An unknown install as its first call creates it.
    init(new id: InstallID, profileID: ProfileID, epoch: Int64, nowMs: Int64) {
        self.init(
            id: id, profileID: profileID, epoch: epoch, installVersion: 1, profileVersion: 0, attributionVersion: 0,
            customerID: nil, customerIsVerified: false, device: DeviceFacts(), attributes: [:], isReinstall: false,
            firstInstallID: nil, createdAtMs: nowMs, installedAtMs: nowMs, lastSeenAtMs: nowMs, facts: []
        )
    }
}
