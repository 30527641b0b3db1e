// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Testing

extension RealProcessTests {
    @Suite("A service manager", .timeLimit(.minutes(1)))
    struct ServiceNoticeTests {
        /// The socket on which a service manager listens.
        private final class Manager: Sendable {
            let path: String
            private let descriptor: Int32

            init(in folder: URL) throws {
                path = folder.appending(path: "n").path
                #if canImport(Glibc)
                descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
                #else
                descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
                #endif
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
                let status = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
                try #require(status == 0)
            }

            deinit { close(descriptor) }

            func next() async throws -> String {
                await onThread { [descriptor] in
                    var bytes = [UInt8](repeating: 0, count: 256)
                    let count = recv(descriptor, &bytes, bytes.count, 0)
                    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
                }
            }
        }

        @Test("is told when the server is ready, reads its configuration again, and stops")
        func told() async throws {
            try await ServingProcess.withFolder { folder in
                let manager = try Manager(in: folder)
                let server = try await ServingProcess.start(
                    in: folder.appending(path: "data"), environment: ["NOTIFY_SOCKET": manager.path])

                #expect(try await manager.next() == "READY=1")
                server.command.hangUp()
                #expect(try await manager.next() == "RELOADING=1")
                #expect(try await manager.next() == "READY=1")
                try await server.ends()
                #expect(try await manager.next() == "STOPPING=1")
            }
        }
    }
}
