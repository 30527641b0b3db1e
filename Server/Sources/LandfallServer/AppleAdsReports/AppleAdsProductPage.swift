// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A custom product page of the App Store, to which an ad leads.
package struct AppleAdsProductPage: Hashable, Sendable, Codable {
    /// In bytes of UTF-8. Apple's are UUIDs.
    static let longestID = 64

    /// Apple's id: what `ppid` is in the page's address.
    package let ppid: String
    /// As in App Store Connect; nil if Apple does not list the page.
    package let name: String?

    package init(ppid: String, name: String?) { (self.ppid, self.name) = (ppid, name) }

    /// For people.
    package var label: String { name ?? ppid }
}

/// What an ad shows, as Apple lists it: ads name it by its id.
struct AppleAdsCreative: Decodable {
    private struct Destination: Decodable {
        struct Parameters: Decodable { let productPageId: String? }
        let parameters: Parameters?
    }

    let id: Int64
    /// Nil for the app's usual page.
    let productPage: String?

    private enum CodingKeys: String, CodingKey { case id, destination }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(Int64.self, forKey: .id)
        let page = (try? fields.decodeIfPresent(Destination.self, forKey: .destination))?.parameters?.productPageId
        productPage = page.flatMap { $0.isEmpty ? nil : $0.storable(toBytes: AppleAdsProductPage.longestID) }
    }
}

/// A product page, as Apple lists it.
struct AppleAdsListedPage: Decodable {
    let id: String
    let name: String?
}
