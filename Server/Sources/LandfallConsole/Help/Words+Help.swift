// SPDX-License-Identifier: Apache-2.0

/// Around the pages of the help.
extension Words {
    var help: String { translate("Help") }
    func help(about heading: String) -> String { translate("Help: \(heading)") }
    var howPageWorks: String { translate("How this page works") }
    var helpPages: String { translate("What each page is for") }

    func name(of part: HelpPart) -> String {
        switch part {
        case .firstDay: translate("Your first day")
        case .numbers: translate("What is this number?")
        case .glossary: translate("Glossary")
        }
    }

    func about(_ part: HelpPart) -> String {
        switch part {
        case .firstDay: translate("From the invitation to reading a report, in seven steps.")
        case .numbers: translate("Every number of the overview, the reports and the experiments, and what it counts.")
        case .glossary: translate("The words of the console, each in one sentence.")
        }
    }

    /// What a section is for.
    func about(_ section: Frame.Section) -> String {
        switch section {
        case .overview: translate("The numbers of the last days beside the days before, and what somebody should look at.")
        case .live: translate("Taps, first opens and paywalls as they happen.")
        case .campaigns: translate("Which sources and campaigns bring people, and what these people do.")
        case .revenue: translate("What was paid, which subscriptions run, and what the people of each day have paid since.")
        case .funnel: translate("How many go on from the tap to the purchase, step by step.")
        case .retention: translate("How many come back, by the number of days since their first open.")
        case .linkReport: translate("How often links are tapped, and where the taps lead.")
        case .paywallReport: translate("How often each paywall is seen, and how soon it is there.")
        case .experiments: translate("Which of several paywalls does better, and how sure that is.")
        case .links: translate("Makes, finds and changes links. Each has an address, a QR code and its clicks.")
        case .placements: translate("Where the app shows paywalls, and who sees which one.")
        case .audiences: translate("Groups of people by conditions, and how many people match.")
        case .paywalls: translate("What the app draws and sells, in each language.")
        case .versions: translate("Every text of the configuration that was published, drafts, and the way back to an older one.")
        case .profiles: translate("One person: where they came from, what they saw and bought, and why.")
        case .members: translate("Who may use the console, and what each of them may do.")
        case .audit: translate("Who changed what, and when.")
        case .keys: translate("What lets apps and backends call this server, and when each key was last used.")
        case .webhooks: translate("Tells your own systems what happens here. What did not arrive can be sent again.")
        case .api: translate("Every call that a program can make, with an example.")
        case .health: translate("Whether the server works, and what to do where it does not.")
        case .account: translate("Your password, the browsers in which you are signed in, and keyboard shortcuts.")
        case .help: translate("How the console is used, what its numbers are, and its words.")
        }
    }
}

/// The first day.
extension Words {
    func title(of step: FirstDayPage.Step) -> String {
        switch step {
        case .join: translate("Join the team")
        case .link: translate("Make a link")
        case .tap: translate("Tap it on a phone")
        case .placement: translate("Say who sees which paywall")
        case .publish: translate("Review and publish")
        case .report: translate("Read a report")
        case .experiment: translate("Compare two paywalls")
        }
    }

    func text(of step: FirstDayPage.Step) -> String {
        switch step {
        case .join:
            translate("An owner sends you a link. Open it within 24 hours and choose a password of at least 15 characters: then you are in. Your role says what you may see and change.")
        case .link:
            translate("Say where the link leads and to which campaign it belongs. Its address and its QR code can go into an ad, a post or a letter at once. On a phone with the app it opens the app; without it, it leads to the store, and the first open names the link.")
        case .tap:
            translate("Your tap is on the page Live within a second. Install the app then and open it, and the first open follows. This is how reports know what brought an install.")
        case .placement:
            translate("The app asks for a placement. Its audiences are asked from top to bottom, and the first one that matches decides what is shown. Everyone is always the last one.")
        case .publish:
            translate("A change is a draft until it is published. The review says in sentences what changes, and for how many people. Every version is kept, and an older one can be published again.")
        case .report:
            translate("Each row is a source or a campaign: how many opened the app for the first time, saw a paywall and paid. A click on a row shows its parts, a click on the title of a column sorts by it. The dashed line is the time before.")
        case .experiment:
            translate("An experiment shows one of several paywalls by chance and compares what people do then. While the interval crosses the line of no difference, nothing is decided: what you see may be chance.")
        }
    }

    var reviewStep: String { translate("Review", context: "a step") }
}
