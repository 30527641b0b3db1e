// SPDX-License-Identifier: Apache-2.0

/// A page that says one thing: an error, or that something is done.
struct MessagePage {
    let words: Words
    let heading: String
    let sentence: String

    private init(_ words: Words, _ heading: String, _ sentence: String) {
        self.words = words
        self.heading = heading
        self.sentence = sentence
    }

    static func notFound(_ words: Words) -> MessagePage { MessagePage(words, words.notFoundTitle, words.notFoundText) }
    static func forbidden(_ words: Words, needs right: Right) -> MessagePage {
        MessagePage(words, words.forbiddenTitle, words.forbiddenText(right.roles))
    }
    static func forged(_ words: Words) -> MessagePage { MessagePage(words, words.forgedTitle, words.forgedText) }
    /// - Parameter most: bytes.
    static func tooLarge(_ words: Words, most: Int) -> MessagePage {
        MessagePage(words, words.tooLargeTitle, words.tooLargeText(most / 1024))
    }
    static func tooManyFields(_ words: Words, most: Int) -> MessagePage {
        MessagePage(words, words.tooLargeTitle, words.tooManyFieldsText(most))
    }
    /// - Parameter most: bytes.
    static func tooLongDraft(_ words: Words, most: Int) -> MessagePage {
        MessagePage(words, words.tooLargeTitle, words.tooLongDraftText(most / 1024))
    }
    static func tooManyValues(_ words: Words, most: Int) -> MessagePage {
        MessagePage(words, words.tooLargeTitle, words.tooManyValuesText(most))
    }
    static func unreadable(_ words: Words) -> MessagePage { MessagePage(words, words.unreadableTitle, words.unreadableText) }
    /// A value that no form and no link of the console has.
    static func refused(_ words: Words) -> MessagePage { MessagePage(words, words.refusedTitle, words.refusedText) }
    static func busy(_ words: Words) -> MessagePage { MessagePage(words, words.busyTitle, words.busyText) }
    static func failed(_ words: Words, request id: String) -> MessagePage {
        MessagePage(words, words.failedTitle, words.failedText(id))
    }

    var html: HTML {
        Card(words: words, address: "/console", heading: heading).html {
            p { sentence }
            p { a(.class("button"), .href(Place("/console"))) { words.back } }
        }
    }
}

/// A page without sections: one card in the middle.
struct Card {
    let words: Words
    let address: String
    let heading: String

    func html(@HTMLBuilder content: () -> HTML) -> HTML {
        document(words.language) {
            Head.html(heading + " · Landfall")
            body(.class("alone")) {
                main(.id("content")) {
                    p(.class("brand")) { Head.mark; span { "Landfall" } }
                    h1 { heading }
                    content()
                }
                Head.languages(words.language, address: address)
            }
        }
    }
}
