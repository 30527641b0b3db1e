// SPDX-License-Identifier: Apache-2.0

/// One value of an install or of a rule, in the form that comparisons use: plain numbers, so that no comparison allocates or
/// counts references. The bytes of texts are stored elsewhere; the cell has their hash.
package struct Cell: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable {
        case missing, text, number, flag, version, instant, list, locale
        /// There is a value, but no comparison can use it: for example a version called `latest`.
        case unreadable
    }

    var kind: Kind = .missing
    /// True for a text that is an instant too: `second` has the instant.
    var isInstant = false
    /// For a version: the place of its pre-release among its bytes.
    var preReleaseStart: UInt16 = 0
    var preReleaseLength: UInt16 = 0
    /// The place of a text's bytes, or of a list's cells.
    var offset: UInt32 = 0
    var length: UInt32 = 0
    /// A text's hash, a number's bits, a flag, a version's first two numbers, a locale's language.
    var first: UInt64 = 0
    /// An instant, a version's last two numbers, a locale's script and region.
    var second: UInt64 = 0

    package static let missing = Cell()

    init() {}

    init(number: Double) {
        kind = .number
        first = number.bitPattern
    }

    package init(flag: Bool) {
        kind = .flag
        first = flag ? 1 : 0
    }

    package init(instant milliseconds: Int64) {
        kind = .instant
        isInstant = true
        second = UInt64(bitPattern: milliseconds)
    }

    var number: Double { Double(bitPattern: first) }
    var instant: Int64 { Int64(bitPattern: second) }
}

/// Makes cells, and collects the bytes of their texts.
package struct CellWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    package mutating func text(_ text: String?) -> Cell {
        guard var text else { return .missing }
        return text.withUTF8 { write(UnsafeRawBufferPointer($0), .text) }
    }

    /// The cell of a custom attribute, which may be declared as a date.
    mutating func textOrInstant(_ text: String) -> Cell {
        var cell = self.text(text)
        if let instant = Instant(text) {
            cell.isInstant = true
            cell.second = UInt64(bitPattern: instant.milliseconds)
        }
        return cell
    }

    package mutating func version(_ text: String?) -> Cell {
        guard let text else { return .missing }
        var cell = self.text(text)
        guard let version = SemanticVersion(text) else {
            cell.kind = .unreadable
            return cell
        }
        cell.kind = .version
        (cell.first, cell.second) = version.numbersInOrder
        let withoutBuild = text.utf8.prefix { $0 != UInt8(ascii: "+") }
        let core = withoutBuild.prefix { $0 != UInt8(ascii: "-") }
        if core.count < withoutBuild.count {
            cell.preReleaseStart = UInt16(core.count + 1)
            cell.preReleaseLength = UInt16(withoutBuild.count - core.count - 1)
        }
        return cell
    }

    /// The cell of a condition, which names the parts that have to be equal.
    mutating func locale(asked text: String) -> Cell { locale(LocaleCode(rawValue: text), else: text, isAsked: true) }

    /// - Parameter text: the device's own text, for the case that it is not a locale.
    package mutating func locale(_ code: LocaleCode?, else text: String?, isAsked: Bool = false) -> Cell {
        var cell = self.text(code?.rawValue ?? text)
        guard let code else {
            if cell.kind != .missing { cell.kind = .unreadable }
            return cell
        }
        let parts = LocaleParts(code, isAsked: isAsked)
        cell.kind = .locale
        cell.first = parts.language
        cell.second = UInt64(parts.script) << 32 | UInt64(parts.region)
        return cell
    }

    private mutating func write(_ text: UnsafeRawBufferPointer, _ kind: Cell.Kind) -> Cell {
        var cell = Cell()
        cell.kind = kind
        cell.offset = UInt32(bytes.count)
        cell.length = UInt32(text.count)
        cell.first = Self.hash(text)
        bytes.append(contentsOf: text)
        return cell
    }

    /// Most different texts have different hashes; for the rest, the bytes are compared.
    static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(text.count)
        var place = 0
        while place + 8 <= text.count {
            hash = mixed(hash ^ text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        while place < text.count {
            rest = rest << 8 | UInt64(text[place])
            place += 1
        }
        return mixed(hash ^ rest)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
        return product.high ^ product.low
    }
}

/// Values that are written once and then only read, at an address that does not change.
///
/// `@unchecked Sendable`: nothing writes to the memory after the initialiser.
package final class FixedArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    let start: UnsafePointer<Element>
    package let count: Int

    init(_ elements: [Element]) {
        count = elements.count
        guard !elements.isEmpty else {
            start = Self.nothing
            return
        }
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: count)
        memory.initialize(from: elements, count: count)
        start = UnsafePointer(memory)
    }

    deinit { if count > 0 { start.deallocate() } }

    /// An address for no elements, which nobody reads.
    private static var nothing: UnsafePointer<Element> {
        guard let address = UnsafePointer<Element>(bitPattern: MemoryLayout<Element>.alignment) else { preconditionFailure("No address is 0.") }
        return address
    }

    package subscript(_ index: Int) -> Element {
        precondition(index >= 0 && index < count, "There is no element \(index) among \(count).")
        return start[index]
    }
}
