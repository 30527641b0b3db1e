// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallStore
import LandfallWire
import NIOEmbedded
import Synchronization

/// `POST /v1/links/deferred` on a store with few clicks and on one with many, call by call in turn, so that other work on the
/// machine affects both. Routes, store and disk are the real ones; there is no network.
struct DeferredLookup {
    let small: Int
    let large: Int
    /// Calls of each kind on each store.
    let calls: Int

    private enum Kind: String, CaseIterable {
        case none = "no link waits"
        case again = "the install has taken its link"
        case take = "the install takes its link, durably"
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-deferred-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stores = [
            try await Store(clicks: small, calls: calls, path: folder.appending(path: "small.sqlite").path),
            try await Store(clicks: large, calls: calls, path: folder.appending(path: "large.sqlite").path),
        ]
        print("\(small) and \(large) stored clicks, each with a link that waits; \(calls) calls of each kind on each store")
        for kind in Kind.allCases {
            var times: [[Double]] = [[], []]
            for call in 0..<calls {
                for store in call.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                    times[store].append(try await stores[store].call(kind, call))
                }
            }
            let (few, many) = (times[0].sorted(), times[1].sorted())
            func row(_ share: Double) -> String {
                let pair = [few, many].map { $0[Int(Double($0.count - 1) * share)] }
                let micro = pair.map { "\(Int(($0 * 1e6).rounded())) µs" }
                return "\(micro[0]) → \(micro[1]) (× \((pair[1] / pair[0] * 100).rounded() / 100))"
            }
            print("\(kind.rawValue): p50 \(row(0.5)), p99 \(row(0.99))")
        }
        for store in stores { try await store.database.close() }
    }

    /// A node over a store with this number of clicks; it has every call's phone and token.
    private struct Store {
        let database: SQLiteDatabase
        private let node: InProcessNode

        init(clicks: Int, calls: Int, path: String) async throws {
            let made = try await MadeStore(path: path, nowMs: Self.nowMs)
            (database, node) = (made.database, made.node)
            try await made.fill(clicks, by: Self.filling)
            for call in 0..<calls { try await wait(for: Self.token(call)) }
            // Every phone is known.
            for call in 0..<calls { _ = try await self.call(.none, call) }
        }

        /// One call; its preparation is not timed.
        /// - Returns: seconds.
        func call(_ kind: Kind, _ number: Int) async throws -> Double {
            let phone: Int, token: String
            switch kind {
            case .none: (phone, token) = (number, Self.unknown)
            case .again:
                (phone, token) = (number, Self.token(number))
                _ = try await send(phone, token)
            case .take:
                (phone, token) = (number + 1_000_000, Self.token(number + 1_000_000))
                try await wait(for: token)
                _ = try await send(phone, Self.unknown)
            }
            let begun = ContinuousClock.now
            let answer = try await send(phone, token)
            let time = begun.duration(to: .now)
            guard answer.contains(kind == .none ? "\"none\"" : "\"link\"") else { throw Wrong(answer: answer) }
            return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        }

        private func send(_ phone: Int, _ token: String) async throws -> String {
            let id = String(format: "0198f0c2-7b1a-7c3d-8e4f-%012d", phone)
            let body = Body()
            try await node.respond(
                to: "POST", WirePath.deferredLink,
                headers: [
                    "Authorization": "Bearer pk_demo", "Landfall-Profile": "\(id).\(String(repeating: "A", count: 43))",
                ],
                body: Data(#"{"token":"\#(token)"}"#.utf8), head: { _, _ in }, bytes: { body.append($0) }
            )
            return body.text
        }

        private func wait(for token: String) async throws {
            let hash = Array(SHA256.hash(data: Data(token.utf8)))
            _ = try await database.write { connection in
                try connection.run(
                    """
                    INSERT INTO deferred_link (app_id, token_hash, kind, click_id, original, resolved, campaign, link_host,
                      link_path, created_at_ms, expires_at_ms)
                    VALUES ('example', $1, 'pasteboard', 'c', 'https://links.example.com/beach', 'https://links.example.com/x',
                      'summer', 'links.example.com', '/beach', $2, $3)
                    """,
                    [.blob(hash), .integer(Self.nowMs - 60_000), .integer(Self.nowMs + 3_600_000)]
                )
            }
        }

        private static let nowMs: Int64 = 1_790_000_000_000
        /// As many rows as `$2`, from number `$1` on. SQLite's own dialect: this is not a text of the server.
        private static let filling = [
            """
            WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
            INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome, campaign)
            SELECT 'example', printf('019f0000-0000-7000-8000-%012d', i), 1789999000000 + i, 'person', 'ios',
              'links.example.com', '/beach', 'store', 'summer' FROM n
            """,
            """
            WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
            INSERT INTO deferred_link (app_id, token_hash, kind, click_id, original, resolved, campaign, link_host, link_path,
              created_at_ms, expires_at_ms, taken_by_install)
            SELECT 'example', randomblob(32), 'pasteboard', printf('019f0000-0000-7000-8000-%012d', i),
              'https://links.example.com/beach', 'https://links.example.com/x', 'summer', 'links.example.com', '/beach',
              1789999000000 + i, 1799999000000, CASE WHEN i % 2 THEN printf('install-%d', i) END FROM n
            """,
        ]

        private static let unknown = token(500_000_000)

        /// 22 characters of base58, as in a page's token.
        private static func token(_ number: Int) -> String {
            String(repeating: "T", count: 10) + String(number + 100_000_000_000).replacing("0", with: "a")
        }
    }

    private struct Wrong: Error { let answer: String }

    private final class Body: Sendable {
        private let data = Mutex(Data())
        func append(_ more: Data) { data.withLock { $0.append(more) } }
        var text: String { data.withLock { String(decoding: $0, as: UTF8.self) } }
    }
}
