// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// What Apple Ads calls a number, below that number.
struct AdName: Encodable, Hashable, Sendable {
    let name: String
    /// Custom product pages of the App Store to which it leads.
    let productPages: [AppleAdsProductPage]

    /// The pages stand under Apple's own word.
    var html: [HTML] {
        [span(.class("line quiet")) { name }]
            + productPages.map { page in span(.class("line quiet"), Attribute("title", page.ppid)) { "ppid: " + page.label } }
    }
}
