// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPurchases

@Suite("A payload of Apple's", .timeLimit(.minutes(1)))
struct LenientReadingTests {
    private func transaction(_ more: String) throws -> TransactionPayload {
        try #require(
            TransactionPayload(
                payload: Array(#"{"transactionId":"1","originalTransactionId":"1","productId":"p"\#(more)}"#.utf8)))
    }

    @Test("is read although every field has another type than it should")
    func otherTypes() throws {
        let read = try transaction(
            #","purchaseDate":"x","expiresDate":[1],"price":{},"type":7,"isUpgraded":"yes","offerType":"1","quantity":null,"multiSeatInfo":3"#
        )

        #expect(read.purchaseDateMs == nil)
        #expect(read.priceMilliunits == nil)
        #expect(read.isUpgraded == false)
        #expect(read.seats == nil)
    }

    @Test("is read with words and members that are not known yet")
    func unknown() throws {
        let read = try transaction(
            #","type":"Lease","inAppOwnershipType":"BORROWED","new":{"deep":[{"a":[1,-2.5e3,true,null]}]}"#)

        #expect(read.type?.rawValue == "Lease")
        #expect(read.ownership?.rawValue == "BORROWED")
    }

    @Test(
        "may have fractions of a millisecond, and dates before 1970",
        arguments: [
            ("1697679936049.7297", 1_697_679_936_049), ("-62135769600000", -62_135_769_600_000),
            ("1.697679936049e12", 1_697_679_936_049),
        ] as [(String, Int64)])
    func times(_ text: String, _ ms: Int64) throws {
        #expect(try transaction(#","purchaseDate":\#(text)"#).purchaseDateMs == ms)
    }

    @Test(
        "has a price only if it is a whole number that fits",
        arguments: [
            ("39990", 39990), ("39990.0", 39990), ("39990.5", nil), ("1e300", nil), ("99999999999999999999", nil),
            ("\"39990\"", nil),
        ] as [(String, Int64?)])
    func price(_ text: String, _ milliunits: Int64?) throws {
        #expect(try transaction(#","price":\#(text)"#).priceMilliunits == milliunits)
    }

    @Test(
        "is refused unread if comparing one of its names would take long: nobody has verified it yet",
        arguments: ["\u{316}\u{300}", #"\u0316\u0300"#])
    func marks(_ pair: String) {
        func payload(_ pairs: Int) -> NotificationPayload? {
            let name = "a" + String(repeating: pair, count: pairs)
            return NotificationPayload(payload: Array(#"{"notificationUUID":"a","notificationType":"TEST","\#(name)":1}"#.utf8))
        }

        #expect(payload(15) != nil)
        #expect(payload(16) == nil)
    }

    @Test("keeps escaped letters, and no text with U+0000")
    func escapes() throws {
        let read = try transaction(#","offerIdentifier":"a\u00e9\uD83D\uDE00\/\"\\\n","currency":"E\u0000R""#)

        #expect(read.offerID == "aé😀/\"\\\n")
        #expect(read.currency == nil)
    }

    @Test(
        "is refused if it is no JSON object",
        arguments: [
            "", "[]", "1", "{", "{}}", "{\"a\":}", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":\"\u{1}\"}", "{\"a\":tru}",
            "{\"a\":\"\\x\"}", "{\"a\":1 2}",
            "{\"a\":" + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "}",
        ])
    func malformed(_ text: String) {
        #expect(PayloadFields(json: Array(text.utf8)) == nil)
    }

    @Test("may be nested as deep as the limit")
    func deep() {
        let text = "{\"a\":" + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}"

        #expect(PayloadFields(json: Array(text.utf8)) != nil)
    }
}
