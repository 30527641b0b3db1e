// SPDX-License-Identifier: Apache-2.0
import LandfallPages
import LandfallWire

/// A page of links for other programs. The columns that `landfall link import` reads have its names.
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
        /// `live` or `expired`.
        let state: String
        let isInFile: Bool
        let clicks: Int64?
        let uniqueClicks: Int64?
        let firstOpens: Int64?

        init(_ entry: LinkListing.Page.Entry, _ counted: LinkNumbers.All, nowMs: Int64) {
            let link = entry.link, count = counted.count(link.place)
            (url, to) = (link.address, link.destination)
            (campaign, adGroup, creative) = (link.labels.campaign, link.labels.adGroup, link.labels.creative)
            (label, channel, expiresAtMilliseconds) = (link.labels.label, link.labels.channel, link.expiresAtMs)
            (state, isInFile) = (link.isExpired(nowMs: nowMs) ? "expired" : "live", entry.isInFile)
            (clicks, uniqueClicks, firstOpens) = (count?.clicks, count?.unique, counted.firstOpens(link.place))
        }
    }

    let links: [Row]
    /// The value of `page` for the next page; absent on the last one.
    let next: String?

    init(_ page: LinkListing.Page, _ counted: LinkNumbers.All, nowMs: Int64) {
        links = page.entries.map { Row($0, counted, nowMs: nowMs) }
        next = page.next
    }

    static let header = "url,to,campaign,adGroup,creative,label,channel,expiresAtMilliseconds,state,isInFile,clicks,uniqueClicks,firstOpens\r\n"

    /// As CSV, without the header.
    var lines: String {
        links.map { row in
            let texts = [row.url, row.to, row.campaign, row.adGroup, row.creative, row.label, row.channel].map(SpreadsheetCell.text)
            let numbers = [row.expiresAtMilliseconds, row.clicks, row.uniqueClicks, row.firstOpens].map { $0.map { "\($0)" } ?? "" }
            return (texts + [numbers[0], row.state, "\(row.isInFile)", numbers[1], numbers[2], numbers[3]]).joined(separator: ",") + "\r\n"
        }.joined()
    }
}
