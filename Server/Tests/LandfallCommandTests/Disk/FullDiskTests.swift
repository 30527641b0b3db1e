// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Testing

extension RealProcessTests {
    /// A quota, or a disk that another process has just filled: nothing shows beforehand that there is no room.
    @Suite(
        "A server that finds no room although its disk has free space", .timeLimit(.minutes(1)),
        .enabled(if: FileLimit.isAvailable, "prlimit is not installed"))
    struct FullDiskTests {
        @Test("asks clients to retry, keeps reading, keeps confirmed writes, and recovers without a restart")
        func full() async throws {
            try await ServingProcess.withFolder { folder in
                var server = try await ServingProcess.start(in: folder, launcher: FileLimit.launcher)
                let process = server.command.processID
                let confirmed = try await onThread { [server] in
                    var phones = Phones(port: server.port)
                    #expect(try phones.writes(20) == 20)
                    try FileLimit.set(try Self.logLength(in: folder) + 200_000, of: process)

                    #expect(try phones.fails())
                    #expect(try phones.ready() == 503)
                    #expect(try phones.reads())

                    try FileLimit.set(nil, of: process)
                    #expect(try phones.ready() == 200)
                    #expect(try phones.writes(20) == 20)
                    #expect(try phones.reads())
                    return phones.confirmed
                }

                server.command.kill()
                _ = await server.command.ending()
                server = try await ServingProcess.start(in: folder)
                let again = try await onThread { [server] in try Phones(port: server.port, confirmed: confirmed).reads() }
                #expect(again, "the store has everything that was confirmed")
                try await server.ends()
            }
        }

        private static func logLength(in folder: URL) throws -> Int {
            let path = folder.appending(path: "landfall.sqlite-wal").path
            return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
    }
}

/// Phones that each tell one attribute, one after the other.
private struct Phones {
    let port: Int
    /// The numbers of the confirmed calls.
    private(set) var confirmed: [Int] = []
    private var last = 0

    init(port: Int, confirmed: [Int] = []) {
        self.port = port
        self.confirmed = confirmed
    }

    /// How many of these writes were confirmed.
    mutating func writes(_ count: Int) throws -> Int {
        try (0..<count).count { _ in
            last += 1
            guard try write(last)?.status == 200 else { return false }
            confirmed.append(last)
            return true
        }
    }

    /// Writes until ten in a row are refused; true where each said to try again, and does so once more.
    mutating func fails() throws -> Bool {
        var refusals: [RawConnection.Answer] = []
        for _ in 0..<1_000 where refusals.count < 10 {
            last += 1
            guard let answer = try write(last) else { return false }
            if answer.status == 200 {
                refusals = []
                confirmed.append(last)
            } else {
                refusals.append(answer)
            }
        }
        return refusals.count == 10
            && refusals.allSatisfy { ($0.status, $0.code, $0.headers["retry-after"]) == (503, "busy", "5") }
    }

    func ready() throws -> Int? { try answer(to: RawConnection.request("GET", "/readyz"))?.status }

    /// Everything that was confirmed is answered.
    func reads() throws -> Bool {
        try confirmed.allSatisfy { number in
            let answer = try answer(to: RawConnection.request("GET", "/v1/profiles/me", profile: Self.header(number)))
            let text = String(decoding: answer?.body ?? Data(), as: UTF8.self)
            return answer?.status == 200 && text.contains("\"sessions\":\(number)}")
        }
    }

    private func write(_ number: Int) throws -> RawConnection.Answer? {
        let body = Data(#"{"key":"a-\#(number)","attributes":{"sessions":\#(number)}}"#.utf8)
        return try answer(
            to: RawConnection.request("POST", "/v1/profiles/me/attributes", body: body, profile: Self.header(number)))
    }

    private func answer(to request: Data) throws -> RawConnection.Answer? {
        let connection = try RawConnection(port: port)
        try connection.send(request)
        return connection.answer()
    }

    private static func header(_ number: Int) -> String {
        let digits = String(number)
        let install = "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
        return "Landfall-Profile: \(install).\(String(repeating: "A", count: 43))\r\n"
    }
}
