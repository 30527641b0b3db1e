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
        (template, starts, drawn) = (call.field("template"), call.field("starts"), call.field("drawn"))
        (campaign, adGroup, creative) = (call.field("campaign"), call.field("adGroup"), call.field("creative"))
        (label, channel, channels) = (call.field("label"), call.field("channel"), call.field("channels"))
        (tags, folder) = (call.field("tags"), call.field("folder"))
        (ios, android, desktop) = (call.field("ios"), call.field("android"), call.field("desktop"))
        (when, ppid, pt, ct) = (call.field("when"), call.field("ppid"), call.field("pt"), call.field("ct"))
        (title, description, image) = (call.field("title"), call.field("description"), call.field("image"))
        (pasteboard, code) = (!call.field("pasteboard").isEmpty, !call.field("code").isEmpty)
        take(
            tags: Dictionary(TaggedAddress.names.map { ("\($0)", call.field("\($0)")) }) { first, _ in first }, shown: call.field("was"))
    }

    /// What the form of a stored link begins with.
    init(_ link: StoredLink) {
        self.init()
        func text(_ ways: [LinkWay]) -> String { ways.map(\.text).joined(separator: " ") }
        func day(_ milliseconds: Int64?) -> String { milliseconds.map { Self.day(ofMs: $0) } ?? "" }
        (to, starts, expires) = (link.destination, day(link.startsAtMs), day(link.expiresAtMs))
        (campaign, adGroup, creative) = (link.labels.campaign ?? "", link.labels.adGroup ?? "", link.labels.creative ?? "")
        (label, channel) = (link.labels.label ?? "", link.labels.channel ?? "")
        (tags, folder) = (link.tags.joined(separator: ", "), link.folder ?? "")
        (ios, android, desktop) = (text(link.ways.ios), text(link.ways.android), text(link.ways.desktop))
        when = (NewLink(link).when ?? []).map(\.line).joined(separator: "\n")
        (ppid, pt, ct) = (link.storePage.ppid ?? "", link.storePage.pt ?? "", link.storePage.ct ?? "")
        (title, description) = (link.preview.title ?? "", link.preview.description ?? "")
        (image, pasteboard, code) = (link.preview.image ?? "", link.handover.pasteboard, link.handover.code)
    }

    private static func day(ofMs milliseconds: Int64) -> String { ReportDays.text(ReportZone.utc.day(ofMs: milliseconds)) }

    /// When a day begins; nil for another text. A day that is left as it is keeps its moment.
    private static func moment(_ day: String, oldMs: Int64?) -> Int64? {
        if let oldMs, day.hasSameBytes(as: Self.day(ofMs: oldMs)) { return LinkRules.nearestEnd(oldMs) }
        return Instant(day + "T00:00:00Z")?.milliseconds
    }

    /// The new link for the link itself, and one for each channel.
    /// - Parameter problems: gets what the form alone refuses.
    func newLinks(_ words: Words, nowMs: Int64, _ problems: inout [FieldProblem]) -> [NewLink] {
        let newLink = newLink(words, nowMs: nowMs, &problems)
        return [newLink] + channelLinks(newLink, words, &problems)
    }

    /// The new link for one link.
    /// - Parameter old: the link as it is: a day that is left as it is keeps its moment.
    func newLink(_ words: Words, nowMs: Int64, changing old: StoredLink? = nil, _ problems: inout [FieldProblem]) -> NewLink {
        func value(_ text: String) -> String? { text.isEmpty ? nil : text }
        var newLink = NewLink(to: to)
        (newLink.domain, newLink.suffix, newLink.template) = (value(domain), value(suffix), value(template))
        (newLink.campaign, newLink.adGroup, newLink.creative) = (value(campaign), value(adGroup), value(creative))
        (newLink.label, newLink.channel, newLink.folder) = (value(label), value(channel), value(folder))
        if let tags = value(tags) { newLink.take(tags: tags) }
        // No address has a space.
        func ways(_ text: String) -> [String]? { value(text)?.split(whereSeparator: \.isWhitespace).map { String($0) } }
        (newLink.ios, newLink.android, newLink.desktop) = (ways(ios), ways(android), ways(desktop))
        newLink.when = value(when)?.split(whereSeparator: \.isNewline).compactMap { NewLink.Route(line: $0) }
        (newLink.ppid, newLink.pt, newLink.ct) = (value(ppid), value(pt), value(ct))
        let preview = LinkPreview(title: value(title), description: value(description), image: value(image))
        if preview != LinkPreview() { newLink.preview = preview }
        if pasteboard { newLink.pasteboard = true }
        if code { newLink.code = true }
        if let day = value(starts) {
            newLink.startsAtMilliseconds = Self.moment(day, oldMs: old?.startsAtMs)
            if newLink.startsAtMilliseconds == nil { problems.append(FieldProblem("starts", words.linkWrongStart)) }
        }
        if let day = value(expires) {
            let endMs = Self.moment(day, oldMs: old?.expiresAtMs), isKept = endMs == old?.expiresAtMs.map(LinkRules.nearestEnd)
            newLink.expiresAtMilliseconds = endMs
            if endMs.map({ $0 > nowMs || isKept }) != true { problems.append(FieldProblem("expires", words.linkWrongDay)) }
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
                while ending.isEmpty || endings.contains(ending) { ending += (ending.isEmpty ? "" : "-") + "\(index + 1)" }
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
            self.init(refusal.field ?? "to", words.linkLeadsToLink)
            return
        }
        switch refusal.field {
        case "to": self.init("to", words.linkWrongDestination)
        case "domain", "url": self.init("domain", words.linkWrongHost)
        case "suffix": self.init("suffix", words.linkWrongSuffix)
        case "campaign", "adGroup", "creative", "label", "channel": self.init(refusal.field ?? "", words.linkLongLabel)
        case "tags": self.init("tags", words.linkWrongTags)
        case "folder": self.init("folder", words.linkLongFolder)
        case "startsAtMilliseconds": self.init("starts", words.linkWrongStart)
        case "expiresAtMilliseconds": self.init("expires", words.linkWrongExpiry)
        case "ios", "android", "desktop": self.init(refusal.field ?? "", words.linkWrongWay)
        case "when": self.init("when", words.linkWrongRoutes)
        case "ppid": self.init("ppid", words.linkWrongPPID)
        case "pt": self.init("pt", words.linkWrongPT)
        case "ct": self.init("ct", words.linkWrongCT)
        case "preview": self.init("title", words.linkWrongPreview)
        default: self.init("", words.linkWrong)
        }
    }
}
