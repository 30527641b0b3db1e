// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VirtualWorlds

@Suite("Links that others wrap, and codes that people type", .timeLimit(.minutes(1)))
struct WrapperHostTests {
    @Test("A wrapper forwards the parameters of a link, or drops them")
    func targets() {
        #expect(WrapperHost.target(of: "/f/beach?lf_tap=1") == "https://brandname.go.link/beach?lf_tap=1")
        #expect(WrapperHost.target(of: "/s/beach?lf_tap=1") == "https://brandname.go.link/beach")
        #expect(WrapperHost.target(of: "/other") == nil)
    }

    @Test("L11: a wrapper that is sent who the phone is is found", arguments: ["Authorization", "landfall-profile", "Cookie"])
    func identified(field: String) {
        #expect(WrapperHost.breaches(["accept": "*/*"]).isEmpty)
        #expect(WrapperHost.breaches([field: "x"]).map(\.guarantee) == ["L11"])
    }

    @Test("However a code is typed, its letters and digits stay", arguments: UInt64(0)..<20)
    func typed(seed: UInt64) {
        let typed = "ABCD-EFGH-2345".typed(Dice(seed: seed))

        #expect(typed.uppercased().filter { $0.isLetter || $0.isNumber } == "ABCDEFGH2345")
    }

    @Test("A page's code is handed over for an hour, a page's link for longer")
    func pages() throws {
        let code = try #require(LinkHandover(page: #"<p class="code" dir="ltr">ABCD-EFGH-2345</p>"#, at: .seconds(10)))
        let link = try #require(LinkHandover(page: #"<b>https://brandname.go.link/welcome?lf_token=abc</b>"#))

        #expect(code.isCode && !code.mayHaveExpired(at: .seconds(3_000)) && code.mayHaveExpired(at: .seconds(3_600)))
        #expect(!link.isCode && !link.mayHaveExpired(at: .seconds(90_000)))
        #expect(LinkHandover(page: "<p>nothing</p>") == nil)
    }
}
