// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallStore

/// One unbroken stream of a store: whole copies, and segments with what was committed since. A new one begins with each start of a server.
package struct StreamGeneration: Hashable, Sendable {
    package static let beginning = "stream-"

    /// Tells stores apart.
    package let store: String
    /// When it began, in Unix milliseconds; greater than that of every other generation in the place.
    package let beganAtMs: Int64

    package init(store: String, beganAtMs: Int64) { (self.store, self.beganAtMs) = (store, beganAtMs) }

    /// - Parameter id: of a store.
    package static func mark(ofStore id: String) -> String { String(Array(SHA256.hash(data: Data(id.utf8))).hexadecimal.prefix(8)) }

    /// The name of its folder, such as `stream-3f9c01ab-1796050862123`.
    package var name: String { "\(Self.beginning)\(store)-\(Self.padded(beganAtMs, 13))" }

    fileprivate static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
}

/// A file of a stream.
package struct StreamFile: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The whole store as it is behind the segment of this number.
        case copy(atMs: Int64)
        case segment
    }

    package let generation: StreamGeneration
    package let number: Int64
    package let kind: Kind

    package init(_ generation: StreamGeneration, _ number: Int64, _ kind: Kind) { (self.generation, self.number, self.kind) = (generation, number, kind) }

    /// Below the place, such as `stream-3f9c01ab-1796050862123/0000000007.segment`.
    package var name: String {
        let start = "\(generation.name)/\(StreamGeneration.padded(number, 10))"
        return switch kind {
        case .copy(let atMs): "\(start)-\(StreamGeneration.padded(atMs, 13)).sqlite"
        case .segment: "\(start).segment"
        }
    }

    /// Nil for every name that no stream gives: such files are nobody's to delete.
    package init?(_ name: String) {
        guard let parts = name.wholeMatch(of: /stream-([0-9a-f]{8})-([0-9]{13})\/([0-9]{10})(?:\.segment|-([0-9]{13})\.sqlite)/), let began = Int64(parts.2),
            let number = Int64(parts.3)
        else { return nil }
        let kind: Kind = if let time = parts.4.flatMap({ Int64($0) }) { .copy(atMs: time) } else { .segment }
        self.init(StreamGeneration(store: String(parts.1), beganAtMs: began), number, kind)
    }
}

/// What a place has of streams.
package struct StreamListing: Hashable, Sendable {
    private let files: [StreamFile]

    package init(_ files: [StreamFile]) { self.files = files }

    /// The stores that have streams in the place.
    package var stores: Set<String> { Set(files.map(\.generation.store)) }

    /// When the newest generation began; nil if there is none.
    package var newestMs: Int64? { files.map(\.generation.beganAtMs).max() }

    /// Whole copies, the newest first.
    package var copies: [StreamFile] {
        files.filter { $0.kind != .segment }.sorted { ($0.generation.beganAtMs, $0.number) > ($1.generation.beganAtMs, $1.number) }
    }

    /// The greatest number of a segment; 0 if there is none.
    package func newestSegment(of generation: StreamGeneration) -> Int64 {
        files.filter { $0.generation == generation && $0.kind == .segment }.map(\.number).max() ?? 0
    }

    /// What a restore from one of the newest whole copies does not need.
    /// - Parameters:
    ///   - count: of these copies.
    ///   - own: the generation that is under way.
    func superfluous(keeping count: Int, own: StreamGeneration) -> [StreamFile] {
        let kept = copies.prefix(count)
        guard let oldest = kept.last, kept.count == count else { return [] }
        let needed = Set(kept.map(\.generation)).union([own])
        return files.filter { file in
            if file.generation.store != own.store || file.generation.beganAtMs > own.beganAtMs { return false }
            guard file.generation == oldest.generation else { return !needed.contains(file.generation) }
            return file.number < oldest.number || file.number == oldest.number && file.kind == .segment
        }
    }
}
