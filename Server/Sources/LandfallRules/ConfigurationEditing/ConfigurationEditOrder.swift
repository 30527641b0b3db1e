// SPDX-License-Identifier: Apache-2.0

/// Changes of single entries, in the form of a command line: `paywalls.default.products=[month, year]`.
package struct ConfigurationEditOrder: Sendable {
    fileprivate let edits: [ConfigurationEdit]

    /// - Parameters:
    ///   - settings: `PATH=VALUE`, with the value in the form of the file.
    ///   - removals: `PATH`. They are made after the settings.
    package init(set settings: [String], remove removals: [String]) throws(ConfigurationEditMistake) {
        var edits: [ConfigurationEdit] = []
        for text in settings { edits.append(try Self.setting(text)) }
        for text in removals {
            guard let path = ConfigurationEditPath(text) else { throw ConfigurationEditMistake(.path(text)) }
            edits.append(.remove(path))
        }
        self.edits = edits
    }

    private static func setting(_ text: String) throws(ConfigurationEditMistake) -> ConfigurationEdit {
        // A key in ["…"] may contain an equals sign.
        for sign in text.indices where text[sign] == "=" {
            guard let path = ConfigurationEditPath(String(text[..<sign])) else { continue }
            let written = String(text[text.index(after: sign)...])
            var source = ConfigurationText()
            guard let node = source.parse(written), source.problems.isEmpty, let value = ConfigurationValue(node), !written.isEmpty else {
                throw ConfigurationEditMistake(.value(written, of: path))
            }
            return .set(path, to: value)
        }
        throw ConfigurationEditMistake(text.contains("=") ? .path(text) : .sign(text))
    }
}

/// A file with some changed entries. All other bytes are unchanged.
package struct EditedConfiguration: Sendable {
    package let text: String
    package let changes: [ConfigurationChange]
    package let warnings: [ConfigurationRemark]

    /// - Parameters:
    ///   - text: the text of a file.
    ///   - file: the file's name in messages.
    /// - Throws: ``ConfigurationEditMistake`` if an entry cannot be changed, or if the changed file could not be served.
    package init(_ text: String, file: String, _ order: ConfigurationEditOrder) throws(ConfigurationEditMistake) {
        var edited = text
        for edit in order.edits {
            do throws(ConfigurationEditRefusal) {
                edited = try edit.applied(to: edited)
            } catch {
                throw ConfigurationEditMistake(.refused(error))
            }
        }
        // To edit a file, nobody needs the secrets that the file names.
        let secrets = SecretEnvironment(value: { ProcessEnvironment.anySecret(of: $0) })
        let before = ReadConfiguration(yaml: text, file: file, secrets: secrets)
        let after = ReadConfiguration(yaml: edited, file: file, secrets: secrets)
        do throws(ConfigurationError) {
            _ = try after.requireConfiguration()
        } catch {
            throw ConfigurationEditMistake(.refused(.invalid(error)))
        }
        self.text = edited
        changes = ConfigurationChanges(from: before.root, to: after.root).listed
        warnings = after.warnings.map(ConfigurationRemark.init)
    }
}

/// The reason why a file was not changed.
package struct ConfigurationEditMistake: Error, Hashable, CustomStringConvertible {
    enum Reason: Hashable {
        case sign(String)
        case path(String)
        case value(String, of: ConfigurationEditPath)
        case refused(ConfigurationEditRefusal)
    }

    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    package var description: String {
        switch reason {
        case .sign(let text): "'\(text.shortened)' has no value. Write PATH=VALUE, such as app.name=Example."
        case .path(let text):
            "'\(text.shortened)' does not name an entry. Write its keys with dots between, [0] for an element of a list, and [\"a.b\"] for "
                + "a key with dots: placements.home[0].paywall."
        case .value(let text, let path):
            "'\(text.shortened)' cannot be the value of '\(path)'. Write it as in the file: text, 5, true, [a, b], { a: 1 }."
        case .refused(let refusal): refusal.description
        }
    }
}
