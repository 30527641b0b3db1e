// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension WireAccessLevel: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("endsAtMilliseconds")
        if let endsAtMilliseconds { json.integer(endsAtMilliseconds) } else { json.null() }
        json.field("isActive", isActive)
        json.field("isAssumed", isAssumed)
        json.field("isSandbox", isSandbox)
        json.field("isTrial", isTrial)
        json.field("productId", productId)
        json.field("startsAtMilliseconds", startsAtMilliseconds)
        json.field("state", state.rawValue)
        json.field("store", store.rawValue)
        json.field("willRenew", willRenew)
        json.endObject()
    }
}

extension WireSubscription: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("endsAtMilliseconds", endsAtMilliseconds)
        json.field("expirationIntent", expirationIntent)
        json.field("isActive", isActive)
        json.field("isSandbox", isSandbox)
        json.field("isTrial", isTrial)
        json.field("offerId", offerId)
        json.field("originalTransactionId", originalTransactionId)
        json.field("productId", productId)
        json.field("renewsAs", renewsAs)
        json.field("startedAtMilliseconds", startedAtMilliseconds)
        json.field("startsAtMilliseconds", startsAtMilliseconds)
        json.field("state", state.rawValue)
        json.field("transactionId", transactionId)
        json.field("willRenew", willRenew)
        json.endObject()
    }
}

extension WireOneTimePurchase: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("isRefunded", isRefunded)
        json.field("isSandbox", isSandbox)
        json.field("productId", productId)
        json.field("purchasedAtMilliseconds", purchasedAtMilliseconds)
        json.field("quantity", quantity)
        json.field("transactionId", transactionId)
        json.field("type", type?.rawValue)
        json.endObject()
    }
}
