// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    mutating func identity(_ node: ConfigurationNode) -> [IdentityKey] {
        guard let fields = fields(node, of: "'identity'", required: ["keys"]), let keys = fields["keys"] else { return [] }
        let elements = list(keys, of: "'keys' of 'identity'") ?? []
        noteSecondNames(elements, in: ["identity", "keys"])
        return elements.compactMap { identityKey($0) }
    }

    private mutating func identityKey(_ node: ConfigurationNode) -> IdentityKey? {
        let fields = fields(
            node, of: "An identity key", required: ["algorithm"], optional: ["id", "secretFrom", "publicKey"]
        )
        guard let fields else { return nil }
        let id = text(fields["id"], "'id'")
        guard let algorithm = choice(fields["algorithm"], "'algorithm'", as: IdentityKey.Algorithm.self) else { return nil }
        switch (algorithm, fields["secretFrom"], fields["publicKey"]) {
        case (.hs256, let variable?, nil): return secretKey(id, variable)
        case (.es256, nil, let pem?), (.rs256, nil, let pem?): return publicKey(id, algorithm, pem)
        case (.hs256, _, _):
            note(
                node.place,
                "An HS256 key needs 'secretFrom', the environment variable with the secret, and no 'publicKey'. Write that alone."
            )
        default:
            note(
                node.place,
                "A key for \(algorithm.rawValue) needs 'publicKey', a PEM text, and no 'secretFrom'. Write that alone.")
        }
        return nil
    }

    private mutating func secretKey(_ id: String?, _ node: ConfigurationNode) -> IdentityKey? {
        guard let (variable, secret) = secret(node, "secretFrom", isFor: "secret") else { return nil }
        guard let key = IdentityKey(id: id, secret: secret) else {
            note(
                node.place,
                "The secret in '\(variable.shortened)' is shorter than 32 bytes. Make one with: openssl rand -base64 32")
            return nil
        }
        return key
    }

    private mutating func publicKey(_ id: String?, _ algorithm: IdentityKey.Algorithm, _ node: ConfigurationNode)
        -> IdentityKey?
    {
        guard let pem = text(node, "'publicKey'", longest: 8192) else { return nil }
        if let key = try? IdentityKey(id: id, algorithm: algorithm, publicKey: pem) { return key }
        let kind = algorithm == .rs256 ? "an RSA key of 2048 bits or more" : "a P-256 key"
        note(
            node.place,
            "'publicKey' is not \(kind) in PEM. Paste it whole, from '-----BEGIN PUBLIC KEY-----' on, below 'publicKey: |'.")
        return nil
    }
}
