// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import NIOHTTP1
import Testing

@testable import LandfallCommand
@testable import LandfallNode
@testable import LandfallServer

#if HTTPS


/// The checks themselves: script/check doctor, behind a real proxy.
@Suite("What landfall doctor reads from outside", .timeLimit(.minutes(1)))
struct OutsideTests {
    @Test(
        "A name of a certificate stands for a host, and a star for one label",
        arguments: [
            ("go.example.com", "go.example.com", true), ("GO.example.com", "go.EXAMPLE.com", true), ("go.example.com", "*.example.com", true),
            ("a.go.example.com", "*.example.com", false), ("example.com", "*.example.com", false), ("go.example.com", "example.com", false),
            ("go.example.com", "*", false), ("localhost", "*.localhost", false),
        ])
    func names(host: String, pattern: String, matches: Bool) {
        #expect(HostName.matches(host, pattern: pattern) == matches)
    }

    @Test(
        "A host can be put somewhere else",
        arguments: [
            ("go.example.com=127.0.0.1", "127.0.0.1", nil), ("Go.example.com=10.0.0.1:8443", "10.0.0.1", 8443),
            ("go.example.com=[::1]:443", "::1", 443), ("go.example.com=[::1]", "::1", nil),
        ] as [(String, String, Int?)])
    func resolved(text: String, address: String, port: Int?) throws {
        let override = try #require(Resolution.Override(text))

        #expect(override.host == "go.example.com")
        #expect(override.address == address)
        #expect(override.port == port)
    }

    @Test("and nowhere else", arguments: ["", "go.example.com", "=127.0.0.1", "a=b", "a=127.0.0.1:0", "a=127.0.0.1:70000", "a=127.0.0.1:", "a=[::1"])
    func unresolved(text: String) {
        #expect(Resolution.Override(text) == nil)
    }

    @Test("The date of an answer is read; other texts are refused")
    func dates() {
        #expect(HTTPDateText.date("Sun, 22 Nov 2026 15:04:05 GMT") == Date(timeIntervalSince1970: 1_795_359_845))
        #expect(HTTPDateText.date("Sun, 22 Nov 2026 15:04:05 CET") == nil)
        #expect(HTTPDateText.date("yesterday") == nil)
    }

    @Test("The apps of an association file are read in both forms; another file has no apps")
    func apps() {
        let file = #"{"applinks":{"details":[{"appIDs":["A.b","A.c"]},{"appID":"A.d"},{}]}}"#

        #expect(AssociationReader.appIDs(Array(file.utf8)) == ["A.b", "A.c", "A.d"])
        #expect(AssociationReader.appIDs(Array("<html>".utf8)) == [])
        #expect(AssociationReader.appClips(Array(file.utf8)) == [])
        #expect(AssociationReader.appClips(Array(#"{"appclips":{"apps":["A.b.Clip"]}}"#.utf8)) == ["A.b.Clip"])
    }

    @Test(
        "Apple's CDN has to name the app, and each App Clip of the configuration",
        arguments: [
            (#"{"applinks":{"details":[{"appIDs":["TEAM.b"]}]},"appclips":{"apps":["TEAM.b.Clip"]}}"#, ["TEAM.b.Clip"], true, "names TEAM.b and TEAM.b.Clip for"),
            (#"{"applinks":{"details":[{"appIDs":["TEAM.b"]}]}}"#, ["TEAM.b.Clip"], false, "without the App Clip TEAM.b.Clip."),
            (#"{"applinks":{"details":[{"appIDs":["TEAM.b"]}]},"appclips":{"apps":["TEAM.b.Clip"]}}"#, ["TEAM.b.Clip", "TEAM.b.Other"], false, "without the App Clip TEAM.b.Other."),
            (#"{"applinks":{"details":[{"appIDs":["TEAM.b"]}]}}"#, nil, true, "names TEAM.b for"),
            (#"{"appclips":{"apps":["TEAM.b.Clip"]}}"#, ["TEAM.b.Clip"], false, "without TEAM.b."),
        ] as [(String, [String]?, Bool, String)])
    func cdn(file: String, clips: [String]?, isGood: Bool, text: String) throws {
        var subject = try WireCoding.decode(
            DoctorSubject.self,
            from: Data(
                #"{"brandHosts":["go.example.com"],"universalHosts":[],"apiHosts":[],"appID":"TEAM.b","endingKeys":[],"asksAppleAds":true,"paywalls":{}}"#.utf8))
        subject.appClips = clips
        let apple = AppleExamination(subject: subject, serviceURL: "", resolution: Resolution(overrides: []), trusted: [])
        let answer = PublicConnection.Answer(
            status: 200, headers: HTTPHeaders(), body: Array(file.utf8), arrivals: [], firstByte: .zero, certificate: nil)

        let finding = apple.cdn("go.example.com", says: answer)

        #expect(finding.ok == isGood)
        #expect(finding.message.contains(text), "\(finding.message)")
        #expect((finding.fix == nil) == isGood)
    }
}
#endif
