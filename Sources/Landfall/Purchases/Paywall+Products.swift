// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Paywall {
    /// The product that a name stands for: a product id of the paywall, or the end behind a dot of exactly one of them.
    func productID(named name: String) throws(PurchaseError) -> String {
        if productIDs.contains(name) { return name }
        let named = Set(productIDs.filter { $0.hasSuffix(".\(name)") })
        guard named.count == 1, let id = named.first, !name.isEmpty else { throw .productUnknown(name, of: productIDs) }
        return id
    }

    /// What the store sells of the paywall's products, in the paywall's order.
    func sold(_ products: [StoreProduct]) -> [StoreProduct] {
        productIDs.compactMap { id in products.first { $0.id == id } }
    }
}
