// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// The values that audiences compare, prepared once for an install and read by every decision about it. It is a class, so that
/// decisions can pass it on without a copy.
package final class FactValues: Sendable {
    /// One for each ``AudienceAttribute``, in their order.
    let cells: FixedArray<Cell>
    /// The elements of lists.
    let elements: FixedArray<Cell>
    /// The names of custom attributes and of access levels, as texts, in the order of ``customCells``.
    let customNames: FixedArray<Cell>
    let customCells: FixedArray<Cell>
    let bytes: FixedArray<UInt8>
    /// The install's id; missing if the decision is not about an install.
    let unit: Cell
    /// The device's locale in which the app asks for paywalls.
    package let locale: LocaleCode?

    static func place(of attribute: AudienceAttribute) -> Int { places[attribute] ?? 0 }

    private static let places = Dictionary(
        uniqueKeysWithValues: AudienceAttribute.allCases.enumerated().map { ($0.element, $0.offset) })

    /// Stands before the names of access levels; no custom attribute's name has it.
    static let accessMark = "\u{1}"

    /// The custom attributes, with their names.
    package var customs: [(name: String, value: JSONValue)] { named.filter { !$0.name.hasPrefix(Self.accessMark) } }

    /// What is known of access levels, with the names of the file.
    package var accesses: [(name: String, value: JSONValue)] {
        named.filter { $0.name.hasPrefix(Self.accessMark) }.map { (String($0.name.dropFirst(Self.accessMark.count)), $0.value) }
    }

    private var named: [(name: String, value: JSONValue)] {
        (0..<customNames.count).compactMap { place in
            value(of: customCells[place]).map { (string(customNames[place]), $0) }
        }
    }

    /// - Parameter compared: the values that are needed; the others are missing. Nil: all.
    convenience init(_ facts: KnownFacts, only compared: ComparedValues? = .all) {
        self.init(WrittenFacts(facts, only: compared))
    }

    package init(_ written: WrittenFacts) {
        cells = FixedArray(written.cells)
        elements = FixedArray(written.elements)
        customNames = FixedArray(written.names)
        customCells = FixedArray(written.customs)
        bytes = FixedArray(written.texts.bytes)
        unit = written.unit
        locale = written.locale
    }

    @inline(__always)
    func text(_ cell: Cell) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes.start + Int(cell.offset), count: Int(cell.length))
    }

    /// The value in the form of an explanation; nil if there is none.
    package func value(of subject: ConditionSubject) -> JSONValue? {
        switch subject {
        case .known(let attribute): value(of: cells[Self.place(of: attribute)])
        case .custom, .access:
            subject.cellName.flatMap { name in
                (0..<customNames.count).first { string(customNames[$0]).hasSameBytes(as: name) }.flatMap { value(of: customCells[$0]) }
            }
        case .unit: unit.kind == .text ? .string(string(unit)) : nil
        }
    }

    private func value(of cell: Cell) -> JSONValue? {
        switch cell.kind {
        case .missing: nil
        case .number: .number(cell.number)
        case .flag: .bool(cell.first == 1)
        case .instant: .string(Instant(milliseconds: cell.instant).description)
        case .list: .array((Int(cell.offset)..<Int(cell.offset + cell.length)).map { .string(string(elements[$0])) })
        case .text, .version, .locale, .unreadable: .string(string(cell))
        }
    }

    private func string(_ cell: Cell) -> String { String(decoding: text(cell), as: UTF8.self) }
}

/// Collects values in the form in which they are compared.
package struct WrittenFacts {
    package var texts = CellWriter(capacity: 768)
    /// The cells in the order of ``AudienceAttribute``.
    package var cells: [Cell] = []
    package var unit = Cell.missing
    var locale: LocaleCode?
    private(set) var elements: [Cell] = []
    private(set) var names: [Cell] = []
    private(set) var customs: [Cell] = []

    /// `allCases` makes an array each time.
    private static let attributes = AudienceAttribute.allCases

    package init() {}

    init(_ facts: KnownFacts, only compared: ComparedValues?) {
        texts = CellWriter(capacity: compared == nil ? 768 : 192)
        cells.reserveCapacity(Self.attributes.count)
        for (place, attribute) in Self.attributes.enumerated() {
            cells.append(compared?.hasAttribute(at: place) == false ? .missing : facts.cell(attribute, &self))
        }
        for (name, value) in facts.attributes where compared?.hasCustom(name) != false { add(name, value) }
        for level in facts.install?.purchases.levels ?? [] { add(level, only: compared) }
        unit = texts.text(facts.unit)
        locale = facts.locale
    }

    package mutating func add(_ name: String, _ value: AttributeValue) {
        names.append(texts.text(name))
        switch value {
        case .string(let text): customs.append(texts.textOrInstant(text))
        case .number(let number): customs.append(Cell(number: number))
        case .bool(let flag): customs.append(Cell(flag: flag))
        }
    }

    /// - Parameter name: with its field, as the file writes it.
    package mutating func add(access name: String, _ value: AttributeValue) { add(FactValues.accessMark + name, value) }

    private mutating func add(_ level: PurchaseFacts.Level, only compared: ComparedValues?) {
        for field in AccessField.allCases {
            guard let name = ConditionSubject.access(level.level, field).cellName, compared?.hasCustom(name) != false else { continue }
            if let value = level.value(field) { add(name, value) }
        }
    }

    package mutating func list(_ values: [String]?) -> Cell {
        guard let values else { return .missing }
        var list = Cell()
        list.kind = .list
        list.offset = UInt32(elements.count)
        list.length = UInt32(values.count)
        for value in values { elements.append(texts.text(value)) }
        return list
    }
}
