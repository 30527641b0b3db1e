// SPDX-License-Identifier: Apache-2.0
/// Finds the word that the author probably meant.
package enum Suggestion {
    /// ` Did you mean 'x'?`, or the list of known words; empty if there are none.
    package static func sentence(for word: String, among known: some Sequence<String>) -> String {
        let known = known.sorted()
        if let near = nearest(to: word, among: known) { return " Did you mean '\(near)'?" }
        guard !known.isEmpty else { return "" }
        let listed = known.prefix(30).map { "'\($0)'" }.joined(separator: ", ")
        return known.count > 30 ? " Known are \(listed) and others." : " Known: \(listed)."
    }

    /// The closest word by edits, at most a third of its length away; else one that contains the word or is in it. Looks at
    /// no more than 200 known words.
    package static func nearest(to word: String, among known: [String]) -> String? {
        guard (1...64).contains(word.utf8.count) else { return nil }
        let known = known.lazy.filter { $0.utf8.count <= 64 }.prefix(200)
        let wanted = Array(word.lowercased().utf8)
        let ranked = known.map { (word: $0, edits: edits(wanted, Array($0.lowercased().utf8))) }
        if let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= max(1, best.word.count / 3) { return best.word }
        guard wanted.count > 2 else { return nil }
        return known.first {
            $0.lowercased().contains(word.lowercased()) || $0.count > 2 && word.lowercased().contains($0.lowercased())
        }
    }

    /// Insertions, deletions and replacements that turn one into the other.
    private static func edits(_ from: [UInt8], _ to: [UInt8]) -> Int {
        var row = Array(0...to.count)
        for (index, byte) in from.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in to.indices {
                let replaced = diagonal + (to[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[to.count]
    }
}
