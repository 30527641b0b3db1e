// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    /// The required prefix of a variable that holds a secret. The file must not read the rest of the environment: a variable
    /// that others can guess, such as `PATH`, would be a key that they can sign with.
    static let secretPrefix = "LANDFALL_"

    /// The secret in the environment variable that a `…From` field names. The file never contains the secret itself.
    /// - Parameters:
    ///   - key: the field's name in the file, such as `serverFrom`.
    ///   - isFor: what the variable has to be set to.
    mutating func secret(_ node: ConfigurationNode?, _ key: String, isFor: String) -> (variable: String, text: String)? {
        guard let node, let variable = text(node, "'\(key)'") else { return nil }
        guard Self.isSecretVariable(variable) else {
            note(
                node.place,
                "'\(key)' cannot name '\(variable.shortened)'. Only variables of capitals, digits and '_' that begin with '\(Self.secretPrefix)' are read: rename it."
            )
            return nil
        }
        if let text = secrets.value(variable) { return (variable, text) }
        if let standIn = secrets.standIn {
            warn(
                node.place,
                "The environment variable '\(variable.shortened)' is not set here. Set it wherever this version is to be served."
            )
            return (variable, standIn(variable))
        }
        note(
            node.place,
            "The environment variable '\(variable.shortened)' is not set. Set it to the \(isFor), or remove this key.")
        return nil
    }

    private static func isSecretVariable(_ name: String) -> Bool {
        name.utf8.count > secretPrefix.utf8.count && name.utf8.starts(with: secretPrefix.utf8)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
    }
}
