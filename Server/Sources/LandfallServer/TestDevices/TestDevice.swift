// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// An install of the team itself. It sees what the configuration chooses for it, and no report counts it.
struct TestDevice: Hashable, Sendable {
    /// A list of at most this length is still one that people read.
    static let most = 200

    let name: String
    let install: InstallID
    /// The install counts as a member of this audience at every placement that names the audience.
    var audience: AudienceID?
    /// What the install sees at each placement, whichever audience matches.
    var paywalls: [PlacementID: Paywall] = [:]
}

/// The test devices of a configuration, found by their installs.
struct TestDevices: Sendable {
    private let byInstall: [InstallID: TestDevice]

    init(_ devices: [TestDevice] = []) {
        byInstall = Dictionary(devices.map { ($0.install, $0) }) { first, _ in first }
    }

    var isEmpty: Bool { byInstall.isEmpty }

    /// - Parameter first: on a reinstall, the first install of the same phone: a test device stays one.
    func device(_ install: InstallID, first: InstallID?) -> TestDevice? {
        guard !byInstall.isEmpty else { return nil }
        return byInstall[install] ?? first.flatMap { byInstall[$0] }
    }

    func device(_ install: Install) -> TestDevice? { device(install.id, first: install.firstInstallID) }
}

extension Placement {
    /// What the configuration chooses for a test device here; nil if it chooses nothing.
    /// - Parameter decision: what the install would see without the choice.
    func choice(for device: TestDevice, instead decision: Decision, locale: LocaleCode?) -> Decision? {
        if let paywall = device.paywalls[id] {
            return Decision(decision.audience, Showing(paywall), locale, isFinal: true)
        }
        if let audience = device.audience, let offer = offers.first(where: { $0.audience.id == audience }) {
            return Decision(audience, offer.showing, locale, isFinal: true)
        }
        return nil
    }
}
