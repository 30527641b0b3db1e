// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// An own event of Landfall, made from the values that the app set by these names.
struct OwnEvent: Hashable, Sendable {
    /// The type, in the form that Landfall allows.
    static let mostProperties = 16
    static let mostName = 64
    static let mostText = 256

    var type: String
    var value: Decimal?
    var currency: String?
    private(set) var properties: [String: AttributeValue] = [:]
    /// The names of parameters that were left out or cut.
    private(set) var shortened: [String] = []

    init(_ type: String, amount: Double? = nil, currency: String? = nil) {
        self.type = type.lowercased()
        guard let amount, amount.isFinite, let value = Decimal(string: "\(amount)") else { return }
        self.value = value
        self.currency = currency.flatMap { $0.isEmpty ? nil : $0.uppercased() }
    }

    /// Does nothing for nil and an empty text. A name's characters that Landfall does not allow become `_`; a text is cut to its
    /// limit; beyond the limit a property is left out. The first one of a name stays.
    mutating func add(_ name: String, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        let key = Self.name(name)
        guard !key.isEmpty, properties[key] == nil else { return }
        guard properties.count < Self.mostProperties else { return shortened.append(name) }
        let cut = Self.cut(text)
        if cut != text { shortened.append(name) }
        properties[key] = .string(cut)
    }

    /// In the order of their names, so that the same ones are left out each time.
    mutating func add(_ parameters: [String: String], prefix: String = "") {
        for (name, text) in parameters.sorted(by: { $0.key < $1.key }) { add(prefix + name, text) }
    }

    static func name(_ text: String) -> String {
        String(
            text.unicodeScalars.prefix(mostName).map { character -> Character in
                let isAllowed =
                    character.isASCII && (character.properties.isAlphabetic || ("0"..."9").contains(character))
                    || ["-", ".", "_"].contains(character)
                return isAllowed ? Character(character) : "_"
            })
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > mostText else { return text }
        var bytes = 0
        return String(
            text.prefix { character in
                bytes += character.utf8.count
                return bytes <= mostText
            })
    }
}

extension OwnEvent {
    init(_ event: ADJEvent) {
        self.init(event.eventToken, amount: event.revenue?.doubleValue, currency: event.currency)
        add("transaction_id", event.transactionId)
        add("deduplication_id", event.deduplicationId)
        add("product_id", event.productId)
        add("callback_id", event.callbackId)
        add(event.callbackParameters)
        add(event.partnerParameters, prefix: "partner.")
    }
}
