// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// What a certificate of a simulated chain says about itself. The usual values are those of Apple's chains; each can be another one,
/// so that a test can make a chain that has to be refused.
package struct CertificateOrder: Hashable, Sendable {
    package var name: String
    package var curve: SigningKey.Curve
    /// The extension by which Apple marks what a certificate may sign, in dotted form; nil leaves it out.
    package var marker: String?
    package var notBefore: Date
    package var notAfter: Date

    package init(name: String, curve: SigningKey.Curve, marker: String?, notBefore: Date, notAfter: Date) {
        self.name = name
        self.curve = curve
        self.marker = marker
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// An authority that signs intermediates, valid for 25 years.
    package static let root = CertificateOrder(
        name: "Simulated Root CA", curve: .p384, marker: nil, notBefore: date(2014), notAfter: date(2039)
    )
    /// An authority that signs leaves, with the marker of Apple's developer authorities.
    package static let intermediate = CertificateOrder(
        name: "Simulated Developer Relations CA", curve: .p384, marker: "1.2.840.113635.100.6.2.1", notBefore: date(2021),
        notAfter: date(2036)
    )
    /// The certificate that signs what the App Store says, with its marker. Apple's are valid for about two years; this one is longer,
    /// because a life may begin at any time.
    package static let leaf = CertificateOrder(
        name: "Simulated App Store Receipt Signing", curve: .p256, marker: "1.2.840.113635.100.6.11.1", notBefore: date(2021),
        notAfter: date(2036)
    )

    /// Midnight of the year's first day, UTC, within a day.
    private static func date(_ year: Int) -> Date {
        Date(timeIntervalSince1970: (Double(year - 1970) * 365.2425).rounded() * 86_400)
    }
}
