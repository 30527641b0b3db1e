// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("A foreign file in the place of one of the SDK's files", .timeLimit(.minutes(1)))
final class StrangeFileTests: Sendable {
    enum Thing: CaseIterable { case folder, endlessDevice, hugeFile, itself }

    let phone = Phone()
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-\(UUID().uuidString)")
    private var log: LogNotebook { phone.log }
    private var note: @Sendable (LogLine) -> Void { { [phone] in phone.log.note($0) } }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func put(_ thing: Thing, at name: String) throws {
        let path = directory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: path)
        switch thing {
        case .folder:
            try FileManager.default.createDirectory(at: path.appendingPathComponent("full"), withIntermediateDirectories: true)
        case .endlessDevice:
            try FileManager.default.createSymbolicLink(at: path, withDestinationURL: URL(fileURLWithPath: "/dev/zero"))
        case .itself: try FileManager.default.createSymbolicLink(at: path, withDestinationURL: path)
        case .hugeFile:
            try Data().write(to: path)
            try FileHandle(forWritingTo: path).truncate(atOffset: 1 << 40)
        }
    }

    private func bytes(_ name: StorageName) -> Data? { try? Data(contentsOf: directory.appendingPathComponent(name.rawValue)) }

    @Test("costs only what that file held: the install, the paywall and the profile are there, and the file is written again",
        arguments: ["paywalls.json", "experiments.json", "link-rules.json", "profile.json", "outbox.jsonl", "outbox-3.jsonl"], Thing.allCases)
    func inPlaceOfAFile(name: String, thing: Thing) async throws {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        phone.server.on("POST", WirePath.events) { _ in try .json(EventBatchAnswer(results: [])) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let install = Data(#"{"format":1,"id":"anna","secret":"c2VjcmV0","isDeviceIDKept":false}"#.utf8)
        try install.write(to: directory.appendingPathComponent("install.json"))
        try put(thing, at: name)
        try put(thing, at: name + ".broken")
        try put(thing, at: name + ".new")
        let client = phone.app { [directory] in $0.storage = FileStorage(directory: directory) }

        client.start()
        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))
        client.record("opened")
        await client.shutdown()

        #expect(shown.origin == .matchingAudience)
        #expect(client.explain().install == InstallID("anna"))
        #expect(bytes(.profile)?.isEmpty == false && bytes(.paywalls)?.isEmpty == false)
        #expect(log.warnings.count { $0.contains(name) } == 1)
    }

    @Test("in place of the installation's file begins a new installation, which can be forgotten", arguments: Thing.allCases)
    func inPlaceOfTheInstall(thing: Thing) async throws {
        try phone.streams()
        try put(thing, at: "install.json")
        phone.server.on("DELETE", WirePath.profile) { _ in try .json(ErasureAnswer(profiles: 1, installs: 1)) }
        let client = phone.app { [directory] in $0.storage = FileStorage(directory: directory) }
        client.start()
        await phone.waitForFirstOpen()

        try await client.forget()
        await phone.waitForFirstOpen(count: 2)
        await client.shutdown()

        #expect(bytes(.install)?.isEmpty == false)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: directory.path).contains("install.json.broken"))
    }

    @Test("A cache that cannot be read for another reason costs only its content too; an installation is waited for")
    func unreadable() async throws {
        let storage = MemoryStorage([.paywalls: Data("{}".utf8), .install: Data("{}".utf8)])
        storage.isLocked = true

        #expect(try await StoredFile<PaywallCache>(.paywalls, in: storage).read(log: note) == nil)
        await #expect(throws: MemoryStorage.Failure.locked) {
            try await StoredFile<Install>(.install, in: storage).read(log: note)
        }

        #expect(log.warnings.count == 1)
    }

    @Test("A file with another kind of number is not one of the outbox's files")
    func numbers() async throws {
        let storage = MemoryStorage([StorageName(rawValue: "outbox-\(Int.max).jsonl"): Data()])
        let outbox = Outbox(storage: storage, date: { Date() }, log: note)

        try await outbox.openForAppending()

        #expect(storage.files.keys.contains(StorageName(rawValue: "outbox-1.jsonl")))
    }
}
