// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

/// What a person typed about a link.
struct LinkDraft: Hashable, Sendable {
    var to = "", domain = "", suffix = "", template = "", starts = "", expires = "", channels = ""
    var campaign = "", adGroup = "", creative = "", label = "", channel = ""
    var tags = "", folder = ""
    var ios = "", android = "", desktop = ""
    /// Rules by country and platform, one a line.
    var when = ""
    var ppid = "", pt = "", ct = ""
    var title = "", description = "", image = ""
    var pasteboard = false, code = false
    /// The code that the link gets without a suffix: see ``LinkCreation/drawn``.
    var drawn = ""
    /// By the names of ``TaggedAddress``, for a destination that is still to be written; otherwise the destination has them.
    var waitingTags: [String: String] = [:]

    init() {}

    /// What the next link with the labels of this one begins with.
    init(labelsOf link: StoredLink) {
        let other = LinkDraft(link)
        self.init()
        (campaign, adGroup, creative, label, channel) = (other.campaign, other.adGroup, other.creative, other.label, other.channel)
        (tags, folder) = (other.tags, other.folder)
        for name in TaggedAddress.names { waitingTags["\(name)"] = other.tag("\(name)") }
    }

    /// The value of a tag for web analytics.
    func tag(_ name: String) -> String { waitingTags[name] ?? TaggedAddress(to)[name] }

    /// Takes the fields of tags. One that is not as it was shown changes the destination; the others follow it.
    /// - Parameter shown: the destination with which the form was shown.
    mutating func take(tags: [String: String], shown: String) {
        let shown = TaggedAddress(shown)
        var address = TaggedAddress(to)
        guard to.utf8.contains(UInt8(ascii: ":")) else {
            waitingTags = tags.filter { !$0.value.isEmpty }
            return
        }
        for name in TaggedAddress.names.map({ "\($0)" }) {
            let value = tags[name] ?? ""
            guard !value.hasSameBytes(as: shown[name]), !value.hasSameBytes(as: address[name]) else { continue }
            address[name] = value
        }
        to = address.text
    }
}
