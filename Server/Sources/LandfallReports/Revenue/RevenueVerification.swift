// SPDX-License-Identifier: Apache-2.0
package import LandfallPurchases
package import LandfallServer

/// Computes every charge again from what Apple signed, and says what is stored otherwise.
package struct RevenueVerification: Sendable {
    /// Each of them is a sentence to read; more say nothing new.
    static let mostDifferences = 100

    private var reader: OriginalsReader

    package init(_ reader: OriginalsReader) { self.reader = reader }

    /// Walks all chains in the order of their ids; in memory is one page of them.
    /// - Parameter body: is called with each page: the charges that are proven, by chain, ascending by booking.
    /// - Throws: `CancellationError`; the errors of the store and of `body`.
    package func walk(_ body: ([(chain: ChainID, charges: [Charge])]) async throws -> Void) async throws -> RevenueDocument.Verified {
        var reader = reader, originals: Int64 = 0, differences: [String] = [], after: String? = ""
        while let begin = after {
            try Task.checkCancellation()
            let page = try await reader.read(after: begin)
            for sentence in page.chains.flatMap(\.differences) + page.differences where differences.count < Self.mostDifferences {
                differences.append(sentence)
            }
            originals += page.chains.reduce(0) { $0 + Int64($1.originals) }
            try await body(page.chains.map { ($0.chain, $0.charges) })
            after = page.next
        }
        return RevenueDocument.Verified(originals: originals, differences: differences)
    }
}
