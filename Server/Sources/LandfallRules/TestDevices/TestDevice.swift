// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// An install of the team itself. It sees what the configuration chooses for it, and no report counts it.
package struct TestDevice: Hashable, Sendable {
    /// A list of at most this length is still one that people read.
    static let most = 200

    package let name: String
    package let install: InstallID
    /// The install counts as a member of this audience at every placement that names the audience.
    var audience: AudienceID?
    /// What the install sees at each placement, whichever audience matches.
    package var paywalls: [PlacementID: Paywall] = [:]

    package init(name: String, install: InstallID, audience: AudienceID? = nil, paywalls: [PlacementID: Paywall] = [:]) {
        (self.name, self.install, self.audience, self.paywalls) = (name, install, audience, paywalls)
    }
}

/// The test devices of a configuration, found by their installs.
package struct TestDevices: Sendable {
    private let byInstall: [InstallID: TestDevice]

    package init(_ devices: [TestDevice] = []) {
        byInstall = Dictionary(devices.map { ($0.install, $0) }) { first, _ in first }
    }

    package var isEmpty: Bool { byInstall.isEmpty }

    /// - Parameter first: on a reinstall, the first install of the same phone: a test device stays one.
    package func device(_ install: InstallID, first: InstallID?) -> TestDevice? {
        guard !byInstall.isEmpty else { return nil }
        return byInstall[install] ?? first.flatMap { byInstall[$0] }
    }
}

extension Placement {
    /// What the configuration chooses for a test device here; nil if it chooses nothing.
    /// - Parameter decision: what the install would see without the choice.
    package func choice(for device: TestDevice, instead decision: Decision, locale: LocaleCode?) -> Decision? {
        if let paywall = device.paywalls[id] {
            return Decision(decision.audience, Showing(paywall), locale, isFinal: true)
        }
        if let audience = device.audience, let offer = offers.first(where: { $0.audience.id == audience }) {
            return Decision(audience, offer.showing, locale, isFinal: true)
        }
        return nil
    }
}
