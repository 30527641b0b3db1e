// SPDX-License-Identifier: Apache-2.0
import LandfallSQLite
import LandfallServer

struct ServerUnreached: Error, CustomStringConvertible {
    let place: String
    let reason: String

    var description: String {
        "The server at \(place) did not answer (\(reason)). Check that it runs and that the address is right, then repeat the command."
    }
}

#if !HTTPS
/// A build without the trait HTTPS has no HTTP client: it is for the demo, and cannot reach a running server.
struct ServerConnection: Sendable {
    static func with<Value>(
        address: ServerAddress, key: String, _ body: (ServerConnection) async throws -> Value
    ) async throws -> Value {
        throw NoClient()
    }

    static func with<Value>(
        socket: StoreSocketPath, _ body: (ServerConnection) async throws -> Value
    ) async throws -> Value {
        throw NoClient()
    }

    static func answers(_ socket: StoreSocketPath) async -> Bool { false }

    func call(_ call: BackendCall, within limit: Duration) async throws -> [UInt8] { throw NoClient() }
}

private struct NoClient: Error, CustomStringConvertible {
    let description = """
        This build of landfall is for the demo and cannot reach a running server. Build the full one with: \
        swift build --package-path Server -c release --product landfall
        """
}
#endif
