// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import LandfallServer

@Suite("A connection that was accepted", .timeLimit(.minutes(1)))
struct AcceptedConnectionTests {
    @Test("is closed if the listener stops before anybody handles it, and the process goes on", arguments: [false, true])
    func dropped(isActive: Bool) async throws {
        let channel = NIOAsyncTestingChannel()
        var connection: AcceptedConnection? = AcceptedConnection(try await wrapped(channel))
        if isActive { try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get() }

        withExtendedLifetime(connection) {}
        connection = nil

        try await channel.closeFuture.get()
    }

    @Test("stays open for the one who takes it")
    func taken() async throws {
        let channel = NIOAsyncTestingChannel()
        var connection: AcceptedConnection? = AcceptedConnection(try await wrapped(channel))
        let taken = connection?.taken()
        connection = nil
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()

        #expect(channel.isActive)
        try await taken?.executeThenClose { _, _ in }
        #expect(!channel.isActive)
    }

    private func wrapped(_ channel: NIOAsyncTestingChannel) async throws -> HTTP1Channel.Value {
        try await channel.testingEventLoop.executeInContext {
            try HTTP1Channel.Value(wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }
}
