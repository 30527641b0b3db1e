// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// An install of the team's own, which sees what the configuration chooses for it, and counts in no report.
struct TestDevice: Hashable, Sendable {
    /// At most so many are a list that somebody still reads.
    static let most = 200

    let name: String
    let install: InstallID
    /// It counts as a member of this one at every placement that names it.
    var audience: AudienceID?
    /// What it sees, whichever audience matches.
    var paywalls: [PlacementID: Paywall] = [:]
}

/// The test devices of a configuration, found by their installs.
struct TestDevices: Sendable {
    private let byInstall: [InstallID: TestDevice]

    init(_ devices: [TestDevice] = []) {
        byInstall = Dictionary(devices.map { ($0.install, $0) }) { first, _ in first }
    }

    var isEmpty: Bool { byInstall.isEmpty }

    /// - Parameter first: the first install of the same phone, on a reinstall: a test device stays one.
    func device(_ install: InstallID, first: InstallID?) -> TestDevice? {
        guard !byInstall.isEmpty else { return nil }
        return byInstall[install] ?? first.flatMap { byInstall[$0] }
    }

    func device(_ install: Install) -> TestDevice? { device(install.id, first: install.firstInstallID) }
}

extension Placement {
    /// What the configuration chooses for a test device here; nil where it chooses nothing.
    /// - Parameter decision: what the install would see otherwise.
    func choice(for device: TestDevice, instead decision: Decision, locale: LocaleCode?) -> Decision? {
        if let paywall = device.paywalls[id] {
            return Decision(decision.audience, paywall, locale, isFinal: true)
        }
        if let audience = device.audience, let offer = offers.first(where: { $0.audience.id == audience }) {
            return Decision(audience, offer.paywall, locale, isFinal: true)
        }
        return nil
    }
}
