// SPDX-License-Identifier: Apache-2.0

/// A file that pages load. It is part of the binary, and its name changes with its content, so that browsers keep it for ever.
struct Asset: Hashable, Sendable {
    let type: String
    let bytes: [UInt8]
    /// The last part of its address.
    let name: String

    private init(_ ending: String, _ type: String, _ bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
        name = Self.digits(of: bytes) + "." + ending
    }

    var place: Place { Place("/console/assets", [name]) }

    static let style = Asset("css", "text/css; charset=utf-8", denseStyle(EmbeddedFile.style))
    static let script = Asset("js", "text/javascript; charset=utf-8", dense(EmbeddedFile.script))
    static let icon = Asset("svg", "image/svg+xml", EmbeddedFile.icon)

    static let all = [style, script, icon]

    /// A file without indentation and without the lines that are comments. No literal of it has several lines.
    static func dense(_ bytes: [UInt8]) -> [UInt8] {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        return Array(lines.filter { !$0.isEmpty && !$0.starts(with: "//".utf8) && !$0.starts(with: "/*".utf8) }.joined(separator: "\n".utf8))
    }

    /// The same without spaces beside what parts declarations. No text of the style has such a space.
    static func denseStyle(_ bytes: [UInt8]) -> [UInt8] {
        var style: [UInt8] = []
        for byte in dense(bytes) {
            let isOpening = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
            if isOpening, style.last == UInt8(ascii: " ") { style.removeLast() }
            if byte == UInt8(ascii: " "), let last = style.last, ":;,{".utf8.contains(last) { continue }
            style.append(byte)
        }
        return style
    }

    /// 64 bits of FNV-1a: it tells versions of a file apart, and protects nothing.
    private static func digits(of bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 36)
        return String(repeating: "0", count: 13 - digits.count) + digits
    }
}
