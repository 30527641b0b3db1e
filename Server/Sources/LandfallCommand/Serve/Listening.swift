// SPDX-License-Identifier: Apache-2.0
import Logging
import ServiceLifecycle

/// Runs a service around a body that needs its port.
enum Listening {
    /// Starts what `make` makes, calls the body with the port that it reports, and stops it gracefully after the body.
    /// - Throws: what the body throws, or the error that keeps the service from listening.
    static func run<Value: Sendable>(
        _ make: (_ report: @escaping @Sendable (Int) async -> Void) async throws -> any Service,
        body: (Int) async throws -> Value
    ) async throws -> Value {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let service = try await make { continuation.yield($0) }
        let group = ServiceGroup(services: [service], logger: Logger(label: "landfall") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw CancellationError()
            }
            let value = try await body(port)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        }
    }
}
