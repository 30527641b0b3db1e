// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import LandfallWire

@testable import LandfallConsole
@testable import LandfallRules
@testable import LandfallServer

extension StoreLife {
    /// Everybody is searched by every key, and looked at.
    static func profiles(_ store: TestStore) async throws {
        let search = ProfileSearch(database: store.database, app: TestStore.app)
        let reading = ProfileReader(database: store.database, installs: store.installs, app: TestStore.app)
        var configuration = Configuration.sample()
        configuration.testDevices = [TestDevice(name: "tablet", install: Credential.mayasTablet.installID)]
        let snapshot = Snapshot(configuration, revision: 7)
        _ = try await search.newest(snapshot)
        _ = try await search.testDevices(snapshot)
        let first = ProfileID.first(of: Credential.mayasPhone.installID)
        for query in [
            Credential.mayasPhone.installID.rawValue, first.rawValue, "maya", "may", "omar", "0199b0a0", "i_0199b0a0", "s_01", "gues", "it's nobody",
            "AbCdEfGhJkLmNpQrStUvWx", "tablet",
        ] { _ = try await search.find(query, snapshot) }
        var profiles = [first]
        for phone in [Credential.mayasPhone, .mayasTablet, .omarsPhone] {
            if let profile = try await reading.profile(of: phone.installID) { profiles.append(profile) }
        }
        for profile in profiles {
            guard let person = try await reading.person(profile) else { continue }
            for before in [nil, TimelineCursor(UUIDv7.earliest(atMs: TestStore.noon) + "gtap:it's")] {
                _ = try await reading.document(of: person, chosen: nil, before: before, snapshot, nowMs: TestStore.noon)
            }
        }
    }
}
