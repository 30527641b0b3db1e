// SPDX-License-Identifier: Apache-2.0
package import Crypto
import Foundation

/// Where a private key of Apple's is: `privateKeyFrom` or `privateKeyFile` of a section. The configuration never contains the key.
package enum PrivateKeyPlace: Hashable, Sendable, Redacted {
    /// The content of an environment variable.
    case text(String)
    /// A path on the machine that serves. The file is read when the key is used: a new one counts without a new version.
    case file(String)

    private static let largestFile = 16 * 1024

    /// - Throws: ``UnusablePrivateKey``
    package func key() throws(UnusablePrivateKey) -> P256.Signing.PrivateKey {
        switch self {
        case .text(let text):
            guard let key = Self.key(pem: text) else { throw .variable }
            return key
        case .file(let path):
            guard let data = FileManager.default.contents(atPath: path), data.count <= Self.largestFile,
                let text = String(validating: data, as: UTF8.self), let key = Self.key(pem: text)
            else { throw .file(path) }
            return key
        }
    }

    /// Environment files have one line for a variable, so `\n` is a line break too.
    static func key(pem: String) -> P256.Signing.PrivateKey? {
        try? P256.Signing.PrivateKey(pemRepresentation: pem.replacing(#"\n"#, with: "\n"))
    }
}

/// A private key that cannot be used. Which of the reasons it is stays unsaid: a configuration must not find out what is in other files.
package enum UnusablePrivateKey: Error, Hashable, CustomStringConvertible {
    case variable
    case file(String)

    package var description: String {
        switch self {
        case .variable: "The variable of 'privateKeyFrom' does not hold a P-256 key in PEM. Set it to the whole text of the .p8 file."
        case .file(let path):
            "'\(path)' of 'privateKeyFile' is not a P-256 key in PEM that this server can read. Put the .p8 file there, readable for the server's user."
        }
    }
}

extension ConfigurationReader {
    /// Exactly one of `privateKeyFrom` and `privateKeyFile`.
    mutating func privateKey(_ fields: Fields, of what: String) -> PrivateKeyPlace? {
        switch (fields["privateKeyFrom"], fields["privateKeyFile"]) {
        case (let variable?, nil):
            guard let (name, text) = secret(variable, "privateKeyFrom", isFor: "text of the .p8 file") else { return nil }
            if text != ProcessEnvironment.standIn, PrivateKeyPlace.key(pem: text) == nil {
                note(
                    variable.place,
                    "The variable '\(name.shortened)' does not hold a P-256 key in PEM. Set it to the whole text of the .p8 file, from '-----BEGIN PRIVATE KEY-----' on.")
                return nil
            }
            return .text(text)
        case (nil, let file?):
            guard let path = text(file, "'privateKeyFile'", longest: 4_096) else { return nil }
            if path.utf8.first == UInt8(ascii: "/") { return .file(path) }
            note(file.place, "'privateKeyFile' cannot be '\(path.shortened)'. Write the whole path of the .p8 file, beginning with '/'.")
        default:
            note(
                fields.place,
                "\(what) needs either 'privateKeyFrom', a variable with the text of the .p8 file, or 'privateKeyFile', its path. Write one of them.")
        }
        return nil
    }
}
