// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// Money that a transaction has found in a chain of purchases, and whose it is.
struct RecordedCharge: Hashable, Sendable {
    let charge: Charge
    let chain: ChainID
    let owner: ProfileID?
    /// The install that has brought the chain; nil if none has, or it is gone.
    let install: InstallID?
    let soldBy: SoldBy?
    /// The same charge was recorded before, with other values.
    let isCorrection: Bool

    /// The charges that the stored ones do not have.
    static func new(_ charges: [Charge], besides stored: [ChargeRow], of chain: ChainID, in place: StoredChain) -> [RecordedCharge] {
        let known = Set(stored), names = Set(stored.map(\.name))
        return charges.compactMap { charge in
            let row = ChargeRow(charge, of: chain)
            guard !known.contains(row) else { return nil }
            return RecordedCharge(
                charge: charge, chain: chain, owner: place.owners.owner, install: place.broughtBy, soldBy: place.soldBy,
                isCorrection: names.contains(row.name))
        }
    }
}

extension WebhookNote {
    /// The facts of charges, with what the store says of whose they are.
    func facts(of charges: [RecordedCharge], in app: AppID, _ connection: any ReadConnection) throws -> [WebhookFact] {
        guard wants(.purchaseRecorded) else { return [] }
        var installs: [InstallID: Install] = [:]
        // In one order: a unit that runs again asks the same.
        for id in Set(charges.compactMap(\.install)).sorted(by: { $0.rawValue < $1.rawValue }) {
            installs[id] = try StoredInstall(app, id, storeEpoch: 0, readsLastSeen: false, from: connection)?.install
        }
        return try charges.map { recorded in
            let install = recorded.install.flatMap { installs[$0] }
            let isOwn = recorded.owner != nil && install?.profileID == recorded.owner
            let customer = isOwn ? nil : try recorded.owner.flatMap { try StoredProfile.customerID(of: $0, in: app, from: connection) }
            let subject = WebhookFact.Subject(profile: recorded.owner, install: recorded.install)
            return WebhookFact(.purchaseRecorded, atMs: recorded.charge.bookedAtMs, of: subject) { json in
                if let install, isOwn {
                    install.writeWebhookFields(to: &json, nowMs: nowMs)
                } else {
                    // The chain is another person's by now: of the install that brought it only its name is said.
                    json.field("profileId", recorded.owner?.rawValue)
                    json.field("installId", recorded.install?.rawValue)
                    json.field("customerId", customer)
                }
                recorded.write(to: &json)
            }
        }
    }
}

extension RecordedCharge {
    fileprivate func write(to json: inout JSONWriter) {
        json.key("purchase")
        json.beginObject()
        json.field("kind", charge.kind.rawValue)
        json.field("environment", chain.environment.rawValue)
        json.field("originalTransactionId", chain.originalTransactionID)
        json.field("transactionId", charge.transactionID)
        json.field("number", charge.number)
        json.field("productId", charge.productID)
        json.field("type", charge.type?.rawValue)
        json.field("quantity", charge.quantity)
        json.field("storefront", charge.storefront)
        json.field("offerId", charge.offerID)
        json.field("purchasedAtMilliseconds", charge.purchasedAtMs)
        json.field("bookedAtMilliseconds", charge.bookedAtMs)
        json.field("periodEndsAtMilliseconds", charge.periodEndsAtMs)
        json.field("followsTrial", charge.followsTrial)
        json.field("isCorrection", isCorrection)
        if charge.kind != .trial {
            json.key("money")
            json.beginObject()
            json.field("milliunits", charge.movedMilliunits)
            json.field("currency", charge.currency)
            json.endObject()
        }
        json.endObject()
        guard let soldBy else { return }
        json.field("placement", soldBy.placement)
        json.field("paywall", soldBy.paywall)
        json.field("variation", soldBy.variation)
    }
}

extension Charge {
    /// What moved: a whole price, or the part of it that was paid back. Rounded down to a milliunit.
    fileprivate var movedMilliunits: Int64 {
        guard (0...part.denominator).contains(part.numerator), milliunits >= 0 else { return milliunits }
        return part.denominator.dividingFullWidth(milliunits.multipliedFullWidth(by: part.numerator)).quotient
    }
}
