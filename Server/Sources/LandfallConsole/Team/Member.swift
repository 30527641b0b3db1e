// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Somebody who may sign in to the console.
struct Member: Hashable, Sendable {
    /// Random: it stays when the address changes.
    let id: String
    let email: MemberEmail
    let name: String
    let role: Role
    /// In the form of ``PasswordHash``.
    let password: String
    let createdAtMs: Int64
}

/// An e-mail address in the form in which addresses are compared: lower case, no spaces.
struct MemberEmail: Hashable, Sendable {
    static let most = 254
    let text: String

    /// Nil unless it has one `@` with something before it and a host after it, and no character that nobody sees: two addresses that look
    /// alike are one. Nobody is written to: that is the whole check.
    init?(_ text: String) {
        let text = String(text.unicodeScalars.filter { !$0.properties.isWhitespace }).lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].count > 2, text.utf8.count <= Self.most,
            text.unicodeScalars.allSatisfy({ $0.isVisible && !"<>\"'\\".unicodeScalars.contains($0) })
        else { return nil }
        self.text = text
    }

    init(stored text: String) { self.text = text }
}

extension Unicode.Scalar {
    /// False for controls, marks of a direction, joiners, and whatever else has no look of its own.
    var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: !properties.isDefaultIgnorableCodePoint
        }
    }

    /// True for marks that turn the direction of what follows them. Joiners belong to some scripts' words.
    var turnsText: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}

/// What the rules say about a new password.
enum PasswordRules {
    static let fewest = 15
    /// Bytes: hashing takes the same time for every password up to here.
    static let most = 1_000

    enum Refusal: Hashable, Sendable { case short, long, common }

    /// - Parameter words: the member's own address and name, and the app's: a password is not made of them.
    static func refusal(of password: String, knowing words: [String]) -> Refusal? {
        guard password.unicodeScalars.count >= fewest else { return .short }
        guard password.utf8.count <= most else { return .long }
        var rest = password.lowercased()
        for word in words.map({ $0.lowercased() }) + common where word.utf8.count >= 4 { rest = rest.replacing(word, with: "*") }
        // Two or three words of the list, or one character again and again, leave next to nothing.
        guard Set(rest.unicodeScalars).count >= 5 else { return .common }
        return 2 * scalarsInRuns(of: rest) > rest.unicodeScalars.count ? .common : nil
    }

    /// How many characters of a password are in runs of four or more: repeated (`aaaa`), in order (`4567`, `dcba`), or neighbours on a
    /// keyboard (`asdf`). Reads the password once for each kind.
    static func scalarsInRuns(of password: String) -> Int {
        let scalars = Array(password.unicodeScalars)
        var isInRun = [Bool](repeating: false, count: scalars.count)
        for goesOn in steps {
            var start = 0
            for end in 1..<max(scalars.count + 1, 1) where end == scalars.count || !goesOn(scalars[end - 1], scalars[end]) {
                if end - start >= 4 { for index in start..<end { isInRun[index] = true } }
                start = end
            }
        }
        return isInRun.count(where: \.self)
    }

    /// Whether a run goes on from a character to the next one, for each kind of run.
    private static let steps: [@Sendable (Unicode.Scalar, Unicode.Scalar) -> Bool] = [
        { $0 == $1 }, { $0.value + 1 == $1.value }, { $0.value == $1.value + 1 }, { neighbours.contains([$0, $1]) },
    ]

    /// Pairs of neighbours in a row of keys, in both directions, on English, German and French keyboards.
    private static let neighbours: Set<[Unicode.Scalar]> = {
        let rows = ["1234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn"]
        return Set(rows.map { Array($0.unicodeScalars) }.flatMap { row in zip(row, row.dropFirst()).flatMap { [[$0, $1], [$1, $0]] } })
    }()

    /// The parts of the passwords that people choose most.
    private static let common = [
        "password", "passwort", "passw0rd", "1234567890", "123456789", "12345678", "123456", "12345", "1234", "qwertyuiop", "qwerty",
        "asdfghjkl", "zxcvbnm", "abcdefgh", "letmein", "welcome", "administrator", "admin", "iloveyou", "monkey", "dragon",
        "landfall", "console", "secret", "changeme", "correcthorsebatterystaple", "correct horse battery staple", "1q2w3e4r", "0987654321",
    ]
}

extension MemberEmail {
    /// What a version calls its author.
    var author: String { text.cut(toBytes: 200) }
}
