// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Unites the server's last word with what the store on the phone has verified. Each only adds: of several purchases the one counts
/// that never ends, or that ends last.
struct AccessUnion {
    var said: [String: WireAccessLevel] = [:]
    /// What the store lists and the server has not answered.
    var listed: [Entitlement] = []
    /// Which products open each level.
    var products: [String: Set<String>] = [:]
    /// The server's, in Unix milliseconds.
    var time: Int64

    var levels: [String: Access] {
        var levels = said.mapValues { Access($0.ended(at: time)) }
        // Of several that end together always the same.
        for entitlement in listed.sorted(by: { ($0.signed, $0.transaction) < ($1.signed, $1.transaction) }) {
            let access = Access(entitlement, at: time)
            for (level, products) in products where products.contains(entitlement.product) {
                if levels[level].map({ access.opensLonger(than: $0) }) ?? true { levels[level] = access }
            }
        }
        return levels
    }

    /// When something ends next, in the server's time.
    var nextEnd: Int64? {
        let ends = said.values.filter(\.isActive).compactMap(\.endsAtMilliseconds) + listed.compactMap(\.ends)
        return ends.filter { $0 > time }.min()
    }
}

extension Access {
    /// What only the server knows, a trial or a renewal to come, is false until it has answered.
    fileprivate init(_ entitlement: Entitlement, at time: Int64) {
        let isActive = !entitlement.hasEnded(at: time)
        self.init(
            isActive: isActive, state: isActive ? .active : .expired, productID: entitlement.product,
            startsAt: Date(unixMilliseconds: entitlement.starts), endsAt: entitlement.ends.map(Date.init(unixMilliseconds:)),
            isSandbox: entitlement.isSandbox)
    }

    fileprivate func opensLonger(than other: Access) -> Bool {
        guard isActive, other.isActive else { return isActive }
        guard let end = other.endsAt else { return false }
        return endsAt.map { $0 > end } ?? true
    }
}
