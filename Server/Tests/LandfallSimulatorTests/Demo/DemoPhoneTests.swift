// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("The demo's phones", .timeLimit(.minutes(1)))
struct DemoPhoneTests {
    @Test("have tokens that Apple's simulator accepts, all different")
    func tokens() {
        let tokens = DemoPhone.cast.flatMap { phone in [1, 2].map { phone.token(launch: $0, run: "r") } }

        #expect(tokens.allSatisfy { SimulatedToken($0) != nil })
        #expect(Set(tokens).count == tokens.count)
    }

    @Test("have names that fit the chart and can name their folders")
    func names() {
        let names = DemoPhone.cast.map(\.name)

        #expect(names.allSatisfy { $0.count <= 19 })
        #expect(Set(names.map { $0.filter(\.isLetter) }).count == names.count)
    }
}
