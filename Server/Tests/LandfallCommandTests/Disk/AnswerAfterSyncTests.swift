// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import SystemCalls
import Testing

extension RealProcessTests {
    /// The whole server under `strace`, called over HTTP: killing a process proves nothing about the disk, because the kernel
    /// keeps unsynced data.
    @Suite(
        "The server answers a write after it is on disk", .timeLimit(.minutes(1)),
        .enabled(if: SystemCallTrace.isAvailable, "strace is not installed, or may not trace here"))
    struct AnswerAfterSyncTests {
        private static let writes: [(path: String, body: String)] = [
            (
                "/v1/first-open",
                #"{"adToken":{"none":{"reason":"unsupported"}},"placements":[{"id":"onboarding"}],"holdMilliseconds":0}"#
            ),
            ("/v1/profiles/me/attributes", #"{"key":"a-1","attributes":{"sessions":3}}"#),
            ("/v1/attribution", #"{"key":"c-1","source":"appsflyer","status":"non_organic"}"#),
            (
                "/v1/events",
                #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-0000000000aa","type":"paywall_shown","ageMilliseconds":0}]}"#
            ),
            ("/v1/identify", #"{"key":"i-1","customerId":"anna"}"#),
            ("/v1/logout", #"{"key":"l-1"}"#),
            // Last, because it sets the exchange with Apple to work, which writes for itself.
            ("/v1/profiles/me/ad-token", #"{"value":"sim.attribution=true"}"#),
        ]

        @Test("Every first open, token, attribute, claim, event and identification is synced before its answer begins")
        func syncBeforeAnswer() async throws {
            try await check(
                Self.writes.map { path, body in
                    (path, RawConnection.request("POST", path, body: Data(body.utf8)), 200)
                })
        }

        @Test("Every redirect's click is synced before its answer begins, by the application or on the connection's own loop")
        func syncBeforeRedirect() async throws {
            let agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"
            let text = "GET /beach HTTP/1.1\r\nHost: brandname.go.link\r\nUser-Agent: \(agent)\r\n\r\n"
            try await check((1...4).map { ("redirect \($0)", Data(text.utf8), 302) })
        }

        private func check(_ requests: [(name: String, request: Data, status: Int)]) async throws {
            try await ServingProcess.withFolder { folder in
                let output = folder.appending(path: "trace")
                let server = try await ServingProcess.start(
                    in: folder, launcher: [SystemCallTrace.program] + SystemCallTrace.arguments(output: output)
                )
                try await onThread {
                    for (name, request, status) in requests {
                        // A connection for each call: the first write to its socket is the answer.
                        let connection = try RawConnection(port: server.port)
                        try connection.send(request)
                        #expect(connection.answer()?.status == status, "\(name)")
                    }
                }
                try server.stopTraced()
                #expect(await server.command.ending().status == 0)

                var answered: Set<String> = [], isWritten = false, isSynced = false, wasSynced = false
                for call in try SystemCallTrace.calls(in: output) {
                    if call.file.hasSuffix("landfall.sqlite-wal") {
                        isWritten = isWritten || call.isWrite
                        isSynced = call.isSync
                        wasSynced = wasSynced || isWritten && isSynced
                    } else if call.isSocket, call.isWrite, answered.insert(call.file).inserted {
                        let number = min(answered.count, requests.count)
                        #expect(wasSynced && (isSynced || number == requests.count), "\(requests[number - 1].name)")
                        (isWritten, isSynced, wasSynced) = (false, false, false)
                    }
                }
                #expect(answered.count == requests.count)
            }
        }
    }
}

extension ServingProcess {
    /// SIGTERM for the server itself: a tracer does not pass signals on to the traced process.
    fileprivate func stopTraced() throws {
        let tracer = command.processID
        let children = try String(contentsOfFile: "/proc/\(tracer)/task/\(tracer)/children", encoding: .utf8)
        let server = try #require(children.split(separator: " ").first.flatMap { Int32($0) })
        kill(server, SIGTERM)
    }
}
