// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// The list of links, and making one.
extension Words {
    var linksNote: String { translate("Clicks of the last 28 days") }
    var linkNew: String { translate("Make a link") }
    var linkSearch: String { translate("Address or destination has") }
    var linkHost: String { translate("Domain") }
    var linkStateTitle: String { translate("State") }
    var linkAny: String { translate("Any") }
    var linkShowThese: String { translate("Show these") }
    var linkLabels: String { translate("Labels") }
    var linkFirstPage: String { translate("First page") }
    var linkNextPage: String { translate("Next page") }
    var linkNoneYet: String { translate("There are no links yet. Make the first one.") }
    var linkNoMatch: String { translate("No link matches.") }
    var linkCut: String { translate("Only a part of the links was searched so far. The next page goes on.") }
    var linkNumbersMissing: String {
        translate("There is too much to count for one page, so clicks are missing here. The page of a link has all of its own.")
    }
    var linkFewOpens: String { translate("Few") }
    var linkFewOpensNote: String { translate("“Few”: fewer than 10 first opens, or too few other links to hide them among.") }
    var linkPeople: String { translate("First opens that this link brought") }
    var linkRemoved: String { translate("The link is removed. It leads nowhere now.") }
    func linkBegin(_ time: String) -> String { translate("from \(time) UTC") }
    func linkEnd(_ time: String) -> String { translate("until \(time) UTC") }

    func linkState(_ state: LinkFilter.State) -> String {
        switch state {
        case .live: translate("Live", context: "a link")
        case .scheduled: translate("Scheduled")
        case .expired: translate("Expired")
        case .file: translate("From the file")
        }
    }

    func name(of label: LinkEntry.LabelName) -> String {
        switch label {
        case .campaign: campaign
        case .adGroup: translate("Ad group")
        case .creative: translate("Creative")
        case .label: translate("Label")
        case .channel: translate("Channel")
        }
    }

    var linkDestination: String { translate("Destination") }
    var linkDestinationHint: String { translate("An https address, or one of the app's own scheme.") }
    var linkNoHost: String { translate("The configuration has no brand domain yet. Add one to domains.brand first.") }
    var linkSuffix: String { translate("Suffix") }
    func linkSuffixHint(_ host: String) -> String { translate("Follows https://\(host)/. Left out, it is a random code.") }
    var linkTag: String { translate("Tag") }
    var linkTags: String { translate("Tags") }
    var linkTagsHint: String { translate("With commas between; at most 20, each of at most 64 bytes.") }
    var linkFolder: String { translate("Folder") }
    var linkStart: String { translate("Starts") }
    var linkStartHint: String { translate("Until the start of this day in UTC the link leads nowhere.") }
    var linkExpiry: String { translate("Expires") }
    var linkExpiryHint: String { translate("From the start of this day in UTC the link leads nowhere.") }
    var linkChannels: String { translate("Also for channels") }
    var linkChannelsHint: String { translate("One name a line: each gets its own link. At most 50.") }
    var linkWaysHint: String {
        translate("Where browsers go: app, store, page, web, or an https address; several with spaces between. Left out, the usual way.")
    }
    var linkRoutes: String { translate("By country and platform") }
    var linkRoutesHint: String {
        translate("One rule a line, such as DE, AT android https://example.com/de. Platforms are ios, android and desktop. The first rule that matches a person replaces the destination.")
    }
    var linkPPID: String { translate("Product page (ppid)") }
    var linkPT: String { translate("Provider token (pt)") }
    var linkCT: String { translate("Campaign token (ct)") }
    var linkCTHint: String { translate("Left out, the campaign of the click.") }
    func linkDevice(_ device: LinkTapOutcome.Device) -> String {
        switch device {
        case .ios: "iOS"
        case .android: "Android"
        case .desktop: translate("Computer")
        case .ipadOrMac: ipadOrMac
        }
    }
    var linkHandover: String { translate("Handover to the app") }
    func linkWay(_ platform: String) -> String { translate("Way on \(platform)") }
    var linkPreviewTitle: String { translate("Preview: title") }
    var linkPreviewText: String { translate("Preview: text") }
    var linkPreviewImage: String { translate("Preview: image") }
    var linkPasteboard: String { translate("The page offers to copy the link for the app (iOS)") }
    var linkCode: String { translate("The page shows a code to type, for an hour") }
    var linkTemplate: String { translate("Template") }
    var linkTemplateHint: String { translate("It gives what the fields below leave open.") }
    var linkMadeTitle: String { translate("The links are made") }
    var linkMade: String { translate("The link is made. It works now.") }
    func linkNotMade(_ channels: [String]) -> String {
        let names = channels.joined(separator: ", ")
        return translate("Not made, because the place was taken: \(names)")
    }
    var linkAll: String { translate("All links") }
}

