// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// A mistake in the app's setup. The client logs each once in a launch, as soon as it is detected, with what to do.
struct SetupTrap: Hashable, Sendable {
    let message: String

    /// How long a link waits before the client logs that there is no listener, and a listener before it logs that `start()` is
    /// missing.
    static let listenerPatience: Duration = .seconds(5)
    /// How long the app is visible before the client logs that nothing is connected to its links.
    static let hookPatience: Duration = .seconds(10)

    static let noAdTokenSource = SetupTrap(
        message:
            "The client has no source of ad tokens, so no install counts as from Apple Ads. Make the client with LandfallApple "
            + "(LandfallConfiguration.live), or set adTokens."
    )
    static let notStarted = SetupTrap(
        message: "A call or a listener waits for start(), which was not called. Call landfall.start() once, as early as possible."
            + " If start() waits for the person's consent, nothing is to be done."
    )
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
    static let nothingConnected = SetupTrap(
        message:
            "LinkRules names the app's links, but the app has not received, opened or listened for a link in this launch. Put "
            + ".landfallLinks(landfall) { link in … } around the app's first view, or call landfall.receive in iOS's hooks and "
            + "iterate landfall.links. If the app does so later in the launch, nothing is to be done. An app that hands its links to "
            + "open(_:from:within:) or to Adjust's names has nothing to do."
    )
    static let placementInExtension = SetupTrap(
        message:
            "An app extension asks for a paywall. Only the app's own process sends first opens and keeps paywalls: ask in the "
            + "app, and give the extension what it shows."
    )

    static let noScenes = SetupTrap(
        message:
            "This app is built with the SDK of iOS 27 or later, and its Info.plist has no UIApplicationSceneManifest: iOS does not start "
            + "such an app without scenes. Add the key and a scene delegate, which then gets the app's links "
            + "(docs/features/apple.md#links). If the app's @main is a SwiftUI App, it has scenes, and nothing is to be done."
    )

    /// An app may be right that connects nothing before a link is tapped: that is no warning.
    var level: LogLine.Level { self == .nothingConnected ? .info : .warning }

    /// How long the mistake has to last before the client logs it, where it may still put itself right.
    var patience: Duration { self == .nothingConnected ? Self.hookPatience : Self.listenerPatience }

    /// - Parameters:
    ///   - isThere: whether the mistake is there now.
    ///   - since: since when; updated.
    func isLate(_ isThere: Bool, since: inout Duration?, _ now: Duration) -> Bool {
        guard isThere else {
            since = nil
            return false
        }
        let begin = since ?? now
        since = begin
        return begin + patience <= now
    }

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

extension SetupTrap {
    static func noServer(_ address: URL) -> SetupTrap {
        SetupTrap(
            message:
                "Nothing can be sent: the server's address '\(address.absoluteString.cut(toBytes: 200))' does not begin with https:// and a "
                + "host. Set it to the address of your Landfall server, for example https://api.example.com.")
    }

    static func unknownServer(_ host: String) -> SetupTrap {
        SetupTrap(
            message:
                "Nothing has been sent: the server's name '\(host.cut(toBytes: 200))' cannot be resolved (DNS). Correct the address in "
                + "the configuration, or give the name a DNS record. If this device is offline, nothing is to be done.")
    }
}
