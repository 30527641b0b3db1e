// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The form of a JSON document: which members it always has, and of which kind. Members beyond those are allowed.
indirect enum DocumentShape: Sendable, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    case text, integer, number, flag
    case null
    case anything
    /// Nothing but these.
    case one(of: [String])
    case either(DocumentShape, DocumentShape)
    case list(DocumentShape)
    /// Each of them in turn, and no more.
    case tuple([DocumentShape])
    case object([String: DocumentShape])
    /// Members of any name, all of one kind.
    case members(DocumentShape)

    init(dictionaryLiteral elements: (String, DocumentShape)...) { self = .object(Dictionary(elements) { first, _ in first }) }

    /// `[shape]`: any number of these.
    init(arrayLiteral elements: DocumentShape...) { self = elements.count == 1 ? .list(elements[0]) : .tuple(elements) }

    static func orNull(_ shape: DocumentShape) -> DocumentShape { .either(shape, .null) }

    /// Where a value is not of this form; empty if it is.
    func faults(_ value: JSONValue, at path: String = "$") -> [String] {
        switch (self, value) {
        case (.anything, _), (.text, .string), (.integer, .integer), (.number, .integer), (.number, .number), (.flag, .bool), (.null, .null):
            return []
        case (.one(let words), .string(let word)): return words.contains(word) ? [] : ["\(path) is '\(word)'"]
        case (.either(let one, let other), _):
            let faults = one.faults(value, at: path)
            return faults.isEmpty || other.faults(value, at: path).isEmpty ? [] : faults
        case (.list(let shape), .array(let elements)):
            return elements.enumerated().flatMap { shape.faults($1, at: "\(path)[\($0)]") }
        case (.tuple(let shapes), .array(let elements)):
            guard shapes.count == elements.count else { return ["\(path) has \(elements.count) elements"] }
            return zip(shapes, elements).enumerated().flatMap { $1.0.faults($1.1, at: "\(path)[\($0)]") }
        case (.object(let shapes), .object(let members)):
            return shapes.sorted { $0.key < $1.key }.flatMap { name, shape in
                members[name].map { shape.faults($0, at: "\(path).\(name)") } ?? ["\(path).\(name) is not there"]
            }
        case (.members(let shape), .object(let members)): return members.flatMap { shape.faults($0.value, at: "\(path).\($0.key)") }
        default: return ["\(path) is \(value)"]
        }
    }
}
