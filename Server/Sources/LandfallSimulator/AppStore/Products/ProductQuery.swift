// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A product id that orders nothing, with advice.
package struct SimulatedProductError: Error, Hashable, CustomStringConvertible {
    package let description: String
}

/// The query of a product id, read strictly: a typing error in a test must not make another life.
struct ProductQuery {
    private var values: [String: String] = [:]
    /// A word without a value, such as yearly in `sim.yearly&trial=7d`: it only makes the product another one.
    private var name: String?
    private var read: [String] = []

    init(_ id: String) throws(SimulatedProductError) {
        guard id.utf8.count <= 500 else { throw .init(description: "The product id has \(id.utf8.count) bytes; at most 500 are read.") }
        guard id.hasPrefix("sim."), let items = URLComponents(string: "?" + id.dropFirst(4))?.queryItems else {
            throw .init(description: "'\(id)' is not a simulated product. Write 'sim.' and a query, such as sim.trial=7d&renewals=3.")
        }
        for item in items where !item.name.isEmpty {
            guard values[item.name] == nil else { throw .init(description: "'\(item.name)' is there twice. Write it once.") }
            if item.value == nil, name == nil {
                name = item.name
                continue
            }
            guard let value = item.value, !value.isEmpty else {
                throw .init(description: "'\(item.name)' has no value. Write \(item.name)=VALUE.")
            }
            values[item.name] = value
        }
    }

    mutating func text(_ key: String) -> String? {
        read.append(key)
        return values[key]
    }

    mutating func period(_ key: String) throws(SimulatedProductError) -> SimulatedPeriod? {
        guard let text = text(key) else { return nil }
        guard let period = SimulatedPeriod(text) else {
            throw bad(key, text, "a length of at most 10 years such as 30s, 90min, 12h, 7d, 2w, 1mo or 1y")
        }
        return period
    }

    mutating func number(_ key: String, _ range: ClosedRange<Int64>) throws(SimulatedProductError) -> Int64? {
        guard let text = text(key) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw bad(key, text, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func count(_ key: String, _ range: ClosedRange<Int64>) throws(SimulatedProductError) -> Int? {
        try number(key, range).map { Int($0) }
    }

    mutating func flag(_ key: String) throws(SimulatedProductError) -> Bool? {
        guard let text = text(key) else { return nil }
        guard ["0", "1"].contains(text) else { throw bad(key, text, "1 or 0") }
        return text == "1"
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(_ key: String, _: Word.Type) throws(SimulatedProductError) -> Word?
    where Word.RawValue == String {
        guard let text = text(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw bad(key, text, Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    /// - Throws: if a key was not read, or is there without a value.
    func finish() throws(SimulatedProductError) {
        if let name, read.contains(name) { throw .init(description: "'\(name)' has no value. Write \(name)=VALUE.") }
        guard let unknown = values.keys.filter({ !read.contains($0) }).min() else { return }
        throw .init(description: "'\(unknown)' is not a key of simulated products. They are: \(read.sorted().joined(separator: ", ")).")
    }

    func bad(_ key: String, _ value: String, _ wanted: String) -> SimulatedProductError {
        .init(description: "'\(key)' is '\(value)'. Write \(wanted).")
    }
}
