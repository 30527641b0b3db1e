// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The path of an entry in the file: `paywalls.default.remoteConfig.en.title`, `links[3]`, `audiences.ads["app.version"]`.
package struct ConfigurationEditPath: Hashable, Sendable, CustomStringConvertible {
    package enum Step: Hashable, Sendable {
        case key(String)
        /// The index in a list, from 0.
        case index(Int)

        /// Keys are compared by their bytes, as the file's are.
        package static func == (left: Step, right: Step) -> Bool {
            switch (left, right) {
            case (.key(let one), .key(let other)): one.hasSameBytes(as: other)
            case (.index(let one), .index(let other)): one == other
            default: false
            }
        }

        package func hash(into hasher: inout Hasher) {
            switch self {
            case .key(let key): key.hashBytes(into: &hasher)
            case .index(let index): hasher.combine(index)
            }
        }
    }

    /// As deep as a file may be.
    static let longest = 64

    let steps: [Step]

    /// - Parameter steps: at least one.
    package init?(_ steps: [Step]) {
        guard (1...Self.longest).contains(steps.count) else { return nil }
        self.steps = steps
    }

    /// Reads the written form. A key with dots or brackets is written in `["…"]`.
    package init?(_ text: String) {
        var steps: [Step] = []
        var rest = text.utf8[...]
        while let first = rest.first {
            if rest.starts(with: "[\"".utf8) {
                rest.removeFirst(2)
                let key = rest.prefix { $0 != UInt8(ascii: "\"") }
                rest = rest[key.endIndex...]
                guard rest.starts(with: "\"]".utf8) else { return nil }
                rest.removeFirst(2)
                steps.append(.key(String(Substring(key))))
            } else if first == UInt8(ascii: "[") {
                let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "]") }
                guard digits.endIndex < rest.endIndex, (1...9).contains(digits.count),
                    digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                    let index = Int(Substring(digits))
                else { return nil }
                rest = rest[digits.endIndex...].dropFirst()
                steps.append(.index(index))
            } else {
                if first == UInt8(ascii: ".") {
                    guard !steps.isEmpty else { return nil }
                    rest.removeFirst()
                } else if !steps.isEmpty {
                    return nil
                }
                let key = rest.prefix { !".[]\"".utf8.contains($0) }
                guard !key.isEmpty else { return nil }
                rest = rest[key.endIndex...]
                steps.append(.key(String(Substring(key))))
            }
            guard steps.count <= Self.longest else { return nil }
        }
        self.init(steps)
    }

    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where key.isEmpty || key.utf8.contains { ".[]\"".utf8.contains($0) }: text += "[\"\(key.shortened)\"]"
            case .key(let key): text += text.isEmpty ? key.shortened : "." + key.shortened
            }
        }
        return text
    }
}
