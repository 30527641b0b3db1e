// SPDX-License-Identifier: Apache-2.0

/// Which form of a text a number takes: `nplurals=2; plural=(n != 1);`, an expression of C with the number as `n`.
struct PluralRule: Hashable, Sendable {
    /// How many forms a text has.
    let count: Int
    private let tokens: [Token]

    private enum Token: Hashable, Sendable { case number(UInt64), n, sign(String) }

    /// - Parameter field: the value of `Plural-Forms`; nil if it is none.
    init?(_ field: String) {
        let parts = field.split(separator: ";").map { $0.filter { $0 != " " } }
        guard parts.count == 2, parts[0].hasPrefix("nplurals="), let count = Int(parts[0].dropFirst(9)), (1...9).contains(count),
            parts[1].hasPrefix("plural="), let tokens = Self.tokens(parts[1].dropFirst(7)), tokens.count <= 200
        else { return nil }
        self.count = count
        self.tokens = tokens
        var reading = Reading(tokens: tokens[...], n: 0)
        guard reading.choice() != nil, reading.tokens.isEmpty else { return nil }
    }

    /// - Returns: a number below ``count``.
    func form(of n: UInt64) -> Int {
        var reading = Reading(tokens: tokens[...], n: n)
        return Int(min(reading.choice() ?? 0, UInt64(count - 1)))
    }

    private static func tokens(_ text: Substring) -> [Token]? {
        var tokens: [Token] = [], rest = text
        while let first = rest.first {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if let number = UInt64(digits) {
                tokens.append(.number(number))
                rest = rest.dropFirst(digits.count)
            } else if first == "n" {
                tokens.append(.n)
                rest = rest.dropFirst()
            } else {
                let sign = String(Reading.strength[String(rest.prefix(2))] == nil ? rest.prefix(1) : rest.prefix(2))
                guard Reading.strength[sign] != nil || "?:()!".contains(sign) else { return nil }
                tokens.append(.sign(sign))
                rest = rest.dropFirst(sign.count)
            }
        }
        return tokens
    }

    /// The value of an expression for one number. Each function reads from the front, and returns nil if there is no expression.
    private struct Reading {
        var tokens: ArraySlice<Token>
        let n: UInt64

        /// How strongly the signs between two values bind.
        static let strength = [
            "||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, ">": 4, "<=": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6,
        ]

        mutating func choice() -> UInt64? {
            guard let condition = operation(1) else { return nil }
            guard took("?") else { return condition }
            guard let yes = choice(), took(":"), let no = choice() else { return nil }
            return condition != 0 ? yes : no
        }

        private mutating func operation(_ least: Int) -> UInt64? {
            guard var left = value() else { return nil }
            while case .sign(let sign)? = tokens.first, let strength = Self.strength[sign], strength >= least {
                tokens.removeFirst()
                guard let right = operation(strength + 1) else { return nil }
                left = Self.result(left, sign, right)
            }
            return left
        }

        private mutating func value() -> UInt64? {
            switch tokens.popFirst() {
            case .number(let number): return number
            case .n: return n
            case .sign("!"): return value().map { $0 == 0 ? 1 : 0 }
            case .sign("("):
                guard let inner = choice(), took(")") else { return nil }
                return inner
            default: return nil
            }
        }

        private mutating func took(_ sign: String) -> Bool {
            guard tokens.first == .sign(sign) else { return false }
            tokens.removeFirst()
            return true
        }

        private static func result(_ left: UInt64, _ sign: String, _ right: UInt64) -> UInt64 {
            switch sign {
            case "||": left != 0 || right != 0 ? 1 : 0
            case "&&": left != 0 && right != 0 ? 1 : 0
            case "==": left == right ? 1 : 0
            case "!=": left != right ? 1 : 0
            case "<": left < right ? 1 : 0
            case ">": left > right ? 1 : 0
            case "<=": left <= right ? 1 : 0
            case ">=": left >= right ? 1 : 0
            case "+": left &+ right
            case "-": left &- right
            case "*": left &* right
            case "/": right == 0 ? 0 : left / right
            default: right == 0 ? 0 : left % right
            }
        }
    }
}
