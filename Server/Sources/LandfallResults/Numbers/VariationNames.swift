// SPDX-License-Identifier: Apache-2.0

/// The names of variations with their places. Names are identifiers, so they are compared by their bytes.
struct VariationNames {
    private(set) var all: [String] = []
    private var places: [[UInt8]: Int] = [:]

    init(_ names: [String] = []) { for name in names { add(name) } }

    mutating func add(_ name: String) {
        guard places[Array(name.utf8)] == nil else { return }
        places[Array(name.utf8)] = all.count
        all.append(name)
    }

    func place(of name: String) -> Int? { places[Array(name.utf8)] }
}
