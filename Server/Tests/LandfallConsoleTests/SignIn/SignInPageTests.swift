// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The pages before signing in", .timeLimit(.minutes(1)))
struct SignInPageTests {
    @Test("A problem stands at its field and above the form, and what was typed stays")
    func problems() {
        var page = JoinPage(words: Words(.english), reason: .setUp, token: "t", invitedEmail: nil)
        page.email = "no\"body"
        page.problems = [FieldProblem("email", "Enter it.")]

        let markup = page.html.markup

        #expect(markup.ranges(of: "Enter it.").count == 2)
        #expect(markup.contains("aria-describedby=\"email-problem\"") && markup.contains("value=\"no&quot;body\""))
    }

    @Test("A password is never written into a page, and may be pasted")
    func password() {
        let markup = SignInPage(words: Words(.japanese), next: "/console").html.markup

        #expect(markup.contains("type=\"password\" value=\"\" autocomplete=\"current-password\""))
        #expect(!markup.contains("onpaste"))
    }

    @Test("On plain http from elsewhere there is no form")
    func plain() {
        var page = SignInPage(words: Words(.english), next: nil)
        page.isSafe = false

        #expect(!page.html.markup.contains("<form"))
    }
}
