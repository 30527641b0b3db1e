// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

@Suite("The file of the audit log", .timeLimit(.minutes(1)))
struct AuditFileWriterTests {
    @Test("A line is written 30 seconds after its change and not before, once, as an object with sorted keys")
    func settled() async throws {
        try await AuditedNode.run { node in
            var progress = try node.start()
            try await node.note("https://go.example.com/a", member: "maya@example.com", network: "192.0.2.0/24")
            let id = try await node.ids()[0]

            node.move(by: 30_000)
            await node.look(&progress)
            #expect(node.lines == [])

            node.move(by: 1)
            for _ in 0..<2 { await node.look(&progress) }
            #expect(
                node.lines == [
                    #"{"action":"link_made","at":"2026-09-21T14:13:20.000Z","id":"\#(id)","member":"maya@example.com","network":"192.0.2.0/24","subject":"https://go.example.com/a"}"#
                ])
            #expect(node.mode(of: "audit.log") == 0o600)
        }
    }

    @Test("A line without a member and a network leaves their keys out; a line break in it is escaped")
    func absent() async throws {
        try await AuditedNode.run { node in
            var progress = try node.start()
            try await node.note("a\nb")
            let id = try await node.ids()[0]
            await node.settle(&progress)

            #expect(node.lines == [#"{"action":"link_made","at":"2026-09-21T14:13:20.000Z","id":"\#(id)","subject":"a\nb"}"#])
        }
    }

    @Test("All lines are written in the order of their ids, more than one batch of them in one look")
    func order() async throws {
        try await AuditedNode.run { node in
            var progress = try node.start()
            for number in 0...AuditTail.most { try await node.note("\(number)", afterMs: Int64(AuditTail.most - number)) }
            await node.settle(&progress)

            #expect(node.subjects == (0...AuditTail.most).reversed().map { "\($0)" })
            let stored = try node.file.position(), newest = try await node.ids().last
            #expect(stored == newest)
        }
    }

    @Test("After a rename the lines go to a new file")
    func rotation() async throws {
        try await AuditedNode.run { node in
            var progress = try node.start()
            try await node.note("a")
            await node.settle(&progress)
            try FileManager.default.moveItem(at: node.place("audit.log"), to: node.place("audit.log.1"))
            try await node.note("b")
            await node.settle(&progress)

            #expect(node.subjects == ["b"])
            #expect(node.subjects(in: "audit.log.1") == ["a"])
        }
    }

    @Test("The first start writes no older line; a later start goes on after the last line that was written")
    func restart() async throws {
        try await AuditedNode.run { node in
            try await node.note("old")
            node.move(by: 60_000)
            var first = try node.start()
            try await node.note("a")
            await node.settle(&first)
            try await node.note("while it was away")
            node.move(by: 3_600_000)
            var second = try node.start()
            await node.look(&second)

            #expect(node.subjects == ["a", "while it was away"])
        }
    }

    @Test("A position that is not an id is said, and the file goes on with new lines", arguments: ["", "0199", "g0000000-0000-7000-8000-000000000000\n"])
    func torn(text: String) async throws {
        try await AuditedNode.run { node in
            try await node.note("old")
            try Data(text.utf8).write(to: node.place("audit.log.position"))
            node.move(by: 60_000)
            var progress = try node.start()
            try await node.note("new")
            await node.settle(&progress)

            #expect(node.said == ["warning"])
            #expect(node.subjects == ["new"])
        }
    }

    @Test("A start with a missing folder, a folder as the file, or a link is refused", arguments: ["missing/audit.log", "folder", "link"])
    func unusable(name: String) async throws {
        try await AuditedNode.run { node in
            try FileManager.default.createDirectory(at: node.place("folder"), withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(at: node.place("link"), withDestinationURL: node.place("other"))
            let file = AuditFile(path: node.place(name).path)

            let error = try #require(throws: AuditFileError.self) {
                try AuditFileWriter.start(of: file, nowMs: TestStore.noon, logger: node.logger)
            }
            #expect(error.description.contains("--audit-log"))
            #expect(!FileManager.default.fileExists(atPath: node.place("other").path))
        }
    }

    @Test("A folder that goes away is logged once, and so is its return; nothing is lost and nothing repeated")
    func away() async throws {
        try await AuditedNode.run { node in
            var progress = try node.start()
            let aside = node.folder.appendingPathExtension("aside")
            try FileManager.default.moveItem(at: node.folder, to: aside)
            try await node.note("a")
            await node.settle(&progress)
            await node.look(&progress)
            #expect(node.said == ["error"])

            try FileManager.default.moveItem(at: aside, to: node.folder)
            for _ in 0..<2 { await node.look(&progress) }
            #expect(node.said == ["error", "notice"])
            #expect(node.subjects == ["a"])
        }
    }

    @Test("Lines that were written are not written again while their position cannot be stored")
    func unstored() async throws {
        try await AuditedNode.run { node in
            var progress = try node.start()
            let blocked = node.place("audit.log.position.new")
            try FileManager.default.createDirectory(at: blocked, withIntermediateDirectories: false)
            try await node.note("a")
            for _ in 0..<3 { await node.settle(&progress) }
            #expect(node.subjects == ["a"])

            try FileManager.default.removeItem(at: blocked)
            await node.look(&progress)
            #expect(node.subjects == ["a"])
            let stored = try node.file.position(), newest = try await node.ids().last
            #expect(stored == newest)
        }
    }

    @Test("A line that a power cut tore is ended, and spoils no other one")
    func half() async throws {
        try await AuditedNode.run { node in
            var progress = try node.start()
            try Data(#"{"action":"li"#.utf8).write(to: node.place("audit.log"))
            try await node.note("a")
            await node.settle(&progress)

            #expect(node.lines.first == #"{"action":"li"#)
            #expect(node.subjects == ["a"])
        }
    }

    @Test("A clock that went back by an hour does not stop the file: the lines of that hour are written")
    func clock() async throws {
        try await AuditedNode.run { node in
            var progress = try node.start()
            node.move(by: 3_600_000)
            try await node.note("ahead")
            await node.settle(&progress)
            node.move(by: -3_600_000)
            await node.look(&progress)
            try await node.note("after")
            await node.settle(&progress)

            #expect(node.subjects == ["ahead", "after"])
            #expect(node.said == ["warning"])
        }
    }
}
