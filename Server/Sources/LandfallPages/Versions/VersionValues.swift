// SPDX-License-Identifier: Apache-2.0

/// A published version in a list.
package struct VersionLine: Hashable, Sendable {
    package let number: Int64
    package let publishedAtMs: Int64
    package let author: String
    package let message: String
    /// The newest one, which phones get.
    package let isLive: Bool

    package init(number: Int64, publishedAtMs: Int64, author: String, message: String, isLive: Bool) {
        self.number = number
        self.publishedAtMs = publishedAtMs
        self.author = author
        self.message = message
        self.isLive = isLive
    }
}

/// A version that is to be published later, or was to be.
package struct ScheduledLine: Hashable, Sendable {
    package enum State: Hashable, Sendable { case waiting, failed, cancelled }

    package let id: String
    package let atMs: Int64
    package let author: String
    package let message: String
    package let state: State
    /// Why it failed.
    package let reason: String?

    package init(id: String, atMs: Int64, author: String, message: String, state: State, reason: String?) {
        self.id = id
        self.atMs = atMs
        self.author = author
        self.message = message
        self.state = state
        self.reason = reason
    }
}

/// What two texts say differently.
package struct ChangeList: Hashable, Sendable {
    /// Of the server, in English.
    package let sentences: [String]
    /// Of each sentence; nil where only the sentence tells the change.
    package let meanings: [ChangeMeaning?]
    /// How many more there are.
    package let leftOut: Int
    /// False if one of the texts is no YAML: then only its lines can be compared.
    package let isReadable: Bool

    package init(sentences: [String], meanings: [ChangeMeaning?] = [], leftOut: Int, isReadable: Bool = true) {
        self.sentences = sentences
        self.meanings = meanings.count == sentences.count ? meanings : sentences.map { _ in nil }
        self.leftOut = leftOut
        self.isReadable = isReadable
    }
}

/// The lines that two texts do not share, with some lines around them.
package struct LineChanges: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case same, added, removed }

    package struct Line: Hashable, Sendable {
        package let kind: Kind
        package let text: String

        package init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// Lines that follow each other. Numbers count from 1.
    package struct Hunk: Hashable, Sendable {
        package let oldStart: Int
        package let newStart: Int
        package var lines: [Line]

        package init(oldStart: Int, newStart: Int, lines: [Line] = []) {
            self.oldStart = oldStart
            self.newStart = newStart
            self.lines = lines
        }
    }

    package let hunks: [Hunk]
    package let added: Int
    package let removed: Int
    /// How many added and removed lines are not in the hunks.
    package let leftOut: Int

    package init(hunks: [Hunk], added: Int, removed: Int, leftOut: Int) {
        self.hunks = hunks
        self.added = added
        self.removed = removed
        self.leftOut = leftOut
    }
}

/// What is wrong in a text, or allowed and probably not meant.
package struct TextRemark: Hashable, Sendable {
    package let line: Int
    package let column: Int
    /// In English, as `landfall check` says it.
    package let sentence: String
    /// The text of that line.
    package let excerpt: String

    package init(line: Int, column: Int, sentence: String, excerpt: String) {
        self.line = line
        self.column = column
        self.sentence = sentence
        self.excerpt = excerpt
    }
}

/// Who would see another paywall, by a sample of the stored installs.
package struct ImpactSample: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        package let placement: String
        package let changed: Int64
        package let share: Double
        package let low: Double
        package let high: Double

        package init(placement: String, changed: Int64, share: Double, low: Double, high: Double) {
            self.placement = placement
            self.changed = changed
            self.share = share
            self.low = low
            self.high = high
        }
    }

    package let sampled: Int64
    package let lines: [Line]

    package init(sampled: Int64, lines: [Line]) {
        self.sampled = sampled
        self.lines = lines
    }
}

/// A text on its way to a version, as the form carries it between the steps.
package struct DraftText: Hashable, Sendable {
    package var text: String
    /// The version that it was made from; 0 if the store is empty.
    package var base: Int64
    /// Why, in the author's words.
    package var message: String

    package init(text: String, base: Int64, message: String) {
        self.text = text
        self.base = base
        self.message = message
    }
}
