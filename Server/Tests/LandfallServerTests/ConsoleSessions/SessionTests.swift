// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallServer

@Suite("Sessions and limits of the console", .timeLimit(.minutes(1)))
struct SessionTests {
    @Test("A token has 256 bits, is never printed, and its form token does not tell it")
    func token() {
        let token = SessionToken.drawn(), other = SessionToken.drawn()

        #expect(token.text.utf8.count == 43 && token != other)
        #expect("\(token)" == "SessionToken")
        #expect(token.formToken != other.formToken && !token.text.contains(token.formToken))
        #expect(SessionToken(token.text)?.hash == token.hash)
        for text in ["", "x", token.text + "a", token.text.dropLast() + " "] { #expect(SessionToken(text) == nil) }
    }

    @Test("Ten tries for an account, ten for a network; right ones do not count, and others are free")
    func limits() throws {
        let limits = SignInLimits(), maya = try #require(MemberEmail("maya@example.com"))
        let home = ClientNetwork(of: try #require(ClientAddress("192.0.2.7")))
        for number in 0..<10 { #expect(limits.take(try #require(MemberEmail("m\(number)@example.com")), from: home, nowMs: 0) == nil) }

        #expect(limits.take(maya, from: home, nowMs: 1) == 900)
        #expect(limits.take(maya, from: nil, nowMs: 1) == nil)
        for _ in 0..<20 {
            #expect(limits.take(maya, from: nil, nowMs: 2) == nil)
            limits.giveBack(maya, from: nil)
        }
        #expect(limits.take(maya, from: home, nowMs: SignInLimits.windowMs) == nil)
    }

    @Test("The audit log has at most 500 failures of a window one by one")
    func logged() {
        let limits = SignInLimits(), maya = MemberEmail(stored: "maya@example.com")
        _ = limits.take(maya, from: nil, nowMs: 0)

        #expect((0..<SignInLimits.mostLogged).allSatisfy { _ in limits.mayLog() })
        #expect(!limits.mayLog())
        _ = limits.take(maya, from: nil, nowMs: SignInLimits.windowMs)
        #expect(limits.mayLog())
    }

    @Test("A form is read as browsers write it; broken escapes, U+0000 and too many fields are refused")
    func forms() {
        #expect(FormText.fields("a=1&b=x+y%2Fz&a=2&c", most: 4) == ["a": "1", "b": "x y/z", "c": ""])
        #expect(FormText.fields("", most: 1) == [:])
        let marks = String(repeating: "%CC%80", count: 5_000)
        for text in [marks, "a=" + marks, "a=%", "a=%2", "a=%zz", "a=%00", "a=%ff", "a&b&c"] { #expect(FormText.fields(text, most: 2) == nil) }
    }
}
