// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// A certificate that may sign others, with its key.
package struct SigningAuthority: Sendable {
    package let der: [UInt8]
    /// As openssl and `--app-store-root` read it.
    package let pem: String
    private let certificate: Certificate
    private let key: SigningKey

    /// An authority that stands by itself.
    package init(root order: CertificateOrder = .root) throws {
        try self.init(order, signedBy: nil, below: nil)
    }

    /// An authority that signs leaves only: no further authority may stand below it.
    package func intermediate(_ order: CertificateOrder = .intermediate) throws -> SigningAuthority {
        try SigningAuthority(order, signedBy: self, below: 0)
    }

    /// The certificate of a key, in DER.
    package func leaf(_ order: CertificateOrder = .leaf, for key: SigningKey) throws -> [UInt8] {
        try Self.certificate(order, key: key, signedBy: self, basic: .notCertificateAuthority, usage: KeyUsage(digitalSignature: true)).der
    }

    private init(_ order: CertificateOrder, signedBy issuer: SigningAuthority?, below depth: Int?) throws {
        key = SigningKey(order.curve)
        certificate = try Self.certificate(
            order, key: key, signedBy: issuer, basic: .isCertificateAuthority(maxPathLength: depth),
            usage: KeyUsage(keyCertSign: true, cRLSign: true)
        )
        der = try certificate.der
        pem = try certificate.serializeAsPEM().pemString + "\n"
    }

    private static func certificate(
        _ order: CertificateOrder, key: SigningKey, signedBy issuer: SigningAuthority?, basic: BasicConstraints, usage: KeyUsage
    ) throws -> Certificate {
        let publicKey = key.certificateKey.publicKey
        let name = try DistinguishedName {
            CommonName(order.name)
            OrganizationName("Landfall App Store simulator")
        }
        let authority = issuer.map { $0.certificate.publicKey } ?? publicKey
        let marker = try order.marker.map { try marking($0) }
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: order.notBefore,
            notValidAfter: order.notAfter,
            issuer: issuer?.certificate.subject ?? name,
            subject: name,
            signatureAlgorithm: (issuer?.key ?? key).certificateAlgorithm,
            extensions: try Certificate.Extensions {
                Critical(basic)
                Critical(usage)
                SubjectKeyIdentifier(hash: publicKey)
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: authority).keyIdentifier)
                if let marker { marker }
            },
            issuerPrivateKey: (issuer?.key ?? key).certificateKey
        )
    }

    /// Apple's markers have no content: ASN.1's NULL.
    private static func marking(_ identifier: String) throws -> Certificate.Extension {
        Certificate.Extension(oid: try ASN1ObjectIdentifier(dotRepresentation: identifier), critical: false, value: [0x05, 0x00])
    }
}

extension Certificate {
    fileprivate var der: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}
