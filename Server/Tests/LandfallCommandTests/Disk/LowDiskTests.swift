// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Testing

extension RealProcessTests {
    @Suite(
        "A server whose disk is nearly full", .timeLimit(.minutes(1)),
        .enabled(if: SmallDisk.isAvailable, "a file system of one's own may not be mounted here"))
    struct LowDiskTests {
        @Test("keeps reading, refuses writes with advice, is not ready, and recovers once there is room")
        func lowDisk() async throws {
            try await ServingProcess.withFolder { folder in
                let disk = SmallDisk(folder: folder)
                let server = try await ServingProcess.start(in: folder, launcher: disk.launcher)
                let process = server.command.processID
                let calls = try await onThread {
                    // The others need an install that is known.
                    let phone = try RawConnection(port: server.port)
                    try phone.send(Self.firstOpen)
                    #expect(phone.answer()?.status == 200)
                    func states(_ number: Int) throws -> [String: String] {
                        try Self.calls(number).mapValues { request in
                            let connection = try RawConnection(port: server.port)
                            try connection.send(request)
                            let answer = connection.answer()
                            return [answer.map { "\($0.status)" }, answer?.code].compactMap { $0 }.joined(separator: " ")
                        }
                    }
                    let before = try states(1)
                    try disk.fill(upTo: 0.04, seenBy: process)
                    let full = try states(2)
                    try disk.empty(seenBy: process)
                    return (before: before, full: full, after: try states(3))
                }

                // A new open is answered without being stored.
                let reads = Set(["alive", "knownOpen", "newOpen", "paywall", "profile"])
                #expect(calls.before.values.allSatisfy { $0 == "200" }, "\(calls.before)")
                for (name, state) in calls.full { #expect(state == (reads.contains(name) ? "200" : "503 disk_low"), "\(name)") }
                #expect(calls.after.values.allSatisfy { $0 == "200" }, "\(calls.after)")
                try await server.ends()
            }
        }

        private static let firstOpen = RawConnection.request(
            "POST", "/v1/first-open", body: Data(#"{"placements":[{"id":"onboarding"}],"holdMilliseconds":0}"#.utf8))

        /// - Parameter number: of an unknown install.
        private static func calls(_ number: Int) -> [String: Data] {
            [
                "alive": RawConnection.request("GET", "/healthz"),
                "claim": RawConnection.request(
                    "POST", "/v1/attribution", body: Data(#"{"key":"c-1","source":"appsflyer","status":"organic"}"#.utf8)),
                "event": RawConnection.request(
                    "POST", "/v1/events",
                    body: Data(
                        #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-0000000000aa","type":"paywall_shown","ageMilliseconds":0}]}"#
                            .utf8)
                ),
                // An open that changes nothing reads only.
                "knownOpen": firstOpen,
                "newOpen": RawConnection.request(
                    "POST", "/v1/first-open", body: Data(#"{"placements":[{"id":"onboarding"}]}"#.utf8),
                    profile: RawConnection.installHeader.replacingOccurrences(of: "8e4f-0", with: "8e4f-\(number)")),
                "paywall": RawConnection.request("GET", "/v1/placements/onboarding/paywall"),
                "profile": RawConnection.request("GET", "/v1/profiles/me"),
                "ready": RawConnection.request("GET", "/readyz"),
            ]
        }
    }
}
