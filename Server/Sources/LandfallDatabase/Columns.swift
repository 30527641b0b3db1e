// SPDX-License-Identifier: Apache-2.0

/// The names of an answer's columns: made once for a text, shared by all rows that it ever gives.
public final class Columns: Hashable, Sendable {
    public let names: [String]
    private let places: [String: Int]

    /// - Parameter names: where one stands twice, the first is meant.
    public init(_ names: [String]) {
        self.names = names
        places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    func place(of name: String) -> Int? { places[name] }

    public static func == (one: Columns, other: Columns) -> Bool { one === other || one.names == other.names }

    public func hash(into hasher: inout Hasher) { hasher.combine(names) }
}
