// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
import LandfallStore
import LandfallWire

/// Where the install came from that brought a chain of purchases, by the values that reports group installs by. It is stored when the
/// install is deleted because it was not seen for too long. Before that reports read the install itself: its source may still change.
package struct ChainOrigin: Hashable, Sendable, Codable {
    /// Nil, as all the others, if no campaign brought the install or none is known.
    package let source: String?
    package let channel: String?
    package let campaign: String?
    package let adGroup: String?
    package let keyword: String?
    /// Host and path.
    package let link: String?
    /// In Unix milliseconds.
    package let firstOpenedAtMs: Int64

    /// - Parameter origin: the fact that counts, if it names an origin.
    package init(_ origin: AttributionFact?, firstOpenedAtMs: Int64) {
        source = origin?.source.rawValue
        channel = origin?.channel
        campaign = origin?.campaignKey
        adGroup = origin?.adGroupKey
        keyword = origin?.keywordKey
        link = origin?.link?.code
        self.firstOpenedAtMs = firstOpenedAtMs
    }

    init(_ install: Install) {
        let winner = install.precedence.winner
        self.init(winner?.status == .nonOrganic ? winner : nil, firstOpenedAtMs: install.firstOpenAtMs)
    }

    /// As `purchase_chain.origin` has it.
    /// - Throws: ``DatabaseError/unexpectedValue(column:)``
    package init(text: String) throws {
        guard let origin = try? WireCoding.decode(ChainOrigin.self, from: Data(text.utf8)) else {
            throw DatabaseError.unexpectedValue(column: "origin")
        }
        self = origin
    }

    package var text: String {
        get throws { String(decoding: try WireCoding.encode(self), as: UTF8.self) }
    }
}
