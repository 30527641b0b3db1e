// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

/// A page of links for other programs. Importing its table again changes nothing: see ``LinkImport``.
struct LinkSheet: Encodable {
    struct Row: Encodable {
        let url: String
        let to: String
        let campaign: String?
        let adGroup: String?
        let creative: String?
        let label: String?
        let channel: String?
        let expiresAtMilliseconds: Int64?
        let ios: [String]?
        let android: [String]?
        let desktop: [String]?
        let title: String?
        let description: String?
        let image: String?
        let pasteboard: Bool
        let code: Bool
        let tags: [String]?
        let folder: String?
        let startsAtMilliseconds: Int64?
        let ppid: String?
        let pt: String?
        let ct: String?
        let when: [NewLink.Route]?
        /// `live`, `scheduled` or `expired`.
        let state: String
        let isInFile: Bool
        let clicks: Int64?
        let uniqueClicks: Int64?
        let firstOpens: Int64?

        init(_ entry: LinkList.Page.Entry, _ counted: LinkNumbers.All, nowMs: Int64) {
            let link = entry.link, count = counted.count(link.place)
            (url, to) = (link.address, link.destination)
            (campaign, adGroup, creative) = (link.labels.campaign, link.labels.adGroup, link.labels.creative)
            (label, channel, expiresAtMilliseconds) = (link.labels.label, link.labels.channel, link.expiresAtMs)
            let newLink = NewLink(link)
            (ios, android, desktop) = (newLink.ios, newLink.android, newLink.desktop)
            (title, description, image) = (link.preview.title, link.preview.description, link.preview.image)
            (pasteboard, code) = (link.handover.pasteboard, link.handover.code)
            (tags, folder, startsAtMilliseconds) = (newLink.tags, newLink.folder, link.startsAtMs)
            (ppid, pt, ct, when) = (newLink.ppid, newLink.pt, newLink.ct, newLink.when)
            (state, isInFile) = (link.state(nowMs: nowMs).rawValue, entry.isInFile)
            (clicks, uniqueClicks, firstOpens) = (count?.clicks, count?.unique, counted.firstOpens(link))
        }
    }

    let links: [Row]
    /// The value of `page` for the next page; absent on the last one.
    let next: String?

    init(_ page: LinkList.Page, _ counted: LinkNumbers.All, nowMs: Int64) {
        links = page.entries.map { Row($0, counted, nowMs: nowMs) }
        next = page.next
    }

    static let header = (LinkImport.columns + LinkImport.figures).joined(separator: ",") + "\r\n"

    /// A page as CSV, without the header.
    static func lines(_ page: LinkList.Page, _ counted: LinkNumbers.All, nowMs: Int64) -> String {
        func number(_ value: Int64?) -> String { value.map { "\($0)" } ?? "" }
        return page.entries.map { entry in
            let link = entry.link, count = counted.count(link.place)
            let figures = [number(count?.clicks), number(count?.unique), number(counted.firstOpens(link))]
            let cells = LinkLine.cells(NewLink(link), url: link.address) + [link.state(nowMs: nowMs).rawValue, "\(entry.isInFile)"] + figures
            return cells.joined(separator: ",") + "\r\n"
        }.joined()
    }
}
