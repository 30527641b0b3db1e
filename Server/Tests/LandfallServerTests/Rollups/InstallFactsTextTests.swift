// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallReports

/// Days of earlier releases have texts of `Codable`: others would make every install look changed.
@Suite("The kept facts of an install") struct InstallFactsTextTests {
    typealias Facts = InstallProgress.Facts

    static let every: [Facts] = [
        Facts(
            acquisition: Array(repeating: nil, count: 7), market: [nil, nil, nil], origin: .unknown, isTest: false, isLate: false, shownDays: nil,
            firsts: [:], seenDays: nil),
        Facts(
            acquisition: ["apple_search_ads", nil, "summer \"1\"", "a/b", "", "\u{1F3D6}", "e\u{301}"], market: ["link", "JP", "ios"],
            origin: .attributed, isTest: true, isLate: true, shownDays: 0, firsts: ["trial_started": 3, "a": 181, "song_saved": 0],
            seenDays: [1, 3, 7, 30], isReinstall: true, link: "go.example.com/beach", isUnverified: true, appVersion: "2.10 \"β\""),
        Facts(
            acquisition: ["\n\t\u{7F}", "\\"], market: [], origin: .organic, isTest: false, isLate: false, shownDays: -1, firsts: ["b": -2],
            seenDays: [], isReinstall: false, link: "", isUnverified: false),
    ]

    @Test("have the same text as their Codable writes, and are read back from it", arguments: every)
    func text(_ facts: Facts) throws {
        #expect(facts.text == String(decoding: try WireCoding.encode(facts), as: UTF8.self))
        #expect(try Facts(facts.text) == facts)
    }
}
