// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The arguments of one call, checked against those that the tool has. A null is an absent argument.
struct ToolArguments: Sendable {
    let values: [String: JSONValue]

    init(_ values: [String: JSONValue], of arguments: [ToolArgument]) throws(ArgumentFault) {
        self.values = try Self.checked(values, arguments, at: "")
    }

    func text(_ name: String) -> String? { values[name]?.string }
    func flag(_ name: String) -> Bool? { values[name]?.bool }
    func number(_ name: String) -> Int64? { values[name]?.integer.map(Int64.init) }
    /// Separated by commas, as queries have them.
    func joined(_ name: String) -> String? { values[name]?.array.map { $0.compactMap(\.string).joined(separator: ",") } }

    private static func checked(
        _ values: [String: JSONValue], _ arguments: [ToolArgument], at path: String
    ) throws(ArgumentFault) -> [String: JSONValue] {
        let given = values.filter { !$0.value.isNull }
        for name in given.keys.sorted() where !arguments.contains(where: { $0.name == name }) {
            throw ArgumentFault("There is no argument '\(path)\(name.shortened)'.\(Suggestion.sentence(for: name, among: arguments.map(\.name)))")
        }
        for argument in arguments {
            if let value = given[argument.name] {
                try argument.kind.check(value, "'\(path)\(argument.name)'", path + argument.name)
            } else if argument.isRequired {
                throw ArgumentFault("The argument '\(path)\(argument.name)' is missing. \(argument.about)")
            }
        }
        return given
    }

    fileprivate static func check(_ values: [String: JSONValue], _ arguments: [ToolArgument], at path: String) throws(ArgumentFault) {
        _ = try checked(values, arguments, at: path)
    }
}

/// An argument that a tool cannot take.
struct ArgumentFault: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension ToolArgument.Kind {
    fileprivate func check(_ value: JSONValue, _ what: String, _ path: String) throws(ArgumentFault) {
        switch self {
        case .text(let most):
            guard let text = value.string else { throw ArgumentFault("\(what) is not a text.") }
            guard text.utf8.count <= most else {
                throw ArgumentFault("\(what) has \(text.utf8.count) bytes; at most \(most) fit. Shorten it.")
            }
        case .name:
            let isName = value.string?.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil && value != "." && value != ".."
            guard isName else { throw ArgumentFault("\(what) is not a name of 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'.") }
        case .choice(let words):
            guard let word = value.string, words.contains(word) else {
                throw ArgumentFault("\(what) has to be one of \(words.map { "'\($0)'" }.joined(separator: ", ")).")
            }
        case .number(let range):
            guard let number = value.integer, range.contains(Int64(number)) else {
                throw ArgumentFault("\(what) has to be a whole number from \(range.lowerBound) to \(range.upperBound).")
            }
        case .flag:
            guard value.bool != nil else { throw ArgumentFault("\(what) has to be true or false.") }
        case .list(let element, let most):
            guard let elements = value.array else { throw ArgumentFault("\(what) is not a list.") }
            guard elements.count <= most else { throw ArgumentFault("\(what) has \(elements.count) elements; at most \(most) fit.") }
            for (index, one) in elements.enumerated() { try element.check(one, "'\(path)[\(index)]'", "\(path)[\(index)]") }
        case .object(let members):
            guard let object = value.object else { throw ArgumentFault("\(what) is not an object.") }
            try ToolArguments.check(object, members, at: path + ".")
        }
    }
}
