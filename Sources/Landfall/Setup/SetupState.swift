// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The mistakes in the app's setup that a launch has logged, and since when others may be there.
struct SetupState: Sendable {
    let bundle: AppBundle
    let server: URL
    private let links: LinkDomains
    /// Those that were logged, in this order.
    private(set) var traps: [SetupTrap] = []
    private var isChecked = false
    /// Since when a listener waits for `start()`.
    private var unstartedSince: Duration?
    /// Since when a link waits without a listener.
    private var unheardSince: Duration?
    /// Since when the app is visible with nothing connected to its links.
    private var unconnectedSince: Duration?

    init(bundle: AppBundle, server: URL, links: LinkDomains) {
        self.bundle = bundle
        self.server = server
        self.links = links
    }

    /// Each mistake is logged once in a launch.
    /// - Returns: true if this one has to be logged now.
    mutating func isNew(_ trap: SetupTrap) -> Bool {
        guard !traps.contains(trap) else { return false }
        traps.append(trap)
        return true
    }

    /// Another installation begins: what was logged in this launch is not logged again.
    mutating func takeOver(from other: SetupState) {
        isChecked = other.isChecked
        traps = other.traps
    }

    /// Checks the parts of the setup that are visible now.
    /// - Returns: the mistakes that were found, also those that have been logged.
    mutating func settle(_ at: SetupCircumstances) -> [SetupTrap] {
        guard at.isStarted else {
            let isLate = SetupTrap.notStarted.isLate(at.hasListeners, since: &unstartedSince, at.now)
            return at.isPaywallAwaited || at.isElseAwaited || isLate ? [.notStarted] : []
        }
        unstartedSince = nil
        var found = isChecked ? [] : mistakes(at)
        isChecked = true
        if bundle.isExtension, at.isPaywallAwaited { found.append(.placementInExtension) }
        let lacksListener = at.isActivated && at.lacksListener
        if SetupTrap.nobodyListens.isLate(lacksListener, since: &unheardSince, at.now) { found.append(.nobodyListens) }
        // A link that waits for a listener has its own line.
        let lacksHooks = at.isActivated && hasUnconnectedLinks(at) && !(found + traps).contains(.nobodyListens)
        if SetupTrap.nothingConnected.isLate(lacksHooks, since: &unconnectedSince, at.now) { found.append(.nothingConnected) }
        return found
    }

    /// What does not change within a launch.
    private func mistakes(_ at: SetupCircumstances) -> [SetupTrap] {
        var found: [SetupTrap] = []
        if !server.isOfServer { found.append(.noServer(server)) }
        if bundle.lacksScenes { found.append(.noScenes) }
        if bundle.issuesAdTokens, !bundle.isExtension, !at.hasTokenSource, at.collection == .full {
            found.append(.noAdTokenSource)
        }
        return found + links.schemes.filter { !bundle.declares($0) }.map { .undeclaredScheme($0) }
    }

    /// The app names its links, and nothing of it has called for one.
    private func hasUnconnectedLinks(_ at: SetupCircumstances) -> Bool {
        guard !at.isConnected, !bundle.isExtension else { return false }
        return !(links.brand.isEmpty && links.universal.isEmpty && links.schemes.isEmpty)
    }

    /// When `start()`, a listener or the app's hooks have been missing for too long.
    var wakeAt: Duration? {
        let waits: [(trap: SetupTrap, since: Duration?)] = [
            (.notStarted, unstartedSince), (.nobodyListens, unheardSince), (.nothingConnected, unconnectedSince),
        ]
        return waits.compactMap { wait in traps.contains(wait.trap) ? nil : wait.since.map { $0 + wait.trap.patience } }.min()
    }

    /// Nil for any other error than a server's name that cannot be resolved.
    func unknownServer(after error: LandfallError) -> SetupTrap? {
        guard case .network(let error) = error.kind, error.isHostUnknown else { return nil }
        return server.host.map { .unknownServer($0) }
    }
}

/// What the setup is checked against, at one instant.
struct SetupCircumstances: Sendable {
    var now: Duration
    var isStarted: Bool
    var isActivated: Bool
    var isPaywallAwaited: Bool
    /// A call about the person or a link waits.
    var isElseAwaited: Bool
    /// For links or for profiles.
    var hasListeners: Bool
    /// A link waits, and nothing has listened for links.
    var lacksListener: Bool
    /// The app has called for links in this launch.
    var isConnected: Bool
    var hasTokenSource: Bool
    var collection: CollectionMode
}