/// The page of a link.
extension Words {
    var linkFacts: String { translate("The link") }
    var linkAddress: String { translate("Address") }
    var linkCopy: String { translate("Copy") }
    var linkCopied: String { translate("Copied") }
    var linkNever: String { translate("Never", context: "a link expires") }
    var linkInFile: String { translate("The configuration has this link. Change or remove it there.") }
    var linkShared: String { translate("For sharing") }
    func linkQRCode(_ name: String) -> String { translate("QR code of \(name)") }
    func linkQRDownload(_ format: String) -> String { translate("QR code as \(format)") }
    var linkNoQR: String { translate("The address is too long for a QR code.") }
    var linkPreview: String { translate("What messengers show") }
    func linkClicks(_ days: Int) -> String { translate("Clicks of the last \(days) days") }
    var linkFewerDays: String { translate("These are fewer days than usual: there are many clicks to read.") }
    var linkButtonTaps: String { translate("Taps on buttons of its pages") }
    func linkShares(_ field: String) -> String { translate("Clicks: \(field)") }
    var linkRemoveTitle: String { translate("Remove the link") }
    var linkRemoveText: String {
        translate("A person who taps it then sees a page that says that the link is gone. Its clicks stay in the reports.")
    }

    var linkHappens: String { translate("What happens at a tap") }
    var linkHappensNote: String {
        translate("Computed by the rules of the redirect. A phone opens the app by itself only where its system trusts the domain.")
    }
    var linkTapped: String { translate("Tapped") }
    var linkWithApp: String { translate("App installed") }
    var linkWithoutApp: String { translate("App not installed") }
    var linkOpensApp: String { translate("The app opens") }
    var linkOpensStore: String { translate("The store opens") }
    var linkOpensWeb: String { translate("A web page opens") }
    var linkOpensPage: String { translate("The link's page, with ways on") }
    var linkOpensNothing: String { translate("A page says that it has expired") }

    func linkPlace(_ device: LinkTapOutcome.Device, isInApp: Bool) -> String {
        switch (device, isInApp) {
        case (.ios, false): translate("iPhone, browser")
        case (.ios, true): translate("iPhone, inside another app")
        case (.android, false): translate("Android, browser")
        case (.android, true): translate("Android, inside another app")
        case (.desktop, _): linkDevice(.desktop)
        case (.ipadOrMac, _): translate("Safari on an iPad or a Mac")
        }
    }

    func linkWayOn(_ way: LinkTapOutcome.Way) -> String {
        switch way {
        case .app: translate("app")
        case .store: translate("store")
        case .web: translate("web")
        case .pasteboard: translate("copies the link")
        case .code: translate("code to type")
        case .scan: translate("QR code")
        }
    }
}

/// What is wrong with a link.
extension Words {
    var linkWrongDestination: String {
        translate("This destination cannot be used. Write a whole https address, or one of the app's own scheme.")
    }
    var linkLeadsToLink: String {
        translate("This address is on a domain of links, and a link cannot lead to a link. Write where that one leads.")
    }
    var linkWrongHost: String { translate("This is not a domain of the configuration.") }
    var linkTaken: String {
        translate("This place is taken: by another link, by the server, or by a path of the app. Choose another suffix.")
    }
    var linkWrongSuffix: String { translate("A suffix is a path of at most 512 bytes, without ? and #.") }
    var linkLongLabel: String { translate("This label is longer than 200 bytes.") }
    var linkWrongTags: String { translate("Write at most 20 tags with commas between, each of at most 64 bytes.") }
    var linkLongFolder: String { translate("This folder's name is longer than 200 bytes.") }
    var linkWrongStart: String { translate("This is not a time before the link expires.") }
    var linkWrongDay: String { translate("This is not a day after today.") }
    var linkWrongExpiry: String { translate("This is not a time in Unix milliseconds.") }
    var linkWrongWay: String { translate("Write app, store, page, web, or an https address.") }
    var linkWrongRoutes: String {
        translate("Write countries of two letters, ios, android or desktop, then an https address or one of the app's own scheme: at most 20 lines, and 8,192 bytes of addresses and countries.")
    }
    var linkWrongPPID: String {
        translate("Write what follows ppid= in the address of the product page: at most 64 letters, digits and hyphens.")
    }
    var linkWrongPT: String { translate("Write what follows pt= in a campaign link of App Store Connect: at most 20 digits.") }
    var linkWrongCT: String {
        translate("App Store Connect takes at most 40 bytes: letters from A to Z, digits, spaces, and signs other than ^ and `.")
    }
    var linkWrongPreview: String { translate("The preview has a text that is too long, or an image that is not https.") }
    var linkWrongChannels: String { translate("Write at most 50 channels, each once, one a line.") }
    var linkWrong: String { translate("This link cannot be made.") }
}
