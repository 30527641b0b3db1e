// SPDX-License-Identifier: Apache-2.0
package import Crypto
import Foundation

/// Where a private key of Apple's is: `privateKeyFrom` or `privateKeyFile` of a section. The configuration never contains the key.
package enum PrivateKeyPlace: Hashable, Sendable, Redacted {
    /// The content of an environment variable.
    case text(String)
    /// The name of a file in the folder of `--secrets`. It is read when the key is used: a new file counts without a new version.
    case file(String)

    /// The variable with the folder of secret files; the option `--secrets` of a server sets it.
    package static let folderVariable = "LANDFALL_SECRETS"

    /// - Throws: ``UnusablePrivateKey``
    package func key() throws(UnusablePrivateKey) -> P256.Signing.PrivateKey {
        switch self {
        case .text(let text):
            guard let key = Self.key(pem: text) else { throw .variable }
            return key
        case .file(let name):
            guard let folder = ProcessEnvironment.value(of: Self.folderVariable) else { throw .folder(name) }
            guard let text = ProcessEnvironment.credential(name, in: folder), let key = Self.key(pem: text) else { throw .file(name) }
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
    case folder(String)
    case file(String)

    package var description: String {
        switch self {
        case .variable: "The variable of 'privateKeyFrom' does not hold a P-256 key in PEM. Set it to the whole text of the key's file."
        case .folder(let name):
            "'\(name)' of 'privateKeyFile' is in the folder of --secrets, which is not given. Start with --secrets DIR, or set \(PrivateKeyPlace.folderVariable)."
        case .file(let name):
            "'\(name)' of 'privateKeyFile' is not a P-256 key in PEM that this server can read. Put it into the folder of --secrets, readable for the server's user."
        }
    }
}

extension ConfigurationReader {
    /// Exactly one of `privateKeyFrom` and `privateKeyFile`.
    mutating func privateKey(_ fields: Fields, of what: String) -> PrivateKeyPlace? {
        switch (fields["privateKeyFrom"], fields["privateKeyFile"]) {
        case (let variable?, nil):
            guard let (name, text) = secret(variable, "privateKeyFrom", isFor: "text of the private key's file") else { return nil }
            if text != ProcessEnvironment.standIn, PrivateKeyPlace.key(pem: text) == nil {
                note(
                    variable.place,
                    "The variable '\(name.shortened)' does not hold a P-256 key in PEM. Set it to the whole text of the key's file, from '-----BEGIN' on.")
                return nil
            }
            return .text(text)
        case (nil, let file?):
            // A file of the configuration must not read the rest of the disk.
            guard let name = text(file, "'privateKeyFile'") else { return nil }
            guard isName(name, at: file.place, of: "A file in the folder of --secrets") else { return nil }
            if !name.hasPrefix(".") { return .file(name) }
            note(file.place, "'privateKeyFile' cannot be '\(name.shortened)'. Write the name of a file in the folder of --secrets.")
        default:
            note(
                fields.place,
                "\(what) needs either 'privateKeyFrom', a variable with the text of the key's file, or 'privateKeyFile', its name in the folder of --secrets. Write one of them.")
        }
        return nil
    }
}
