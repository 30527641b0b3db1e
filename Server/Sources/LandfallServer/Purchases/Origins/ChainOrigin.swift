// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Where the install came from that brought a chain of purchases, by the values that reports group installs by. It is stored when the
/// install is deleted because it was not seen for too long; if it is erased, only the source is. Before that reports read the install itself: its
/// source may still change.
package struct ChainOrigin: Hashable, Sendable, ColumnText {
    package static let column = "origin"
    /// As reports call the source of a chain that is older than the install that brought it.
    package static let before = "before"
    /// As reports call a source that is not known.
    package static let unknown = "unknown"

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

    /// The chain is older than the install that brought it.
    /// - Parameter beganAtMs: the first purchase of the chain, in Unix milliseconds.
    package func isLater(than beganAtMs: Int64?) -> Bool { beganAtMs.map { $0 < firstOpenedAtMs } ?? false }
}
