// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallWire

/// `landfall webhooks`.
struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Lists the endpoints of webhooks, tests one, and shows its messages to a developer.",
        discussion: "Works at --server with a key that may 'webhooks'; list and test also at the server that runs on the folder of the store.",
        subcommands: [WebhookListCommand.self, WebhookTestCommand.self, WebhookListenCommand.self]
    )
}

/// Which endpoint a command is about.
struct WebhookEndpointOption: ParsableArguments {
    @Option(help: "The endpoint: its number in the file, its host, or its id (the only one).")
    var endpoint: String?

    /// - Throws: a sentence with the endpoints, if none or several are meant.
    func chosen(by reach: Reach) async throws -> WebhookEndpointsDocument.Endpoint {
        try Self.chosen(endpoint, of: try await reach.webhookEndpoints().endpoints)
    }

    static func chosen(_ text: String?, of all: [WebhookEndpointsDocument.Endpoint]) throws -> WebhookEndpointsDocument.Endpoint {
        let meant = text.map { text in all.filter { String($0.number) == text || $0.id == text || $0.host == text } } ?? all
        if meant.count == 1 { return meant[0] }
        guard !all.isEmpty else { throw ValidationError("The configuration has no endpoint. Write 'webhooks' into landfall.yaml.") }
        let list = all.map { "\($0.number) (\($0.host))" }.joined(separator: ", ")
        let problem = text.map { "'\($0)' is \(meant.isEmpty ? "no endpoint" : "several endpoints")." } ?? "There are several endpoints."
        throw ValidationError("\(problem) Name one with --endpoint: \(list).")
    }
}

extension Reach {
    func webhookEndpoints() async throws -> WebhookEndpointsDocument {
        let answer = try await call(BackendCall("GET", WebhookRoutes.path))
        return try WireCoding.decode(WebhookEndpointsDocument.self, from: Data(answer))
    }
}

/// `landfall webhooks list`.
struct WebhookListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the endpoints, how each is doing, and what waits for it.")

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let document = try await store.withReach { try await $0.webhookEndpoints() }
        if store.json { return try store.printJSON(document) }
        if document.endpoints.isEmpty { Output.line("The configuration has no endpoint.") }
        for endpoint in document.endpoints { Output.line(endpoint.line) }
        if document.dropped > 0 { Output.line("\(document.dropped) message(s) had to make room for newer ones.") }
    }
}

extension WebhookEndpointsDocument.Endpoint {
    /// `2  hooks.example.com  failing since 2026-11-22T09:30:00Z (status 500)  3 waiting`
    var line: String {
        let since = (offSinceMilliseconds ?? failingSinceMilliseconds).map { " since \(Output.time($0))" } ?? ""
        let why = lastFailure.map { " (\($0))" } ?? ""
        let lost = givenUp > 0 ? ["\(givenUp) given up"] : []
        return (["\(number)", host, state + since + why, "\(waiting) waiting"] + lost).joined(separator: "  ")
    }
}

/// `landfall webhooks test`.
struct WebhookTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Sends a test event to an endpoint, and shows its answer.",
        discussion: """
            The running server sends it: one message of the type webhook.test, signed like every other. It is not tried again and not kept. \
            The exit status is 1 if the endpoint did not take it.
            """
    )

    @OptionGroup var endpoint: WebhookEndpointOption
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let (chosen, result) = try await store.withReach { reach in
            let chosen = try await endpoint.chosen(by: reach)
            let answer = try await reach.call(BackendCall("POST", "\(WebhookRoutes.path)/\(chosen.id)/test"))
            return (chosen, try WireCoding.decode(WebhookTestResult.self, from: Data(answer)))
        }
        if store.json { try store.printJSON(result) } else { Output.line(Self.lines(of: result, from: chosen.host).joined(separator: "\n")) }
        if !result.delivered { throw ExitCode.failure }
    }

    static func lines(of result: WebhookTestResult, from host: String) -> [String] {
        let first =
            result.delivered
            ? "\(host) took the test event: status \(result.status ?? 0) after \(result.tookMilliseconds) ms."
            : "\(host) did not take the test event: \(result.failure ?? "no answer"). An endpoint answers 200 to 299 within 10 seconds."
        return [first] + (result.answer.map { ["It answered: \($0)"] } ?? [])
    }
}
