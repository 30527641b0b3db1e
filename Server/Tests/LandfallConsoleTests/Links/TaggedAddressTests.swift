// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("UTM parameters of a destination", .timeLimit(.minutes(1)))
struct TaggedAddressTests {
    @Test(
        "Setting one leaves it once, and every other byte as it was",
        arguments: [
            ("https://example.com/a", "utm_source", "news", "https://example.com/a?utm_source=news"),
            ("https://example.com/a?", "utm_source", "news", "https://example.com/a?utm_source=news"),
            (
                "https://example.com/a?b=1&UTM_Source=x&c=%20+#d?e", "utm_source", "summer sale",
                "https://example.com/a?b=1&c=%20+&utm_source=summer%20sale#d?e"
            ),
            ("https://example.com/?utm_source=a&utm%5fsource=b", "utm_source", "", "https://example.com/"),
            ("https://example.com/#?utm_source=a", "utm_source", "b", "https://example.com/?utm_source=b#?utm_source=a"),
            ("example://x?a?b", "utm_term", "大阪&", "example://x?a?b&utm_term=%E5%A4%A7%E9%98%AA%26"),
        ])
    func set(text: String, name: String, value: String, expected: String) {
        var address = TaggedAddress(text)

        address[name] = value

        #expect(address.text == expected && TaggedAddress(expected)[name] == value)
    }

    @Test("An address that is not changed stays as it is", arguments: ["", "?", "#", "https://example.com/?&&a==&#b#?c", "大阪?\u{301}=1&b"])
    func same(text: String) {
        #expect(TaggedAddress(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(
        "The first one is read as a form reads it, or as it is written where a form could not bring it back",
        arguments: [
            ("?utm_source=a+b%21&utm_source=c", "a b!"), ("?utm_source", ""), ("?utm_source=", ""), ("?utm_source=a=b", "a=b"),
            ("?utm_source=%00", "%00"), ("?utm_source=%zz", "%zz"), ("?utm_sources=a", ""), ("#?utm_source=a", ""),
        ])
    func read(text: String, value: String) {
        #expect(TaggedAddress("https://example.com/" + text)["utm_source"] == value)
    }

    @Test(
        "A field that is not as it was shown writes the destination; the others follow what is typed there",
        arguments: [
            // Typed into the field, with and without a value there.
            ("https://example.com/", "https://example.com/", "news", "https://example.com/?utm_source=news"),
            ("https://example.com/?utm_source=a", "https://example.com/?utm_source=a", "news", "https://example.com/?utm_source=news"),
            // Emptied.
            ("https://example.com/?utm_source=a", "https://example.com/?utm_source=a", "", "https://example.com/"),
            // Typed into the destination, changed there, removed there.
            ("https://example.com/", "https://example.com/?utm_source=b", "", "https://example.com/?utm_source=b"),
            ("https://example.com/?utm_source=a", "https://example.com/?utm_source=b", "a", "https://example.com/?utm_source=b"),
            ("https://example.com/?utm_source=a", "https://example.com/", "a", "https://example.com/"),
            // In both, the same: nothing is doubled.
            ("", "https://example.com/?utm_source=a%20b", "a b", "https://example.com/?utm_source=a%20b"),
        ])
    func taken(shown: String, to: String, field: String, expected: String) {
        var draft = LinkDraft()
        draft.to = to

        draft.take(tags: ["utm_source": field], shown: shown)

        #expect(draft.to == expected && draft.tag("utm_source") == TaggedAddress(expected)["utm_source"])
    }

    @Test("Fields that were filled first wait for the destination")
    func waiting() {
        var draft = LinkDraft()
        draft.take(tags: ["utm_source": "news", "utm_term": ""], shown: "")
        #expect(draft.to.isEmpty && draft.tag("utm_source") == "news" && draft.waitingTags.count == 1)

        var next = LinkDraft()
        next.to = "https://example.com/"
        next.take(tags: ["utm_source": draft.tag("utm_source")], shown: draft.to)

        #expect(next.to == "https://example.com/?utm_source=news" && next.waitingTags.isEmpty)
    }
}
