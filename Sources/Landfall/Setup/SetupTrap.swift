// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// A mistake in the app's setup. The client logs each once in a launch, as soon as it is detected, with what to do.
struct SetupTrap: Hashable, Sendable {
    let message: String

    /// How long a link waits before the client logs that there is no listener.
    static let listenerPatience: Duration = .seconds(5)

    static let noAdTokenSource = SetupTrap(
        message:
            "The client has no source of ad tokens, so no install counts as from Apple Ads. Make the client with LandfallApple "
            + "(LandfallConfiguration.live), or set adTokens."
    )
    static let notStarted = SetupTrap(
        message: "A call waits for start(), which was not called. Call landfall.start() once, as early as possible.")
    static let neverSeen = SetupTrap(
        message: "A call ended before the client was told that the app is visible, so the first open was not sent. Keep "
            + "AppLifecycleSignals in platform, call enteredForeground(), or set opensOnActivation to false. If the system "
            + "launched the app in the background, nothing is to be done."
    )
    static let nobodyListens = SetupTrap(
        message:
            "A link waits in the inbox without a listener. Put .landfallLinks(landfall) { link in … } around the app's first "
            + "view, or iterate landfall.links."
    )
    static let placementInExtension = SetupTrap(
        message:
            "An app extension asks for a paywall. Only the app's own process sends first opens and keeps paywalls: ask in the "
            + "app, and give the extension what it shows."
    )

    static func undeclaredScheme(_ scheme: String) -> SetupTrap {
        SetupTrap(
            message:
                "LinkRules names the scheme '\(scheme)', which Info.plist does not declare, so iOS opens no such link. Add it to "
                + "CFBundleURLTypes, or remove it from LinkRules.")
    }

    static func unknownPlacement(_ placement: PlacementID) -> SetupTrap {
        SetupTrap(message: LandfallError(.placementUnknown(placement)).description)
    }
}

extension LaunchState {
    mutating func speak(_ trap: SetupTrap) {
        guard !traps.contains(trap) else { return }
        traps.append(trap)
        log(.warning, trap.message, .setup)
    }

    /// Checks the parts of the setup that are visible now.
    mutating func checkSetup(_ now: Duration) {
        let waits = !board.calls.isEmpty || !installWaiters.isEmpty || !links.calls.isEmpty || !links.deferred.calls.isEmpty
        guard isStarted else { return waits ? speak(.notStarted) : () }
        if !isSetupChecked {
            isSetupChecked = true
            if bundle.issuesAdTokens, !bundle.isExtension, !hasTokenSource, collection == .full { speak(.noAdTokenSource) }
            for scheme in links.rules.domains.schemes where !bundle.declares(scheme) { speak(.undeclaredScheme(scheme)) }
        }
        if bundle.isExtension, !board.calls.isEmpty { speak(.placementInExtension) }
        if isActivated, links.inbox.hasWaitingButNoListener {
            let since = unheardSince ?? now
            unheardSince = since
            if since + SetupTrap.listenerPatience <= now { speak(.nobodyListens) }
        } else {
            unheardSince = nil
        }
    }

    /// When a link has waited too long for a listener.
    var setupWakeAt: Duration? {
        traps.contains(.nobodyListens) ? nil : unheardSince.map { $0 + SetupTrap.listenerPatience }
    }

    /// Checks a call that ended before the first open could be sent.
    mutating func checkSetup(of call: PaywallCall, _ result: Result<PaywallResult, LandfallError>, _ now: Duration) {
        guard isStarted, !isActivated, !bundle.isExtension else { return }
        if case .success = result, now < call.deadline { return }
        speak(.neverSeen)
    }
}
