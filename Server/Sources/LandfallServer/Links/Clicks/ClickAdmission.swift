// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Synchronization

/// Decides whether a click is stored or only counted. It never waits and never refuses: the visitor is redirected in both
/// cases. Clicks need no key. Without this limit, anyone who knows a brand domain could fill the disk that first opens need.
package final class ClickAdmission: Sendable {
    /// Why a click is counted and not stored.
    enum Refusal: String, CaseIterable, Sendable {
        /// Its network has sent too many clicks.
        case address
        /// Its network has sent too many clicks on paths that no link has.
        case invented
        /// The rest of the disk is reserved for data that must be stored.
        case disk

        var limit: Limit {
            switch self {
            case .address: .clicksByAddress
            case .invented: .inventedClicksByAddress
            case .disk: .diskForClicks
            }
        }
    }

    /// From one network in ten minutes: two a second, far above what phones behind one carrier address do.
    static let mostByAddress = 1_200
    /// Of these, clicks on paths that no link is stored at: any `?lf_t=` makes one.
    static let mostInventedByAddress = 300
    /// A share of the disk. Below it clicks are only counted; everything else is stored down to half of that.
    static let leastFreeDisk = 0.1
    /// The free disk space is read at most this often.
    private static let lookMs: Int64 = 1_000

    private let byAddress: AddressLimit
    private let inventedByAddress: AddressLimit
    private let freeDiskShare: @Sendable () -> Double
    private let looked = Mutex<(atMs: Int64, isLow: Bool)?>(nil)

    /// - Parameter freeDiskShare: the free share of the disk that holds the store, 0…1.
    package init(share: NodeShare = .whole, freeDiskShare: @escaping @Sendable () -> Double = { 1 }) {
        byAddress = AddressLimit(.clicksByAddress, most: Self.mostByAddress, of: "clicks", share: share)
        inventedByAddress = AddressLimit(
            .inventedClicksByAddress, most: Self.mostInventedByAddress, of: "clicks on invented paths", share: share)
        self.freeDiskShare = freeDiskShare
    }

    /// Counts a click that is about to be stored.
    /// - Parameters:
    ///   - isInvented: no link is stored at its path.
    ///   - address: nil has no limit.
    /// - Returns: nil if the click is to be stored.
    func refusal(isInvented: Bool, from address: ClientAddress?, nowMs: Int64) -> Refusal? {
        if isDiskLow(nowMs: nowMs) { return .disk }
        if isInvented, !inventedByAddress.admits(address, nowMs: nowMs) { return .invented }
        return byAddress.admits(address, nowMs: nowMs) ? nil : .address
    }

    private func isDiskLow(nowMs: Int64) -> Bool {
        looked.withLock { looked in
            if let looked, (looked.atMs..<looked.atMs + Self.lookMs).contains(nowMs) { return looked.isLow }
            let isLow = freeDiskShare() < Self.leastFreeDisk
            looked = (nowMs, isLow)
            return isLow
        }
    }
}

/// Decides about a click, and counts a click that is not stored in the metrics of limits and links.
package struct ClickIntake: Sendable {
    package let admission: ClickAdmission
    package let telemetry: LinkTelemetry
    package let limitHits: LimitHits

    package init(admission: ClickAdmission, telemetry: LinkTelemetry, limitHits: LimitHits) {
        (self.admission, self.telemetry, self.limitHits) = (admission, telemetry, limitHits)
    }

    /// Whether to store a click. One that is not stored is counted here.
    /// - Parameters:
    ///   - isInvented: no link is stored at its path.
    ///   - address: see ``CallerAddresses/bounded(of:_:)``.
    func stores(isInvented: Bool, from address: ClientAddress?, nowMs: Int64) -> Bool {
        let refusal = admission.refusal(isInvented: isInvented, from: address, nowMs: nowMs)
        guard let refusal else { return true }
        telemetry.notStored(refusal)
        limitHits.hit(refusal.limit)
        return false
    }
}
