// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallPostgres
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// The stores' own units, as the stores run them, about a person with two phones, a phone that was set up anew, and another phone.
struct StoreUnits {
    let app: AppID
    let mark: StoreMark
    /// The profile that the first two phones show; not the first one of either.
    let profile: ProfileID

    static let now: Int64 = 1_790_000_000_000
    static let first = phone(1), second = phone(2), reinstall = phone(3), other = phone(4), new = phone(5)
    static let device = "d"

    private static func phone(_ number: UInt8) -> Credential {
        Credential(
            installID: InstallID("0199b0a0-0000-7000-8000-00000000000\(number)"), secretHash: [UInt8](repeating: number, count: 32))
    }

    /// Stores them.
    init(in database: PostgresDatabase, _ app: AppID) async throws {
        self.app = app
        mark = try await StoreMark.load(from: database, nowMs: Self.now)
        let installs = SQLInstallStore(database, mark)
        var facts = DeviceFacts()
        facts.deviceId = Self.device
        for phone in [Self.first, Self.reinstall] {
            _ = try await installs.open(app, phone, Opening(device: facts, adToken: .none(.noToken)), nowMs: Self.now)
        }
        _ = try await installs.open(app, Self.other, Opening(device: DeviceFacts(), adToken: .none(.noToken)), nowMs: Self.now)
        // Another person on the first phone has made the server give it a profile.
        let people = [
            (Self.first, Identification(key: IdempotencyKey("1"), customerID: "guest", isVerified: false)),
            (Self.first, Identification(key: IdempotencyKey("2"), customerID: "maya", isVerified: true)),
            (Self.second, Identification(key: IdempotencyKey("3"), customerID: "maya", isVerified: true)),
        ]
        var shown: ProfileID?
        for (phone, person) in people { shown = try await installs.identify(app, phone, person, nowMs: Self.now).profileID }
        profile = shown ?? .first(of: Self.first.installID)
    }

    var all: [SteppedUnit] {
        get throws {
            [
                join, attributes, logOut, update, open, token(of: Self.second), token(of: Self.other), retirement,
                try exposure(of: Self.first, at: Self.now - 5), try exposure(of: Self.reinstall, at: Self.now - 7),
                eraseProfile, eraseFirst, erase(.install(Self.second.installID), "the second phone is erased"),
                erase(.customer("maya"), "the customer is erased"),
            ]
        }
    }

    /// Right by the locks alone. In other pairs the later one finds that its change has met no row, and is run again.
    var lockedPairs: [[SteppedUnit]] {
        [
            [join, eraseProfile], [join, retirement], [update, eraseFirst], [open, eraseFirst],
            // The profile began with its customer, so it has no version that a change could miss.
            [attributes, eraseProfile],
        ]
    }

    // MARK: - Calls

    private var join: SteppedUnit {
        var questions = InstallQuestions()
        questions.customer = "maya"
        return call("another phone joins the profile", Self.other, asking: questions) { record in
            let person = Identification(key: IdempotencyKey("4"), customerID: "maya", isVerified: true)
            let isOwned = record.install.identify(person, theirs: record.answers.customersProfile, freshID: record.unit.freshID)
            if isOwned { record.ownedCustomer = person.customerID }
        }
    }

    private var attributes: SteppedUnit {
        call("an attribute changes", Self.second) { $0.install.attributes["plan"] = .string("gold") }
    }

    private var logOut: SteppedUnit {
        call("the second phone logs out", Self.second) { $0.install.logOut(freshID: $0.unit.freshID) }
    }

    private var update: SteppedUnit {
        call("the reinstall has a new version", Self.reinstall) { $0.install.device.appVersion = "2.0" }
    }

    private var open: SteppedUnit {
        var questions = InstallQuestions(), facts = DeviceFacts()
        questions.device = Self.device
        facts.deviceId = Self.device
        return call("the device has one more install", Self.new, asking: questions) { [facts] record in
            record.install.describe(facts, firstOfDevice: record.answers.firstInstallOfDevice, nowMs: Self.now)
        }
    }

    private func token(of phone: Credential) -> SteppedUnit {
        var questions = InstallQuestions()
        questions.token = TokenHash(of: "t")
        return call("\(phone.installID) sends a token", phone, asking: questions) { $0.take(.value("t"), TokenHash(of: "t")) }
    }

    /// - Parameter phone: of the device, whose unit is its first install.
    private func exposure(of phone: Credential, at atMs: Int64) throws -> SteppedUnit {
        let unit = unit(of: phone), snapshot = Snapshot(try Configuration(yaml: Self.configuration), revision: 1)
        var event = Event(id: "0199b0a1-0000-7000-8000-000000000001", type: .paywallShown, ageMilliseconds: Self.now - atMs)
        event.assignment = Assignment(experiment: "spring-price", epoch: 1, variation: "B", bucket: 7)
        return SteppedUnit("\(phone.installID) shows a paywall", locking: InstallQuestions().locks(of: unit)) { [event] connection in
            try Self.unlessErased {
                _ = try unit.admit(in: connection)
                _ = try ExperimentEvents(unit: unit, snapshot: snapshot).record([event], connection)
            }
        }
    }

    private static let configuration = """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_test }]
        paywalls: { default: { products: [yearly] } }
        layers: { main: {} }
        experiments:
          spring-price:
            state: live
            variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default } }
        placements: { home: [{ audience: everyone, experiment: spring-price }] }

        """

    // MARK: - Deletions

    private var eraseProfile: SteppedUnit { erase(.profile(profile), "the profile is erased") }
    private var eraseFirst: SteppedUnit { erase(.install(Self.first.installID), "the device's first install is erased") }

    private func erase(_ subject: ErasureSubject, _ name: String) -> SteppedUnit {
        deletion(name, locking: subject.locks(in: app)) { _ = try $0.step(subject) }
    }

    private var retirement: SteppedUnit {
        let installs = [Self.first.installID, Self.second.installID]
        return deletion("the profile's installs expire", locking: installs.flatMap { ErasureSubject.install($0).locks(in: app) }) { unit in
            for install in installs { _ = try unit.retire(install) }
        }
    }

    private func deletion(
        _ name: String, locking locks: [RowLock], _ steps: @escaping @Sendable (inout ErasureUnit) throws -> Void
    ) -> SteppedUnit {
        let counts = RollupErasure()
        return SteppedUnit(name, locking: locks + [counts.lock(in: app)]) { [app] connection in
            var unit = ErasureUnit(app: app, nowMs: Self.now, reportStamp: 1, counts: counts, connection: connection)
            try steps(&unit)
        }
    }

    private func unit(of phone: Credential) -> InstallUnit {
        InstallUnit(app, phone.installID, phone, storeEpoch: mark.epoch, nowMs: Self.now)
    }

    /// As ``SQLInstallStore`` does it.
    private func call(
        _ name: String, _ phone: Credential, asking questions: InstallQuestions = InstallQuestions(),
        _ steps: @escaping @Sendable (inout InstallRecord) throws -> Void
    ) -> SteppedUnit {
        let unit = unit(of: phone)
        return SteppedUnit(name, locking: questions.locks(of: unit)) { connection in
            try Self.unlessErased {
                var record = try InstallRecord(unit, asking: questions, from: connection)
                try steps(&record)
                try record.write(to: connection)
            }
        }
    }

    /// The call of an erased install: nothing is written yet, and the phone is told.
    private static func unlessErased(_ body: () throws -> Void) throws {
        do { try body() } catch InstallError.profileErased {}
    }
}
