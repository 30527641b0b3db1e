// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import Landfall
import LandfallTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Errors in the log", .timeLimit(.minutes(1)))
struct ErrorWordsTests {
    private struct Broken: Error {}

    @Test("An error is one sentence, with one full stop")
    func sentences() {
        #expect(StorageFailure("write", "/a/install.json", code: ENOSPC).inWords == "Could not write /a/install.json: No space left on device.")
        #expect(DeviceIDUnavailable("no keychain").inWords.hasPrefix("There is no device id: no keychain. The SDK"))
        #expect(CancellationError().inWords == "It was cancelled.")
        #expect(Broken().inWords.hasPrefix("The error is LandfallTests.ErrorWordsTests."))
        #expect(Broken().inWords.hasSuffix("."))
    }

    @Test("A system's error is its text with domain and number, and not its memory")
    func foreign() {
        let error = CocoaError(.fileNoSuchFile)

        #expect(error.inWords.hasSuffix(" (NSCocoaErrorDomain \(error.errorCode))."))
        #expect((error as NSError).inWords == error.inWords)
        #expect(!error.inWords.contains("Error Domain="))
        #expect(!error.inWords.contains(".."))
    }

    @Test("A text is written as a sentence", arguments: [("", ""), ("a", "a."), ("a.", "a."), ("a.. ", "a."), ("a!", "a!")])
    func fullStops(text: String, sentence: String) {
        #expect(text.asSentence == sentence)
    }

    @Test(
        "A failed connection says which part failed, and whether the name is unknown",
        arguments: [
            (URLError.Code.cannotFindHost, "The server's name cannot be resolved.", true),
            (.dnsLookupFailed, "The server's name cannot be resolved.", true),
            (.cannotConnectToHost, "Nothing accepts connections at the server's address.", false),
            (.secureConnectionFailed, "(NSURLErrorDomain -1200).", false),
        ])
    func network(code: URLError.Code, text: String, isHostUnknown: Bool) throws {
        let error = try #require(URLSessionExchange.transportError(URLError(code)) as? TransportError)

        #expect(error.kind == .connectionFailed)
        #expect(error.isHostUnknown == isHostUnknown)
        #expect(error.description.hasPrefix("The connection failed. "))
        #expect(error.description.hasSuffix(text))
    }
}

@Suite("What the log says of files", .timeLimit(.minutes(1)))
struct FileLinesTests {
    private let phone = Phone()

    @Test("Files that cannot be read or written are one line each, in sentences, with what to do")
    func lines() async throws {
        try phone.streams(.undecided)
        phone.storage.isLocked = true
        let client = phone.app()
        client.start()
        await phone.pass(.seconds(10))
        phone.storage.isLocked = false
        await phone.pass(.seconds(20))
        await client.waitForProfile()
        phone.storage.isFull = true
        client.record("opened")
        await phone.logHolds("The SDK's files cannot be written. ")
        await phone.pass(.seconds(2))

        let lines = phone.log.all.filter { $0.category == .storage }.map(\.message)
        #expect(lines.count { $0.hasPrefix("The SDK's files cannot be read yet. ") } >= 1)
        #expect(lines.count { $0.hasPrefix("The SDK's files cannot be written. ") } == 1)
        for line in lines {
            #expect(line.hasSuffix("check the free space of the disk and the permissions of the SDK's folder."))
            #expect(!line.contains("..") && !line.contains(": ."))
        }
        await client.shutdown()
    }

    @Test("A client that ends while it reads its files logs nothing")
    func ended() async {
        let storage = StalledStorage(phone.storage)
        storage.stall()
        let client = phone.app { $0.storage = storage }
        client.start()
        await storage.waitUntilBlocked()

        await client.shutdown(within: .zero)
        storage.release()
        await phone.settle()

        #expect(phone.log.all.isEmpty)
    }
}
