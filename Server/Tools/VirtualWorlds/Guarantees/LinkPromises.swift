// SPDX-License-Identifier: Apache-2.0
import Landfall
import Synchronization

/// A link that a person taps, as this simulation writes it. No two taps of different links have the same text.
struct TappedLink: Hashable, Sendable {
    enum Kind: String, Sendable {
        case short, long, universal, scheme, unknown, signIn, campaign
        /// A short link that has ended.
        case expired
        /// A short link behind a host that counts clicks, which forwards its parameters, or drops them.
        case wrapped, stripped

        static let usual: [Kind] = [.short, .long, .universal, .scheme, .unknown, .signIn, .campaign]
        static let wrappedOrEnded: [Kind] = [.expired, .wrapped, .stripped]
    }

    let kind: Kind
    let text: String
    /// The parameters of its click as the server stores them.
    let label: String

    init(_ kind: Kind, _ number: String) {
        self.kind = kind
        label = #"{"tap":"\#(number)"}"#
        text =
            switch kind {
            case .short: "https://brandname.go.link/beach?lf_tap=\(number)"
            case .long: "https://brandname.go.link/summer-clothes?promo=pool&lf_tap=\(number)"
            case .universal: "https://example.com/products/7?lf_tap=\(number)"
            case .scheme: "example://products/7?lf_tap=\(number)"
            case .unknown: "https://brandname.go.link/nothing?lf_tap=\(number)"
            case .signIn: "example://callback?code=\(number)&state=1"
            case .campaign: "https://example.com/products/7?lf_campaign=summer&lf_tap=\(number)"
            case .expired: "https://brandname.go.link/winter?lf_tap=\(number)"
            case .wrapped: "https://\(WrapperHost.name)\(WrapperHost.forwarding)beach?lf_tap=\(number)"
            case .stripped: "https://\(WrapperHost.name)\(WrapperHost.stripping)beach?lf_tap=\(number)"
            }
    }

    /// The server records its click, and the click can be told from others.
    var isCounted: Bool { kind != .unknown && kind != .signIn && kind != .stripped }
    /// Its click says where a person came from, and targets the summer paywall: a wrapped link's too.
    var isOfCampaign: Bool { [.short, .campaign, .wrapped, .stripped].contains(kind) }
    /// The phone has to treat it as a link that may belong to a campaign.
    var mayBeOfCampaign: Bool { isOfCampaign || kind == .unknown || kind == .expired }
    /// Only the server knows where it leads.
    var isAsked: Bool { [.short, .unknown, .expired, .wrapped, .stripped].contains(kind) }

    /// How it may reach the app, beside that the server was not heard of in time.
    var status: LinkStatus {
        switch kind {
        case .short, .wrapped, .stripped: .resolved
        case .unknown: .notFound
        case .expired: .expired
        default: .passedThrough
        }
    }

    /// Where it leads in the app, once it is settled.
    var screen: [String]? {
        switch kind {
        case .short, .long, .wrapped, .stripped: ["summer-clothes"]
        case .universal, .scheme, .campaign: ["products", "7"]
        // L10: a link that has ended leads nowhere in the app, which shows what it shows instead.
        case .unknown, .expired: nil
        case .signIn: ["callback"]
        }
    }
}

/// What a phone was promised about its links.
struct LinkPromises: Sendable {
    struct Tap: Sendable {
        let link: TappedLink
        /// Counts what entered the inbox, so that order can be told: where it was stored for certain, and where it came last.
        var storedNumber: Int
        var number: Int
        /// Clicks that were ever accepted.
        var clicks = 0
        /// Clicks that must be recorded.
        var safeClicks = 0
        /// How often it entered the inbox.
        var arrivals = 0
        /// It must reach a listener, and come again until it is taken.
        var isOwed = false
        /// How often it was handed over as new.
        var firstDeliveries = 0
        /// The number of them that may not be stored: after a kill the SDK may report them as new again.
        var unsureDeliveries = 0
    }

    var taps: [String: Tap] = [:]
    /// Links that the app has taken for certain, by their ids.
    var taken: Set<String> = []
    /// The number of the tap that each link comes from.
    var numbers: [String: Int] = [:]
    var deferredIDs: Set<String> = []
    /// Deferred links that were handed over as new.
    var deferredDeliveries = 0
    /// The number of them that may not be stored: after a kill the SDK may report them as new again.
    var unsureDeferredDeliveries = 0
    /// The token of a deferred link is stored for certain, and nothing has happened to it since.
    var isDeferredOwed = false
    var hasClaimed = false
    /// The deferred link may have come to this installation, and have expired there: it comes once.
    var mayHaveExpired = false
    /// How often the app's files were copied to another phone, or the server's store was lost: each time what is on its way
    /// may be recorded once more.
    var copies = 0
    /// Clicks of a campaign that this installation must be known by, and those that it may be.
    var isOfCampaign = false
    var mayAttribute = false
    var isCampaignSure = true
    var lastNumber = 0

    /// The app's files are gone.
    mutating func forgetFiles() {
        forgetClicks()
        calendarChanged()
        mayHaveExpired = false
    }

    /// The server's store is gone.
    mutating func forgetClicks() {
        copies += 1
        isCampaignSure = false
        isDeferredOwed = false
        for text in taps.keys { taps[text]?.safeClicks = 0 }
    }

    /// The app's files were copied to another phone, where this is a new installation.
    mutating func moved() {
        copies += 1
        isCampaignSure = false
        isDeferredOwed = false
    }

    /// Links live for seven days of the phone's calendar.
    mutating func calendarChanged() {
        isCampaignSure = false
        isDeferredOwed = false
        mayHaveExpired = hasClaimed
        for text in taps.keys { taps[text]?.isOwed = false }
    }
}

/// One question about where a link leads.
struct LinkCall: Sendable {
    let link: TappedLink
    let asked: Duration
    var answer: OpenedLink?
}
