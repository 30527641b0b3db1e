// SPDX-License-Identifier: Apache-2.0

/// One row of the checklist: the person's steps, and how the kit detects that it worked.
struct DeviceCheck: Sendable, Identifiable {
    enum Verdict: Hashable, Sendable {
        /// It worked; with the measured values.
        case works(String)
        /// It failed; with what was observed.
        case fails(String)
        /// Not tried yet.
        case open

        /// The text in the report and in the docs.
        var text: String {
            switch self {
            case .works(let evidence): "works: \(evidence)"
            case .fails(let evidence): "fails: \(evidence)"
            case .open: "not tried"
            }
        }
    }

    let id: String
    let title: String
    /// In the order of the steps.
    let steps: [String]
    let verdict: @Sendable (Observations) -> Verdict

    /// Ten minutes, and one check that takes an hour. The first step of a check that deletes the app shares the report.
    static let all = [adServices, coldLink, runningLink, productPage, networkPermission, prewarmed, paste, reinstall]
}

extension DeviceCheck {
    static let adServices = DeviceCheck(
        id: "adservices",
        title: "AdServices gives a token",
        steps: ["Start the app with a network, and wait ten seconds."]
    ) { observations in
        observations.first { observation in
            guard case .adToken(let outcome, let milliseconds) = observation.event else { return nil }
            return outcome == "token" ? .works("after \(milliseconds) ms") : .fails("\(outcome) after \(milliseconds) ms")
        } ?? .open
    }

    static let coldLink = DeviceCheck(
        id: "cold-link",
        title: "A link starts the app and opens its screen",
        steps: ["Close the app in the app switcher.", "Tap a link of yours in Notes or Messages."]
    ) { observations in
        observations.first { observation in
            guard case .link(let path, isDeferred: false, isRedelivered: false) = observation.event,
                observations.sinceVisible(observation) < coldLimit
            else { return nil }
            return .works("\(path ?? "no destination"), \(observations.sinceVisible(observation)) ms after the app was visible")
        } ?? .open
    }

    static let runningLink = DeviceCheck(
        id: "running-link",
        title: "A link opens its screen while the app runs",
        steps: ["Leave the app open for a quarter of a minute.", "Go to Notes or Messages and tap a link of yours."]
    ) { observations in
        observations.first { observation in
            guard case .link(let path, isDeferred: false, isRedelivered: false) = observation.event,
                observations.sinceVisible(observation) >= coldLimit
            else { return nil }
            return .works(path ?? "no destination")
        } ?? .open
    }

    static let productPage = DeviceCheck(
        id: "product-page",
        title: "A custom product page of the App Store starts the app with its link",
        steps: [
            "In App Store Connect, give a custom product page a deep link of yours whose path ends with /product-page. iOS 18 or later.",
            "Close the app. Open the page's address (…?ppid=…) on the phone, and press Open in the App Store.",
        ]
    ) { observations in
        observations.first { observation in
            guard case .link(let path?, isDeferred: false, isRedelivered: false) = observation.event, path.hasSuffix("/product-page")
            else { return nil }
            return .works("\(path), \(observations.sinceVisible(observation)) ms after the app was visible")
        } ?? .open
    }

    static let networkPermission = DeviceCheck(
        id: "network-permission",
        title: "A network that comes during the call still gives the server's paywall",
        steps: [
            shareFirst,
            "iPhones of mainland China: delete the app, install it, start it, and answer the system's question after two seconds.",
            "Other iPhones: switch to airplane mode, start the app, tap Ask, and switch airplane mode off within two seconds.",
        ]
    ) { observations in
        var hadNoPath: Set<Int> = []
        var verdict = Verdict.open
        for observation in observations.all {
            switch observation.event {
            case .path(let path) where path != "satisfied": hadNoPath.insert(observation.launch)
            case .paywall(let origin, let milliseconds) where hadNoPath.contains(observation.launch):
                if origin == "matchingAudience" || origin == "defaultAudience" {
                    return .works("\(origin) after \(milliseconds) ms")
                }
                verdict = .fails("\(origin) after \(milliseconds) ms")
            default: break
            }
        }
        return verdict
    }

    static let prewarmed = DeviceCheck(
        id: "prewarm",
        title: "A launch ahead of time is not an open",
        steps: [
            "Restart the phone, unlock it, and leave it for an hour.",
            "Open the app. iOS decides whether it makes a launch ahead of time: without one this row stays open.",
        ]
    ) { observations in
        for launch in observations.launchNumbers {
            let seen = observations.inLaunch(launch)
            guard seen.contains(where: { $0.event == .launched(prewarmed: true) }) else { continue }
            let activated = seen.first { $0.event == .activated }?.milliseconds ?? .max
            let told = seen.first { if case .profile = $0.event { true } else { false } }?.milliseconds
            guard let told else { continue }
            return told >= activated
                ? .works("seen \(activated) ms after the launch, first open after that")
                : .fails("the first open left \(told) ms after the launch, before anybody saw the app")
        }
        return .open
    }

    static let paste = DeviceCheck(
        id: "paste",
        title: "The paste control hands over the link from before the installation",
        steps: [
            shareFirst,
            "Delete the app. Tap a link with 'pasteboard: true', and press the button of its page.",
            "Install the app, start it, and press Paste.",
        ]
    ) { observations in
        let link: Verdict? = observations.first { observation in
            guard case .link(let path, isDeferred: true, _) = observation.event else { return nil }
            return .works(path ?? "no destination")
        }
        if let link { return link }
        let wasClaimed = observations.all.contains { $0.event == .pasted(isClaimed: true) }
        return wasClaimed ? .fails("the text was taken, no link came yet") : .open
    }

    static let reinstall = DeviceCheck(
        id: "reinstall",
        title: "The app recognises that it was here before",
        steps: [shareFirst, "Delete the app, install it, start it with a network."]
    ) { observations in
        observations.first { observation in
            guard case .profile(isReinstall: true, _) = observation.event else { return nil }
            return .works("the profile says so in launch \(observation.launch)")
        } ?? .open
    }

    /// The first step of every check that deletes the app.
    static let shareFirst = "Share the report first: if the app is deleted, its report is deleted too."

    /// A link has started the app if it comes before the app is visible, or within this time after it. In milliseconds.
    private static let coldLimit = 10_000
}
