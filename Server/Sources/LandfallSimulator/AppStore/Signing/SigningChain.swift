// SPDX-License-Identifier: Apache-2.0

/// Three certificates as Apple's App Store has them, and the key of the leaf: own root, own intermediate, own leaf.
package struct SigningChain: Sendable {
    package let root: SigningAuthority
    package let intermediate: SigningAuthority
    /// In DER.
    package let leaf: [UInt8]
    let key: SigningKey

    /// - Parameter root: an authority that other chains share; nil makes a new one.
    package init(
        root: SigningAuthority? = nil, intermediate: CertificateOrder = .intermediate, leaf: CertificateOrder = .leaf
    ) throws {
        let root = try root ?? SigningAuthority()
        try self.init(root: root, intermediate: try root.intermediate(intermediate), leaf: leaf)
    }

    /// Another leaf below an intermediate that exists, as Apple makes one every other year.
    package init(root: SigningAuthority, intermediate: SigningAuthority, leaf: CertificateOrder = .leaf) throws {
        self.root = root
        self.intermediate = intermediate
        key = SigningKey(leaf.curve)
        self.leaf = try intermediate.leaf(leaf, for: key)
    }

    /// Leaf, intermediate, root, in DER: the order of `x5c`.
    package var certificates: [[UInt8]] { [leaf, intermediate.der, root.der] }
}
