// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Changes of the collection mode that respect an opt-out", .timeLimit(.minutes(1)))
struct CollectionChangeTests {
    let phone = Phone()

    /// A launch in which the app says something before the files are read.
    private func mode(after stored: CollectionMode?, _ say: (LandfallClient) -> Void) async throws -> CollectionMode {
        let phone = Phone()
        if let stored { try phone.storage.write(Data(#"{"format":1,"collection":"\#(stored.rawValue)"}"#.utf8), to: .profile) }
        phone.firstOpen { [phone] in try await phone.never() }
        let client = phone.app()
        say(client)
        client.start()
        await phone.waitForFirstOpen()
        let mode = client.collection
        await client.shutdown()
        let next = phone.app()
        next.start()
        await phone.waitForFirstOpen(count: 2)
        #expect(next.collection == mode, "The next launch knows it.")
        await next.shutdown()
        return mode
    }

    @Test(
        "A limit changes every mode but off",
        arguments: [
            (CollectionMode?.none, CollectionMode.essential, CollectionMode.essential), (.full, .essential, .essential),
            (.essential, .full, .full), (.off, .full, .off), (.off, .essential, .off), (.full, .off, .off),
        ])
    func limit(stored: CollectionMode?, to limit: CollectionMode, expected: CollectionMode) async throws {
        #expect(try await mode(after: stored) { $0.setDataCollectionUnlessOptedOut(limit) } == expected)
    }

    @Test(
        "Resuming changes only off",
        arguments: [(CollectionMode?.none, CollectionMode.full), (.essential, .essential), (.off, .full)])
    func resume(stored: CollectionMode?, expected: CollectionMode) async throws {
        #expect(try await mode(after: stored) { $0.resumeCollection() } == expected)
    }

    @Test("Several apply in order, and a mode that is set replaces them")
    func order() async throws {
        #expect(
            try await mode(after: .off) {
                $0.resumeCollection()
                $0.setDataCollectionUnlessOptedOut(.essential)
            } == .essential)
        #expect(
            try await mode(after: .full) {
                $0.setDataCollectionUnlessOptedOut(.essential)
                $0.collection = .off
            } == .off)
        #expect(
            try await mode(after: .full) {
                $0.collection = .off
                $0.setDataCollectionUnlessOptedOut(.full)
            } == .off)
    }

    @Test("An opt-out before the files are read outlives any number of later limits")
    func many() async throws {
        #expect(
            try await mode(after: .full) { client in
                client.setDataCollectionUnlessOptedOut(.off)
                for _ in 0..<20 { client.setDataCollectionUnlessOptedOut(.full) }
            } == .off)
    }

    @Test("What the app has chosen in this launch counts before the files are read")
    func chosen() {
        let client = phone.app { $0.collection = .off }

        client.resumeCollection()
        #expect(client.collection == .full)
        client.collection = .off
        client.resumeCollection(as: .essential)
        #expect(client.collection == .essential)
    }

    @Test("Once the files are read they take effect at once")
    func later() async throws {
        phone.firstOpen { [phone] in try await phone.never() }
        let client = phone.app()
        client.start()
        await phone.waitForFirstOpen()

        client.setDataCollectionUnlessOptedOut(.essential)
        #expect(client.collection == .essential)
        client.resumeCollection()
        #expect(client.collection == .essential)
        client.collection = .off
        client.setDataCollectionUnlessOptedOut(.full)
        #expect(client.collection == .off)
        client.resumeCollection(as: .essential)
        #expect(client.collection == .essential)
        await client.shutdown()
    }

    @Test("Of a mode that this release does not know, it knows that nothing may be sent; other broken members do not cost it")
    func lenient() throws {
        let text = #"{"format":1,"collection":"tiny","profile":7,"storeCountry":"DE","attribution":[]}"#
        let unknown = #"{"format":1,"collection":{"mode":"tiny"},"storeCountry":"DE"}"#

        let stored = try WireCoding.decode(StoredProfileState.self, from: Data(text.utf8))
        let strange = try WireCoding.decode(StoredProfileState.self, from: Data(unknown.utf8))

        #expect(stored.collection == CollectionMode(rawValue: "tiny") && stored.storeCountry == "DE" && stored.profile == nil)
        #expect(strange.collection == .off && strange.storeCountry == "DE")
        #expect(try WireCoding.decode(StoredProfileState.self, from: Data(#"{"format":1}"#.utf8)).collection == nil)
    }
}
