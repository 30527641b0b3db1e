// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallWire

extension Timeline.Entry {
    /// A purchase, a refund or a trial, on the day of which the App Store speaks.
    /// - Parameter brought: stands for an install that is not known any more.
    init(_ charge: ProfileCharge, brought: InstallID?) {
        let state: State? =
            switch charge.kind {
            case .purchase: charge.isPaidBack ? .paidBack : .paid
            case .trial: charge.isPaidAfter ? .paidAfterTrial : .notPaidYet
            case .refund: nil
            }
        let kind: Kind =
            switch charge.kind {
            case .purchase: .purchase
            case .refund: .refund
            case .trial: .trial
            }
        var details = [Detail(.product, charge.product)]
        if let state { details.append(Detail(.state, state.rawValue)) }
        let money = charge.milliunits.flatMap { milliunits in charge.currency.map { Money(milliunits: milliunits, currency: $0) } }
        self.init(
            key: TimelineCursor.key(atMs: charge.bookedAtMs, kind, charge.place), kind: kind,
            atMilliseconds: charge.bookedAtMs, subject: charge.product, details: details,
            install: charge.install ?? brought?.rawValue ?? "–", money: money)
    }
}
