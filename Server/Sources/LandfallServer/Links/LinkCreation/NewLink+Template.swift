// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension NewLink {
    /// The same new link without a template: it has what it had, and what the template gives. Ways, preview, routes and tags are each
    /// taken as a whole.
    func completed(by name: String, in snapshot: Snapshot) throws(LinkRefusal) -> NewLink {
        let templates = snapshot.configuration.linkTemplates
        guard let template = templates.first(where: { $0.name.hasSameBytes(as: name) }) else {
            let advice = Suggestion.sentence(for: name, among: templates.map(\.name))
            throw LinkRefusal.invalid("'template' cannot be '\(name.shortened)': 'linkTemplates' of the configuration does not have it.\(advice)").at("template")
        }
        let given = NewLink(template.values)
        var link = self
        link.template = nil
        (link.campaign, link.adGroup, link.creative) = (campaign ?? given.campaign, adGroup ?? given.adGroup, creative ?? given.creative)
        (link.label, link.channel, link.folder) = (label ?? given.label, channel ?? given.channel, folder ?? given.folder)
        (link.ios, link.android, link.desktop) = (ios ?? given.ios, android ?? given.android, desktop ?? given.desktop)
        (link.preview, link.when, link.tags) = (preview ?? given.preview, when ?? given.when, tags ?? given.tags)
        (link.ppid, link.pt, link.ct) = (ppid ?? given.ppid, pt ?? given.pt, ct ?? given.ct)
        (link.pasteboard, link.code) = (pasteboard ?? given.pasteboard, code ?? given.code)
        return link
    }
}
