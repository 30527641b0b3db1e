// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallRules
import LandfallStore
import LandfallWire

/// A link with everything it has, as the API answers it: the fields of ``NewLink``, and what follows from them.
package struct LinkDocument: Sendable, Codable {
    package let link: NewLink
    package let url: String
    package let state: LinkFilter.State
    /// The configuration has it: it is changed there.
    package let isInFile: Bool
    /// For `If-Match`, without quotes.
    package let etag: String

    package init(_ entry: LinkList.Page.Entry, nowMs: Int64) throws {
        (link, url, isInFile) = (NewLink(entry.link), entry.link.address, entry.isInFile)
        state = entry.link.state(nowMs: nowMs)
        etag = try entry.link.mark()
    }

    /// The same times as texts, for people.
    private enum TimeKeys: String, CodingKey { case startsAt, expiresAt }

    enum CodingKeys: String, CodingKey { case url, state, isInFile, etag }

    package func encode(to encoder: any Encoder) throws {
        try link.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(state.rawValue, forKey: .state)
        try container.encode(isInFile, forKey: .isInFile)
        try container.encode(etag, forKey: .etag)
        var times = encoder.container(keyedBy: TimeKeys.self)
        try times.encodeIfPresent(link.startsAtMilliseconds.map { Instant(milliseconds: $0).description }, forKey: .startsAt)
        try times.encodeIfPresent(link.expiresAtMilliseconds.map { Instant(milliseconds: $0).description }, forKey: .expiresAt)
    }

    package init(from decoder: any Decoder) throws {
        var link = try NewLink(from: decoder)
        (link.startsAt, link.expiresAt) = (nil, nil)
        self.link = link
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        // A newer server may know more states.
        state = LinkFilter.State(rawValue: try container.decode(String.self, forKey: .state)) ?? .live
        isInFile = try container.decode(Bool.self, forKey: .isInFile)
        etag = try container.decode(String.self, forKey: .etag)
    }
}

extension StoredLink {
    /// The same for the same link only: what a change names as the link that it was made from.
    package func mark() throws -> String { SHA256.hash(data: try WireCoding.encode(NewLink(self))).hexadecimal }
}
