// SPDX-License-Identifier: Apache-2.0
package import X509

/// A certificate that signed texts have to lead to. Only the server's operator chooses it, never a text that is checked.
package struct AppStoreRoot: Sendable {
    let certificate: Certificate

    package init(_ certificate: Certificate) { self.certificate = certificate }

    /// SHA-256 of "Apple Root CA - G3", valid to 2039-04-30.
    package static let appleFingerprint = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
}
