// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallWire
import UnixSignals

/// `landfall webhooks listen`.
struct WebhookListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Shows the messages of an endpoint as they are made, and forwards them to a local address.",
        discussion: """
            For developers: the receiver needs no public address, because this command asks the server. It shows what is made for an endpoint of \
            the configuration from now on, with the signatures that this endpoint gets. The endpoint itself gets its messages as before. Each \
            message is forwarded once. Ends by Ctrl-C.
            """
    )

    @Option(help: "The address of the receiver, such as http://localhost:3000/webhooks (none: only show).")
    var forwardTo: String?

    @OptionGroup var endpoint: WebhookEndpointOption

    @Flag(help: "A JSON document in each line, with the body.")
    var json = false

    @Option(help: "The address of the server (LANDFALL_SERVER).")
    var server: String?

    @Option(help: "A server key, sk_…, that may 'webhooks' (LANDFALL_SERVER_KEY, which process lists do not show).")
    var key: String?

    func validate() throws {
        guard let forwardTo else { return }
        let url = URL(string: forwardTo)
        guard let url, ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false else {
            throw ValidationError("--forward-to is the address of your receiver, such as http://localhost:3000/webhooks.")
        }
    }

    func run() async throws {
        let (server, key) = try place(), (endpoint, forwardTo, json) = (endpoint.endpoint, forwardTo, json)
        // From the beginning: a signal that comes early ends the command too.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let http = LiveOutboundHTTP()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { return } }
            group.addTask { try await http.run() }
            group.addTask {
                try await Reach.with(.server(server, key: key), makesStore: false) { reach in
                    let chosen = try await WebhookEndpointOption.chosen(endpoint, of: reach.webhookEndpoints().endpoints)
                    let way = forwardTo.map { ", and forwards them to \($0)" } ?? ""
                    Output.remark("Shows the messages for \(chosen.host)\(way). Ctrl-C ends it.")
                    try await Self.listening(to: chosen.id, reach, forwardTo.map { Self.forwarding(to: $0, by: http) }, json: json).run()
                }
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    /// Only a running server makes messages, and has the secrets that sign them.
    func place(_ environment: FlagEnvironment = FlagEnvironment()) throws -> (server: ServerAddress, key: String) {
        guard let server = server ?? environment.text("server") else {
            throw ValidationError("--server is missing: the address of the server, or LANDFALL_SERVER in the environment.")
        }
        guard let key = key ?? environment.text("server-key") else { throw StoreOptions.keyMissing }
        return (try ServerAddress(server), key)
    }

    private typealias Forwarding = @Sendable (WebhookListening.Message) async throws -> Int

    private static func listening(to endpoint: String, _ reach: Reach, _ forward: Forwarding?, json: Bool) -> WebhookListening {
        let path = "\(WebhookRoutes.path)/\(endpoint)/messages"
        return WebhookListening(
            messages: { after in
                let call = BackendCall("GET", BackendCall.target(path, [("after", after.map { "\($0)" })]))
                return try WireCoding.decode(WebhookMessagesDocument.self, from: Data(try await reach.call(call)))
            },
            forward: forward, tell: { heard in Output.line(json ? try heard.json : heard.line) }, remark: { Output.remark($0) })
    }

    private static func forwarding(to url: String, by http: LiveOutboundHTTP) -> Forwarding {
        { message in
            var call = OutboundCall(.post, url)
            (call.headers, call.body) = (message.headers, Array(message.body.utf8))
            return try await http.send(call).status
        }
    }
}
