// SPDX-License-Identifier: Apache-2.0
import Landfall
import Testing

@Suite("A forgotten person, over real HTTP", .serialized, .timeLimit(.minutes(1)))
struct ForgettingEndToEndTests {
    @Test("The phone is a different installation afterwards, in the same launch, and collects nothing")
    func forget() async throws {
        try await Site.run { site in
            let phone = TestPhone(site)
            let ids: (Profile?, Profile?) = try await phone.launch(token: "sim.attribution=true&campaignId=42") { client in
                _ = try await client.paywall(for: "onboarding", within: .seconds(10))
                let before = client.profile

                try await client.forget()
                for await profile in client.profiles where profile.installID != before?.installID {
                    return (before, profile)
                }
                return (before, before)
            }

            let (before, after) = ids
            #expect(before?.attribution.isPending == false)
            #expect(after?.installID != before?.installID)
            #expect(after?.id != before?.id)
            #expect(after.map { if case .attributed = $0.attribution { true } else { false } } == false)
        }
    }
}
