// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An entity in Apple's answers: in lists, and in the rows of reports. Fields of any other form count as absent.
struct AppleAdsAnswered: Decodable {
    var id, campaignId, adGroupId, creativeId: Int64?
    var name, text, matchType, promotedObjectId, countryOrRegion: String?
    var deleted: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, campaignId, adGroupId, creativeId, name, text, matchType, promotedObjectId, countryOrRegion, deleted
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? { try? fields.decodeIfPresent(String.self, forKey: key) }
        /// Apple writes some ids as texts.
        func number(_ key: CodingKeys) -> Int64? {
            (try? fields.decodeIfPresent(Int64.self, forKey: key)) ?? text(key).flatMap { Int64($0) }
        }
        (id, campaignId, adGroupId, creativeId) = (number(.id), number(.campaignId), number(.adGroupId), number(.creativeId))
        (name, self.text, matchType) = (text(.name), text(.text), text(.matchType))
        (promotedObjectId, countryOrRegion) = (text(.promotedObjectId), text(.countryOrRegion))
        if promotedObjectId == nil { promotedObjectId = number(.promotedObjectId).map { String($0) } }
        deleted = try? fields.decodeIfPresent(Bool.self, forKey: .deleted)
    }
}

/// The elements of a list that can be read; others are left out.
struct AppleAdsList<Element: Decodable>: Decodable {
    var elements: [Element] = []
    /// How many the list has, those that cannot be read included.
    var count = 0

    private struct Anything: Decodable { init(from decoder: any Decoder) throws {} }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            count += 1
            if let element = try? list.decode(Element.self) { elements.append(element) } else { _ = try list.decode(Anything.self) }
        }
    }
}

/// How long a list is that Apple gives by pages.
struct AppleAdsPagination: Decodable {
    let totalCount: Int64?

    private enum CodingKeys: String, CodingKey { case totalCount }
    init(from decoder: any Decoder) throws {
        totalCount = try? decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int64.self, forKey: .totalCount)
    }
}
