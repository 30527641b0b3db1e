// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension InstallChange {
    /// Declared types were checked by the configuration; here the limits of every profile hold.
    /// - Throws: `AttributeRefusal`, ``InstallError/invalidAttribute(_:)``; then nothing of the change applies.
    func setAttributes(_ install: Install, _ changes: [String: AttributeValue?]) throws {
        var attributes = install.attributes
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            try AttributeRules.check(name, value, declared: nil)
            attributes[name] = value
        }
        guard attributes.count <= AttributeRules.mostAttributes else {
            throw InstallError.invalidAttribute(
                "A profile has at most \(AttributeRules.mostAttributes) attributes. Remove one by setting it to null."
            )
        }
        guard attributes != install.attributes else { return }
        try connection.run(Statement(
            "UPDATE profile SET attributes = $3 WHERE app_id = $1 AND profile_id = $2",
            [
                .text(app.rawValue), .text(install.profileID.rawValue),
                .text(String(decoding: try WireCoding.encode(attributes), as: UTF8.self)),
            ]
        ))
    }
}
