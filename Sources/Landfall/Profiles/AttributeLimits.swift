// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// The documented limits of attributes and attribution claims, checked before anything is accepted.
public enum AttributeLimits {
    /// The check of ``LandfallClient/setAttributes(_:)``; for code that collects attributes before there is a client.
    /// - Throws: ``LandfallError/Kind/invalidArgument``.
    public static func check(_ changes: [String: AttributeValue?]) throws {
        guard changes.count <= Limits.attributes else {
            throw invalid("A profile has at most \(Limits.attributes) attributes.")
        }
        for (key, value) in changes {
            guard (1...Limits.attributeKey).contains(key.utf8.count), key.utf8.allSatisfy(isKeyCharacter) else {
                throw invalid("The key '\(key.cut(toBytes: 64))' is not 1 to \(Limits.attributeKey) of [A-Za-z0-9._-].")
            }
            switch value {
            case .string(let text)?: try check(text, of: key, longest: Limits.attributeText)
            case .number(let number)? where !number.isFinite: throw invalid("The value of '\(key)' is not a finite number.")
            default: continue
            }
        }
    }

    /// - Throws: ``LandfallError/Kind/invalidArgument``.
    static func check(_ claim: AttributionClaim) throws {
        let source = claim.source.rawValue
        guard (1...Limits.source).contains(source.utf8.count),
            source.utf8.allSatisfy({ isKeyCharacter($0) && !(65...90).contains($0) })
        else {
            throw invalid("The source '\(source.cut(toBytes: 64))' must have 1 to 64 of [a-z0-9_.-].")
        }
        guard !AttributionSource.reserved.contains(claim.source) else {
            throw invalid("The source '\(source)' is reserved: the server finds it out itself.")
        }
        let names = [
            "channel": claim.channel, "campaign": claim.campaign, "adGroup": claim.adGroup, "adSet": claim.adSet,
            "creative": claim.creative,
        ]
        for (name, text) in names { if let text { try check(text, of: name, longest: Limits.attributionText) } }
    }

    private static func check(_ text: String, of key: String, longest: Int) throws {
        guard text.utf8.count <= longest, !text.utf8.contains(0) else {
            throw invalid("The value of '\(key)' has more than \(longest) bytes, or U+0000 among them.")
        }
        // The server would refuse the whole call with everything in it.
        guard CombiningMarks.areFew(in: text) else {
            throw invalid("The value of '\(key)' has more than \(CombiningMarks.mostInARow) combining marks in a row.")
        }
    }

    private static func isKeyCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 45, 46, 95: true
        default: false
        }
    }

    private static func invalid(_ detail: String) -> LandfallError { LandfallError(.invalidArgument, detail: detail) }
}
