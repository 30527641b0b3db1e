// SPDX-License-Identifier: Apache-2.0

/// The glossary: the nouns of docs/glossary.md that the console shows, by what they belong to. Names that pages have are theirs.
extension Words {
    var glossary: [(title: String, terms: [(term: String, meaning: String)])] {
        [
            (people, peopleTerms), (links, linkTerms), (paywalls, paywallTerms), (experiments.title, experimentNouns), (revenue, revenueTerms),
            (versions.title, consoleTerms),
        ]
    }

    private var people: String { name(of: SectionGroup.people) }

    private var peopleTerms: [(term: String, meaning: String)] {
        [
            (installTerm, translate("One installation of the app on one phone, until it is removed or reset.")),
            (firstOpenTerm, translate("The first request of an install: it reports the phone and brings its paywalls.")),
            (column("reinstalls"), translate("An install on a phone that had the app before.")),
            (profileTitle, translate("What the app said about a person, on all their installs.")),
            (translate("Event"), translate("Something that a person did in the app, reported by the app.")),
            (testDeviceBadge, translate("An install of the team; it sees what the configuration chooses, and no report counts it.")),
            (retentionReport, translate("The share of installs that were seen again after a number of days.")),
            (translate("Erasure"), translate("The deletion of everything that the server has of a person, for good.")),
        ]
    }

    private var linkTerms: [(term: String, meaning: String)] {
        [
            (link, translate("An address that leads people to a screen of the app, or to a page.")),
            (clicks, translate("Taps on a link, each stored before it is answered.")),
            (campaign, translate("What an ad or a link belongs to, by the name that its owner gave it.")),
            (sourceTerm, translate("Who brought an install: Apple Ads, a link, or another provider.")),
            (attribution, translate("What is known about where an install came from, with a state.")),
            (column("organic"), translate("An install that no campaign and no link brought.")),
            (translate("Deferred link"), translate("A link that was tapped before the app was installed.")),
            (translate("Window"), translate("For how long after a click an install, or a conversion, counts for it.")),
            (translate("Brand domain"), translate("A host that serves links and nothing else.")),
        ]
    }

    private var paywallTerms: [(term: String, meaning: String)] {
        [
            (placement, translate("A place in the app where a paywall is shown.")),
            (audience, translate("A named group of people, by conditions.")),
            (translate("Segment"), translate("A named condition that audiences share.")),
            (paywall, translate("A name, product ids and JSON that the app draws; the App Store sells the products.")),
            (translate("Product"), translate("Something that the App Store sells, by its product id.")),
            (remoteConfig, translate("The JSON of a paywall, by language.")),
            (translate("Default paywall"), translate("What everyone sees who matches no audience.")),
            (translate("Bundled paywall"), translate("The paywall in the app's own file, for when nothing else is known.")),
            (translate("Deadline"), translate("The moment at which a call returns the best that is known.")),
            (column("exposures"), translate("Showings of a paywall, each counted once.")),
        ]
    }

    private var experimentNouns: [(term: String, meaning: String)] {
        [
            (experiments.experiment, translate("A comparison of paywalls, in which chance decides who sees which.")),
            (experiments.variation, translate("One of the paywalls that an experiment compares; the first is the control.")),
            (drawUnit, translate("What an experiment draws for: an install, and its reinstalls on the same phone.")),
            (experiments.metric, translate("What an experiment compares, such as the share of units with an event.")),
            (translate("Holdout"), translate("Units that see no experiment, so that all of them together can be compared.")),
            (experiments.epoch, translate("A part of an experiment's time; another one draws its units anew.")),
        ]
    }

    private var revenueTerms: [(term: String, meaning: String)] {
        [
            (translate("Transaction"), translate("One purchase or renewal, as the App Store signed it.")),
            (translate("Charge"), translate("Money that moved once: a payment or a refund, as Apple signed it.")),
            (translate("Access level"), translate("What purchases open, by a name; for each person it has a state and an end.")),
            (translate("Grant"), translate("An access level that the app's backend has given to a person.")),
            (translate("Grace period"), translate("Days after a failed payment in which a subscription stays open.")),
            (translate("Sandbox"), translate("Apple's store for tests: it signs purchases, and nobody pays.")),
        ]
    }

    private var consoleTerms: [(term: String, meaning: String)] {
        [
            (versions.version, translate("One text of the configuration, with a number; the newest that can be built is served.")),
            (memberColumn, translate("A person who may use the console, with a role.")),
            (translate("Key"), translate("What lets an app (pk_…) or a backend (sk_…) call the server.")),
            (translate("Limit"), translate("The most of something that the server accepts; a refusal names it.")),
        ]
    }
}
