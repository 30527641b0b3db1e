// SPDX-License-Identifier: Apache-2.0

/// A value of the document, and the way to it.
struct NumbersNode {
    let value: OrderedJSON
    let path: String

    /// In the order of the document. Null members count as absent.
    func members() throws(NumbersError) -> [(key: String, node: NumbersNode)] {
        guard case .object(let members) = value else { throw wrong("This has to be an object.") }
        return members.filter { $0.value != .null }.map {
            (key: $0.key, node: NumbersNode(value: $0.value, path: path.isEmpty ? $0.key : "\(path).\($0.key)"))
        }
    }

    func list() throws(NumbersError) -> [NumbersNode] {
        guard case .list(let values) = value else { throw wrong("This has to be a list.") }
        return values.enumerated().map { NumbersNode(value: $1, path: "\(path)[\($0)]") }
    }

    func text() throws(NumbersError) -> String {
        guard case .text(let text) = value, !text.isEmpty else { throw wrong("This has to be a text.") }
        return text
    }

    func number() throws(NumbersError) -> Double {
        guard case .number(let number) = value else { throw wrong("This has to be a number.") }
        return number
    }

    /// A whole number from 0 on.
    func count() throws(NumbersError) -> Int {
        let number = try number()
        guard number >= 0, number == number.rounded(), number <= Double(Sample.mostUnits) else {
            throw wrong("\(number) is not a count. Use a whole number from 0 to \(Sample.mostUnits).")
        }
        return Int(number)
    }

    func share() throws(NumbersError) -> Double {
        let number = try number()
        guard (0...1).contains(number) else { throw wrong("\(number) is not a share. Use a number from 0 to 1.") }
        return number
    }

    func flag() throws(NumbersError) -> Bool {
        guard case .bool(let flag) = value else { throw wrong("This has to be true or false.") }
        return flag
    }

    func wrong(_ problem: String) -> NumbersError { NumbersError(path: path, problem: problem) }

    /// Runs code that knows the name of a wrong number, and adds the path to its error.
    func naming<Value>(_ make: () throws(SampleError) -> Value) throws(NumbersError) -> Value {
        do throws(SampleError) { return try make() } catch {
            throw NumbersError(path: path.isEmpty ? error.field : "\(path).\(error.field)", problem: error.problem)
        }
    }
}

/// The members of one object by name; an unknown member becomes a remark.
struct NumbersObject {
    let node: NumbersNode
    /// By the bytes of their names.
    private let members: [[UInt8]: NumbersNode]

    init(_ node: NumbersNode, known: Set<String>, remarks: inout [String]) throws(NumbersError) {
        self.node = node
        let all = try node.members()
        members = Dictionary(all.map { (Array($0.key.utf8), $0.node) }) { first, _ in first }
        for member in all where !known.contains(member.key) {
            remarks.append("\(member.node.path) is not a known key; it was not read.")
        }
    }

    subscript(_ key: String) -> NumbersNode? { members[Array(key.utf8)] }

    func required(_ key: String) throws(NumbersError) -> NumbersNode {
        guard let member = self[key] else {
            throw NumbersError(path: node.path.isEmpty ? key : "\(node.path).\(key)", problem: "This is missing.")
        }
        return member
    }
}
