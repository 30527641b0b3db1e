// SPDX-License-Identifier: Apache-2.0

/// A published version in a list.
struct VersionLine: Hashable, Sendable {
    let number: Int64
    let publishedAtMs: Int64
    let author: String
    let message: String
    /// The newest one, which phones get.
    let isLive: Bool
}

/// A version that is to be published later, or was to be.
struct ScheduledLine: Hashable, Sendable {
    enum State: Hashable, Sendable { case waiting, failed, cancelled }

    let id: String
    let atMs: Int64
    let author: String
    let message: String
    let state: State
    /// Why it failed.
    let reason: String?
}

/// What two texts say differently.
struct ChangeList: Hashable, Sendable {
    /// Of the server, in English.
    let sentences: [String]
    /// Of each sentence; nil where only the sentence tells the change.
    let meanings: [ChangeMeaning?]
    /// How many more there are.
    let leftOut: Int
    /// False if one of the texts is no YAML: then only its lines can be compared.
    let isReadable: Bool

    init(sentences: [String], meanings: [ChangeMeaning?] = [], leftOut: Int, isReadable: Bool = true) {
        self.sentences = sentences
        self.meanings = meanings.count == sentences.count ? meanings : sentences.map { _ in nil }
        self.leftOut = leftOut
        self.isReadable = isReadable
    }
}

/// The lines that two texts do not share, with some lines around them.
struct LineChanges: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case same, added, removed }

    struct Line: Hashable, Sendable {
        let kind: Kind
        let text: String

        init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// Lines that follow each other. Numbers count from 1.
    struct Hunk: Hashable, Sendable {
        let oldStart: Int
        let newStart: Int
        var lines: [Line]

        init(oldStart: Int, newStart: Int, lines: [Line] = []) {
            self.oldStart = oldStart
            self.newStart = newStart
            self.lines = lines
        }
    }

    let hunks: [Hunk]
    let added: Int
    let removed: Int
    /// How many added and removed lines are not in the hunks.
    let leftOut: Int
}

/// What is wrong in a text, or allowed and probably not meant.
struct TextRemark: Hashable, Sendable {
    let line: Int
    let column: Int
    /// In English, as `landfall check` says it.
    let sentence: String
    /// The text of that line.
    let excerpt: String
}

/// Who would see another paywall, by a sample of the stored installs.
struct ImpactSample: Hashable, Sendable {
    struct Line: Hashable, Sendable {
        let placement: String
        let changed: Int64
        let share: Double
        let low: Double
        let high: Double
    }

    let sampled: Int64
    let lines: [Line]
}

/// A text on its way to a version, as the form carries it between the steps.
struct DraftText: Hashable, Sendable {
    var text: String
    /// The version that it was made from; 0 if the store is empty.
    var base: Int64
    /// Why, in the author's words.
    var message: String
}
