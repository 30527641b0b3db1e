// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SwiftASN1
package import X509

/// A certificate that signed texts have to lead to. Only the server's operator chooses it, never a text that is checked.
package struct AppStoreRoot: Sendable {
    /// Why a file does not hold a root.
    package enum Mistake: Error, Hashable, CustomStringConvertible {
        case notPEM
        case notOneCertificate(Int)
        case notSelfSigned

        package var description: String {
            switch self {
            case .notPEM:
                "The file is no certificate in PEM form. Write the simulator's with --root-out, or convert with: openssl x509 -inform der."
            case .notOneCertificate(let count): "The file has \(count) certificates. Leave only the root."
            case .notSelfSigned:
                "The certificate is not signed by itself, so it is no root. Name the last certificate of the chain."
            }
        }
    }

    /// SHA-256 of "Apple Root CA - G3", valid to 2039-04-30.
    package static let appleFingerprint = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"

    let certificate: Certificate
    /// SHA-256 of the certificate, in hexadecimal digits.
    package let fingerprint: String

    package init(_ certificate: Certificate) throws {
        self.certificate = certificate
        fingerprint = try SHA256.hash(data: certificate.serializeAsPEM().derBytes).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// - Parameter pem: the content of a file with one certificate.
    package init(pem: String) throws {
        guard let documents = try? PEMDocument.parseMultiple(pemString: pem), !documents.isEmpty else { throw Mistake.notPEM }
        guard documents.count == 1 else { throw Mistake.notOneCertificate(documents.count) }
        guard let certificate = try? Certificate(pemDocument: documents[0]) else { throw Mistake.notPEM }
        guard certificate.publicKey.isValidSignature(certificate.signature, for: certificate) else {
            throw Mistake.notSelfSigned
        }
        try self.init(certificate)
    }

    /// Whether this is Apple's own root, and not that of a simulator.
    package var isApple: Bool { fingerprint == Self.appleFingerprint }
}
