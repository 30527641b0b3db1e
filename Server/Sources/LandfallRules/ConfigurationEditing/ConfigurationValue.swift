// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A value that an edit writes: a JSON value whose members keep their order.
package enum ConfigurationValue: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: ConfigurationValue

        package init(name: String, value: ConfigurationValue) {
            (self.name, self.value) = (name, value)
        }
    }

    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    /// A number in its written form: `1.10` keeps its zero.
    case written(String)
    case text(String)
    case list([ConfigurationValue])
    case mapping([Member])

    /// - Parameter json: members of an object are sorted by their names.
    init(_ json: JSONValue) {
        self =
            switch json {
            case .null: .null
            case .bool(let value): .flag(value)
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .string(let value): .text(value)
            case .array(let elements): .list(elements.map { ConfigurationValue($0) })
            case .object(let members):
                .mapping(members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: ConfigurationValue($0.value)) })
            }
    }

    /// - Parameter node: the node of a text, such as the value of `--set paywalls.default.products=`.
    /// - Returns: nil if it contains a scalar that a file may not have.
    package init?(_ node: ConfigurationNode) {
        switch node.content {
        case .scalar(let text, let isQuoted):
            guard let value = Self.json(node) else { return nil }
            switch value {
            case .integer, .number: self = !isQuoted && value.inLine != text ? .written(text) : value
            default: self = value
            }
        case .list(let nodes):
            let elements = nodes.compactMap { ConfigurationValue($0) }
            guard elements.count == nodes.count else { return nil }
            self = .list(elements)
        case .mapping(let entries):
            let members = entries.compactMap { entry in ConfigurationValue(entry.value).map { Member(name: entry.key, value: $0) } }
            guard members.count == entries.count else { return nil }
            self = .mapping(members)
        }
    }

    /// True if the node of the file has the same value.
    func isSaid(by node: ConfigurationNode) -> Bool {
        switch (self, node.content) {
        case (.list(let elements), .list(let nodes)):
            return elements.count == nodes.count && zip(elements, nodes).allSatisfy { $0.isSaid(by: $1) }
        case (.mapping(let members), .mapping(let entries)):
            return members.count == entries.count
                && zip(members, entries).allSatisfy { $0.name.hasSameBytes(as: $1.key) && $0.value.isSaid(by: $1.value) }
        case (.text(let text), .scalar(let said, _)): return Self.json(node) == .text(text) && said.hasSameBytes(as: text)
        case (.written(let text), .scalar(let said, let isQuoted)): return !isQuoted && said.hasSameBytes(as: text)
        case (_, .scalar): return Self.json(node) == self
        default: return false
        }
    }

    /// The scalar as the reader of the file understands it; nil if the reader refuses it.
    static func json(_ node: ConfigurationNode) -> ConfigurationValue? {
        var reader = ConfigurationReader(secrets: SecretEnvironment(value: { _ in nil }))
        let value = reader.json(node)
        return reader.problems.isEmpty ? value.map { ConfigurationValue($0) } : nil
    }
}
