// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A host with letters beyond ASCII, as browsers send it: `bücher.example` is `xn--bcher-kva.example` (RFC 3492, RFC 5890).
enum InternationalHost {
    /// - Returns: the host in ASCII and small letters; nil for what is not a host. A host in ASCII is only brought into small letters.
    static func ascii(_ text: String) -> String? {
        guard text.utf8.count <= 1_000 else { return nil }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return Domains.isHost(text) ? text.lowercased() : nil }
        // The Kelvin sign is no 'k': what becomes ASCII only in small letters is another's name in disguise.
        guard !text.unicodeScalars.contains(where: { !$0.isASCII && mapped(String($0)).utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
        // The same letter may be written in several ways; browsers take the composed one.
        let labels = mapped(text).split(separator: ".", omittingEmptySubsequences: false)
        let host = labels.map { label(Array($0.unicodeScalars)) ?? "" }.joined(separator: ".")
        return Domains.isHost(host) ? host : nil
    }

    private static func mapped(_ text: String) -> String { text.lowercased().precomposedStringWithCanonicalMapping }

    private static func label(_ scalars: [Unicode.Scalar]) -> String? {
        let basic = scalars.filter(\.isASCII)
        if basic.count == scalars.count { return String(String.UnicodeScalarView(scalars)) }
        guard scalars.allSatisfy({ $0.isASCII || $0.properties.isAlphabetic || $0.properties.numericType == .decimal || $0.properties.canonicalCombiningClass != .notReordered }) else {
            return nil
        }
        var text = "xn--" + String(String.UnicodeScalarView(basic)) + (basic.isEmpty ? "" : "-")
        var least: UInt32 = 128, delta = 0, bias = 72, done = basic.count
        while done < scalars.count {
            guard let next = scalars.lazy.map(\.value).filter({ $0 >= least }).min() else { return nil }
            delta += Int(next - least) * (done + 1)
            least = next
            for scalar in scalars {
                if scalar.value < least { delta += 1 }
                guard scalar.value == least else { continue }
                text += number(delta, bias)
                bias = adapted(delta, done + 1, isFirst: done == basic.count)
                (delta, done) = (0, done + 1)
            }
            (delta, least) = (delta + 1, least + 1)
        }
        return text
    }

    private static func number(_ value: Int, _ bias: Int) -> String {
        var rest = value, place = 36, text = ""
        while true {
            let threshold = min(max(place - bias, 1), 26)
            guard rest >= threshold else { return text + digit(rest) }
            text += digit(threshold + (rest - threshold) % (36 - threshold))
            rest = (rest - threshold) / (36 - threshold)
            place += 36
        }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2, bias = 0
        delta += delta / count
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }

    private static func digit(_ value: Int) -> String { String(UnicodeScalar(UInt8(value < 26 ? 97 + value : 22 + value))) }
}
