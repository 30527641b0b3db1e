// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwiftASN1
import X509

/// Who claims to have signed a text.
struct JWSHeader {
    /// In the order of the text: leaf, intermediate, root. What the last one says is never asked.
    let certificates: [[UInt8]]

    /// - Parameter segment: in base64url.
    init(_ segment: String) throws(AppStoreRefusal) {
        guard let json = Base64URL.bytes(segment.utf8) else { throw .forged(.notBase64URL(.header)) }
        guard let fields = PayloadFields(json: json) else { throw .forged(.notJSON(.header)) }
        let algorithm = fields.text("alg")
        guard algorithm == "ES256" else { throw .forged(.algorithm(algorithm)) }
        guard case .list(let values)? = fields.members["x5c"] else { throw .forged(.certificates(nil)) }
        guard values.count == 3 || values.count == 1 else { throw .forged(.certificates(values.count)) }
        var certificates: [[UInt8]] = []
        for (index, value) in values.enumerated() {
            guard case .text(let text) = value, let der = Data(base64Encoded: text) else {
                throw .forged(.unreadableCertificate(index: index))
            }
            certificates.append(Array(der))
        }
        self.certificates = certificates
    }

    func certificate(_ index: Int) throws(AppStoreRefusal) -> Certificate {
        guard let certificate = try? Certificate(derEncoded: certificates[index]) else {
            throw .forged(.unreadableCertificate(index: index))
        }
        return certificate
    }
}
