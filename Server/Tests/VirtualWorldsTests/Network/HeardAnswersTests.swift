// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import VirtualWorlds

@Suite("Answers that the simulation reads itself", .timeLimit(.minutes(1)))
struct HeardAnswersTests {
    private let heard = HeardAnswers()
    private let exchange = VirtualExchange(1, PhoneClock(VirtualClock()), idleLimit: .seconds(15))

    private func answer() throws -> Data {
        try WireCoding.encode(
            PaywallAnswer(
                placement: "onboarding", locale: "en", kind: .default, audience: AudienceID("everyone"), revision: 1,
                profileId: nil, epoch: 0, profileVersion: 0, attributionVersion: 0, final: true,
                paywall: WirePaywall(name: PaywallID("default"), variationId: VariationID("default"))
            ))
    }

    @Test("A line of a stream counts when its last byte has arrived, wherever the bytes were split")
    func pieces() throws {
        let line = try answer() + Data("\n".utf8)

        for (index, byte) in line.enumerated() { heard.add(Data([byte]), of: exchange, at: .milliseconds(index)) }

        #expect(heard.answers.map(\.at) == [.milliseconds(line.count - 1)])
    }

    @Test("A plain answer counts when it is complete")
    func plain() throws {
        heard.add(try answer(), of: exchange, at: .seconds(1))
        #expect(heard.answers.isEmpty)

        heard.ended(exchange, at: .seconds(2))

        #expect(heard.answers.map(\.at) == [.seconds(2)])
    }
}
