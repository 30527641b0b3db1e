// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("What a configuration promises to the outside", .timeLimit(.minutes(1)))
struct DoctorSubjectTests {
    @Test("is its hosts, its app, its keys and what everyone sees in every locale")
    func subject() throws {
        let configuration = try Configuration(
            yaml: Sample.base
                .replacing("  id: sample", with: "  id: sample\n  teamId: ABCDE12345")
                .replacing("  - sdk: pk_sample", with: "  - { sdk: pk_old, expires: 2020-01-01 }\n  - { sdk: pk_new, expires: 2100-01-01 }")
                .replacing("default: { products: [yearly] }", with: "default: { defaultLocale: ja, remoteConfig: { en: 1, ja: 2 } }")
                + "domains: { brand: [Go.example.com], universal: [example.com], api: [api.example.com] }\n")

        let subject = DoctorSubject(configuration, revision: 3, nowMs: 1_800_000_000_000)

        #expect((subject.brandHosts, subject.universalHosts, subject.apiHosts) == (["go.example.com"], ["example.com"], ["api.example.com"]))
        #expect(subject.appID == "ABCDE12345.com.example.sample")
        #expect(subject.sdkKey == "pk_new")
        #expect(subject.endingKeys.map(\.name) == ["pk_old", "pk_new"])
        #expect(subject.paywalls["home"]?.first?.remoteConfig?.locale == "ja")
        #expect(Set(subject.paywalls["home"]?.compactMap { $0.remoteConfig?.locale } ?? []) == ["en", "ja"])
        let read = try WireCoding.decode(DoctorSubject.self, from: WireCoding.encode(subject))
        #expect(read == subject)
    }
}
