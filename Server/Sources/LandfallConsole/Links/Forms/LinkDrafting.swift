// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

extension LinkDraft {
    /// The most channels of one form.
    static let mostChannels = 50

    init(_ call: ConsoleCall) {
        self.init()
        (to, domain, suffix, expires) = (call.field("to"), call.field("domain"), call.field("suffix"), call.field("expires"))
        template = call.field("template")
        (campaign, adGroup, creative) = (call.field("campaign"), call.field("adGroup"), call.field("creative"))
        (label, channel, channels) = (call.field("label"), call.field("channel"), call.field("channels"))
        (ios, android, desktop) = (call.field("ios"), call.field("android"), call.field("desktop"))
        (title, description, image) = (call.field("title"), call.field("description"), call.field("image"))
        (pasteboard, code) = (!call.field("pasteboard").isEmpty, !call.field("code").isEmpty)
    }

    /// What the form of a stored link begins with.
    init(_ link: StoredLink) {
        self.init()
        func text(_ ways: [LinkWay]) -> String { ways.map(\.text).joined(separator: " ") }
        (to, expires) = (link.destination, link.expiresAtMs.map { Self.day(ofMs: $0) } ?? "")
        (campaign, adGroup, creative) = (link.labels.campaign ?? "", link.labels.adGroup ?? "", link.labels.creative ?? "")
        (label, channel) = (link.labels.label ?? "", link.labels.channel ?? "")
        (ios, android, desktop) = (text(link.ways.ios), text(link.ways.android), text(link.ways.desktop))
        (title, description) = (link.preview.title ?? "", link.preview.description ?? "")
        (image, pasteboard, code) = (link.preview.image ?? "", link.handover.pasteboard, link.handover.code)
    }

    private static func day(ofMs milliseconds: Int64) -> String { ReportDays.text(ReportZone.utc.day(ofMs: milliseconds)) }

    /// The new link for the link itself, and one for each channel.
    /// - Parameter problems: gets what the form alone refuses.
    func newLinks(_ words: Words, nowMs: Int64, _ problems: inout [FieldProblem]) -> [NewLink] {
        let newLink = newLink(words, nowMs: nowMs, &problems)
        return [newLink] + channelLinks(newLink, words, &problems)
    }

    /// The new link for one link.
    /// - Parameter old: the link as it is. What the form does not have stays, and a day that is left as it is keeps its moment.
    func newLink(_ words: Words, nowMs: Int64, changing old: StoredLink? = nil, _ problems: inout [FieldProblem]) -> NewLink {
        func value(_ text: String) -> String? { text.isEmpty ? nil : text }
        var newLink = NewLink(to: to)
        if let old { newLink.takeTargets(of: old) }
        (newLink.domain, newLink.suffix, newLink.template) = (value(domain), value(suffix), value(template))
        (newLink.campaign, newLink.adGroup, newLink.creative) = (value(campaign), value(adGroup), value(creative))
        (newLink.label, newLink.channel) = (value(label), value(channel))
        // No address has a space.
        func ways(_ text: String) -> [String]? { value(text)?.split(whereSeparator: \.isWhitespace).map { String($0) } }
        (newLink.ios, newLink.android, newLink.desktop) = (ways(ios), ways(android), ways(desktop))
        let preview = LinkPreview(title: value(title), description: value(description), image: value(image))
        if preview != LinkPreview() { newLink.preview = preview }
        if pasteboard { newLink.pasteboard = true }
        if code { newLink.code = true }
        if let endsAtMs = old?.expiresAtMs, expires.hasSameBytes(as: Self.day(ofMs: endsAtMs)) {
            newLink.expiresAtMilliseconds = LinkRules.nearestEnd(endsAtMs)
        } else if let day = value(expires) {
            newLink.expiresAtMilliseconds = Instant(day + "T00:00:00Z")?.milliseconds
            if newLink.expiresAtMilliseconds.map({ $0 > nowMs }) != true { problems.append(FieldProblem("expires", words.linkWrongDay)) }
        }
        return newLink
    }

    private func channelLinks(_ newLink: NewLink, _ words: Words, _ problems: inout [FieldProblem]) -> [NewLink] {
        let names = channels.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.filter { !$0.isEmpty }
        guard names.count <= Self.mostChannels, Set(names.map { ExactText(String($0)) }).count == names.count else {
            problems.append(FieldProblem("channels", words.linkWrongChannels))
            return []
        }
        var endings: Set<String> = []
        return names.enumerated().map { index, name in
            var own = newLink
            own.channel = String(name)
            if let suffix = newLink.suffix {
                var ending = Self.ending(of: String(name))
                // A name of other scripts has no letters for an address.
                if ending.isEmpty || endings.contains(ending) { ending += (ending.isEmpty ? "" : "-") + "\(index + 1)" }
                endings.insert(ending)
                own.suffix = suffix + "-" + ending
            }
            return own
        }
    }

    /// Small letters and digits of a name, with hyphens between.
    private static func ending(of name: String) -> String {
        let bytes = name.utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }
        let words = bytes.split { !((97...122).contains($0) || (48...57).contains($0)) }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }
}

extension FieldProblem {
    /// A refusal at its field of the form, in the member's language.
    init(_ refusal: LinkRefusal, _ words: Words) {
        if refusal.code == .linkTaken {
            self.init("suffix", words.linkTaken)
            return
        }
        if refusal.isToLink {
            self.init(refusal.field == "when" ? "" : refusal.field ?? "to", words.linkLeadsToLink)
            return
        }
        switch refusal.field {
        case "to": self.init("to", words.linkWrongDestination)
        case "domain", "url": self.init("domain", words.linkWrongHost)
        case "suffix": self.init("suffix", words.linkWrongSuffix)
        case "campaign", "adGroup", "creative", "label", "channel": self.init(refusal.field ?? "", words.linkLongLabel)
        case "expiresAtMilliseconds": self.init("expires", words.linkWrongExpiry)
        case "ios", "android", "desktop": self.init(refusal.field ?? "", words.linkWrongWay)
        case "preview": self.init("title", words.linkWrongPreview)
        default: self.init("", words.linkWrong)
        }
    }
}
