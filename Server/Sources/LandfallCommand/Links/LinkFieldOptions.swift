// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallRules
import LandfallServer

/// The fields of a link, for making and changing one.
struct LinkFieldOptions: ParsableArguments {
    @Option var campaign: String?
    @Option var adGroup: String?
    @Option var creative: String?
    @Option var label: String?
    @Option var channel: String?

    @Option(name: .customLong("tag"), help: "By which people find it; repeat the option for more tags.")
    var tags: [String] = []

    @Option(help: "Where people find it.")
    var folder: String?

    @Option(help: "Before it the link leads nowhere: a day such as 2027-06-01, in UTC, or an instant such as 2027-06-01T18:00:00Z.")
    var starts: String?

    @Option(help: "From then on the link leads nowhere; written as --starts is.")
    var expires: String?

    @Option(help: "Where browsers on an iPhone go: app, store, page, web or an https address; repeat the option for the next way.")
    var ios: [String] = []

    @Option(help: "The same on Android.")
    var android: [String] = []

    @Option(help: "The same elsewhere.")
    var desktop: [String] = []

    @Option(help: "The title of its preview in messages and feeds.")
    var title: String?

    @Option(name: .customLong("description"), help: "The text of its preview.")
    var text: String?

    @Option(help: "The https address of its preview's picture.")
    var image: String?

    @Option(help: "The icon of its page: one or two characters, such as an emoji.")
    var icon: String?

    @Option(help: "The colour of its page, as #0a7cff.")
    var colour: String?

    @Option(help: "The id of a custom product page of the App Store.")
    var ppid: String?

    @Option(help: "The number of the provider in App Store Connect.")
    var pt: String?

    @Option(help: "The campaign in App Store Connect.")
    var ct: String?

    @Option(help: "Leads visitors of some countries and platforms elsewhere: 'country=DE,AT platform=android to=https://example.de'; repeat it, the first match counts.")
    var when: [String] = []

    @Flag(inversion: .prefixedNo, help: "Its page copies the link to the pasteboard for a fresh install, if the person taps there.")
    var pasteboard: Bool?

    @Flag(inversion: .prefixedNo, help: "Its page shows a code that a fresh install takes within an hour.")
    var code: Bool?

    /// Sets the fields that were given.
    /// - Throws: for a time that cannot be read.
    func fill(_ newLink: inout NewLink) throws {
        func list(_ values: [String]) -> [String]? { values.isEmpty ? nil : values }
        (newLink.campaign, newLink.adGroup, newLink.creative) = (campaign, adGroup, creative)
        (newLink.label, newLink.channel, newLink.tags, newLink.folder) = (label, channel, list(tags), folder)
        newLink.startsAtMilliseconds = try starts.map { try time($0, "--starts") }
        newLink.expiresAtMilliseconds = try expires.map { try time($0, "--expires") }
        (newLink.ios, newLink.android, newLink.desktop) = (list(ios), list(android), list(desktop))
        let preview = LinkPreview(title: title, description: text, image: image, icon: icon, colour: colour)
        if preview != LinkPreview() { newLink.preview = preview }
        newLink.when = when.isEmpty ? nil : try when.map(route)
        (newLink.ppid, newLink.pt, newLink.ct, newLink.pasteboard, newLink.code) = (ppid, pt, ct, pasteboard, code)
    }

    private func route(_ text: String) throws -> NewLink.Route {
        var route = NewLink.Route(to: "")
        for part in text.split(separator: " ") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
            let values = pair.last?.split(separator: ",").map { String($0) } ?? []
            switch pair.count == 2 ? pair[0] : "" {
            case "country": route.country = values
            case "platform": route.platform = values
            case "to": route.to = pair[1]
            default: throw ValidationError("--when has '\(part)'. Write country=DE,AT, platform=ios,android or desktop, and to=ADDRESS, with spaces between.")
            }
        }
        guard !route.to.isEmpty else { throw ValidationError("--when has no to=ADDRESS: where these visitors are led. Add it.") }
        return route
    }

    private func time(_ text: String, _ option: String) throws -> Int64 {
        do { return try WrittenTime.milliseconds(text, option) } catch { throw ValidationError("\(error)") }
    }
}
