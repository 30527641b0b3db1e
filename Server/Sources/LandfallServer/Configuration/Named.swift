// SPDX-License-Identifier: Apache-2.0
/// What other parts of the file refer to by name. A name whose value has problems of its own is known all the same, so that a
/// reference to it is not a second problem.
struct Named<Value> {
    private(set) var names: Set<String> = []
    private(set) var byName: [String: Value] = [:]
    /// In the order of the file.
    private(set) var values: [Value] = []

    mutating func add(_ name: String, _ value: Value?) {
        names.insert(name)
        guard let value else { return }
        byName[name] = value
        values.append(value)
    }
}

extension Named: Sendable where Value: Sendable {}
