// SPDX-License-Identifier: Apache-2.0

/// A form that carries more than one may. Nothing of it is done.
enum FormExcess: Error, Hashable {
    /// Of a configuration, with those that aliases repeat: reading takes as long as there are values, however short the text is.
    static let mostValues = 100_000

    /// The longest text of a configuration, in bytes. Longer texts are published by a command.
    static let longestDraft = 1024 * 1024

    case fields, draftBytes, draftValues

    func page(_ words: Words) -> MessagePage {
        switch self {
        case .fields: .tooManyFields(words, most: ConsoleCall.mostFields)
        case .draftBytes: .tooLongDraft(words, most: Self.longestDraft)
        case .draftValues: .tooManyValues(words, most: Self.mostValues)
        }
    }
}
