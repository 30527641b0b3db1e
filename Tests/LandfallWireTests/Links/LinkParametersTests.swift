// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("A link's tracking parameters", .timeLimit(.minutes(1)))
struct LinkParametersTests {
    @Test("Tracker, campaign, ad group and creative are found; other parameters are not tracking")
    func named() throws {
        let link = try LinkAddress(
            "AdjustTests://example.com/path/inApp?adjust_tracker=trackerValue&other=stuff&adjust_campaign=campaignValue"
                + "&adjust_adgroup=adgroupValue&adjust_creative=creativeValue")

        let parameters = try LinkParameters(link)

        #expect(parameters.tracker == "trackerValue")
        #expect(parameters.campaign == "campaignValue")
        #expect(parameters.adGroup == "adgroupValue")
        #expect(parameters.creative == "creativeValue")
        #expect(parameters.others.isEmpty)
    }

    @Test(
        "Every other parameter with the prefix is kept by its name, and only with a value",
        arguments: [
            ("adjust_foo=bar&other=stuff&adjust_key=value", ["foo": "bar", "key": "value"]),
            ("adjust_foo", [:]), ("adjust_=bar", [:]), ("adjust_foo=", [:]), ("adjust_foo=a=b", ["foo": "a=b"]),
            ("adjust_foo=a&adjust_foo=b", ["foo": "a"]), ("adj_foo=a&lf_foo=b", ["foo": "b"]), ("adjustfoo=a", [:]),
            ("ADJUST_foo=a", ["foo": "a"]), ("%61dj_foo=a%20b", ["foo": "a b"]),
            ("a=1?adj_foo=b", ["foo": "b"]), ("adj_\u{301}foo=b", ["\u{301}foo": "b"]),
        ])
    func others(query: String, others: [String: String]) throws {
        let link = try LinkAddress("AdjustTests://example.com/path/inApp?" + query)

        #expect(try LinkParameters(link).others == others)
    }

    @Test("A link without parameters has none", arguments: ["AdjustTests://", "AdjustTests:", "https://example.com/?a=b"])
    func empty(text: String) throws {
        #expect(try LinkParameters(try LinkAddress(text)).isEmpty)
    }

    @Test(
        "Each generation of names means the same",
        arguments: ["lf", "adj", "adjust"])
    func generations(prefix: String) throws {
        let names = [
            "t", "campaign", "adgroup", "creative", "label", "deep_link", "fallback", "redirect", "redirect_macos",
        ]
        let link = try LinkAddress("https://a.go.link/?" + names.map { "\(prefix)_\($0)=\($0)" }.joined(separator: "&"))

        let found = try LinkParameters(link)

        let values = [
            found.tracker, found.campaign, found.adGroup, found.creative, found.label, found.deepLink, found.fallback,
            found.redirect, found.redirectMacOS,
        ]
        #expect(values == names)
        #expect(found.others.isEmpty)
    }

    @Test("A plus sign in a label is a space, as forms write it; in an address it stays")
    func plus() throws {
        let found = try LinkParameters(
            try LinkAddress("x://?lf_t=a+b&lf_campaign=summer+sale&adj_label=1%2B1&lf_foo=+&lf_deep_link=x://?q=a+b&lf_redirect=h%2B+"))

        #expect([found.tracker, found.campaign, found.label, found.others["foo"]] == ["a b", "summer sale", "1+1", " "])
        #expect([found.deepLink, found.redirect] == ["x://?q=a+b", "h++"])
    }

    @Test("Of several with the same meaning, ours win, and the first over later ones")
    func precedence() throws {
        let link = try LinkAddress("x://?adjust_t=3&adj_t=2&lf_tracker=1&lf_t=0&adj_campaign=a&adj_campaign=b")

        let found = try LinkParameters(link)

        #expect(found.tracker == "1")
        #expect(found.campaign == "a")
    }
}
