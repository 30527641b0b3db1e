// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Values that other parts of the file refer to by name. A name whose value has problems of its own still counts as known, so that a
/// reference to it is not a second problem.
struct Named<Value> {
    private(set) var names: Set<ExactText> = []
    private var byName: [ExactText: Value] = [:]
    /// In the order of the file.
    private(set) var values: [Value] = []

    mutating func add(_ name: String, _ value: Value?) {
        names.insert(ExactText(name))
        guard let value else { return }
        byName[ExactText(name)] = value
        values.append(value)
    }

    subscript(_ name: String) -> Value? { byName[ExactText(name)] }
}

extension Named: Sendable where Value: Sendable {}
