// SPDX-License-Identifier: Apache-2.0

/// What rows can be split by.
struct RowSplit<Field: Equatable> {
    private let choices: [[Field]]
    private let fields: [Field]

    /// - Parameters:
    ///   - choices: what every such page offers.
    ///   - fields: what the rows are split by now: a choice too, if there are any.
    init(_ choices: [[Field]], _ fields: [Field]) {
        self.choices = choices.contains(fields) || fields.isEmpty ? choices : choices + [fields]
        self.fields = fields
    }

    func html(_ words: Words, name: ([Field]) -> String, place: ([Field]) -> Place) -> HTML {
        nav(.class("choices"), .label(words.splitBy)) {
            for choice in choices {
                a(.href(place(choice)), .optional("aria-current", choice == fields ? "true" : nil)) { name(choice) }
            }
        }
    }
}
