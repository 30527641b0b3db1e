// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A line of the audit log", .timeLimit(.minutes(1)))
struct AuditLineTests {
    private func link(_ path: String) throws -> StoredLink {
        StoredLink(host: "go.example.com", path: try LinkPath(path), destination: "https://example.com/")
    }

    @Test("It names the first of several links, and how many more there are")
    func links() throws {
        let links = try ["/a", "/b", "/c"].map(link)
        #expect(AuditLine.subject(of: Array(links.prefix(1))) == "https://go.example.com/a")
        #expect(AuditLine.subject(of: links) == "https://go.example.com/a +2")
        #expect(AuditLine.subject(of: []) == "")
    }

    @Test("Its subject has at most 500 bytes, and no half character", arguments: ["a", "é", "字"])
    func length(of character: String) throws {
        let line = AuditLine(action: .linkMade, member: nil, subject: String(repeating: character, count: 600), network: nil)
        guard case .text(let subject) = line.insertion(into: AppID("app"), id: "1", nowMs: 0).values[5] else {
            Issue.record("The subject is not a text."); return
        }
        #expect((498...500).contains(subject.utf8.count) && subject.allSatisfy { String($0) == character })
    }

    @Test("About a version it has the number that the version got, and what the author wrote", arguments: [("", "7"), ("June", "7: June")])
    func version(message: String, subject: String) throws {
        let line = AuditLine(action: .versionPublished, member: "a@example.com", subject: message, network: nil)
        let statements = line.insertion(into: AppID("app"), nowMs: 0)(7)
        #expect(statements.map { $0.values[5] } == [.text(subject)])
    }
}
