// SPDX-License-Identifier: Apache-2.0

/// Finds any of some lower-case ASCII words in a user agent, in one pass over its bytes. Every click looks for about a hundred
/// words; with `String.contains` for each, that was 60 % of a redirect's time.
package struct AgentWords: Sendable {
    /// By the first byte of the word.
    private let words: [[[UInt8]]]

    package init(_ words: [String]) {
        var table = [[[UInt8]]](repeating: [], count: 256)
        for word in words {
            let bytes = Array(word.utf8)
            if let first = bytes.first { table[Int(first)].append(bytes) }
        }
        self.words = table
    }

    package func occur(in agent: [UInt8]) -> Bool { occur(in: agent) { _ in true } }

    /// - Parameter counts: whether a word at this place counts.
    func occur(in agent: [UInt8], where counts: (Range<Int>) -> Bool) -> Bool {
        agent.withUnsafeBufferPointer { agent in
            for start in agent.indices {
                for word in words[Int(agent[start])] where Self.stands(word, at: start, of: agent) {
                    if counts(start..<start + word.count) { return true }
                }
            }
            return false
        }
    }

    /// True if one of the words is at this place.
    func stand(at start: Int, of agent: [UInt8]) -> Bool {
        guard agent.indices.contains(start) else { return false }
        return agent.withUnsafeBufferPointer { agent in
            words[Int(agent[start])].contains { Self.stands($0, at: start, of: agent) }
        }
    }

    private static func stands(_ word: [UInt8], at start: Int, of agent: UnsafeBufferPointer<UInt8>) -> Bool {
        word.count <= agent.count - start && word.indices.allSatisfy { word[$0] == agent[start + $0] }
    }
}
