// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallWire

/// Which links `list` and `export` have.
struct LinkFilterOptions: ParsableArguments {
    @Option(help: "Occurs in the address or in the destination; A to Z match a to z.")
    var query: String?

    @Option(help: "The host of the links.")
    var domain: String?

    @Option(help: "The whole campaign.")
    var campaign: String?

    @Option(help: "One of the link's tags.")
    var tag: String?

    @Option var folder: String?

    @Option(help: "live, scheduled, expired, or file: the links of landfall.yaml and no others.")
    var state: String?

    /// One page.
    func page(_ reach: Reach, cursor: String?, limit: Int) async throws -> LinkListRoutes.Page {
        let target = BackendCall.target(
            "/v1/links",
            [
                ("q", query), ("domain", domain), ("campaign", campaign), ("tag", tag), ("folder", folder), ("state", state), ("cursor", cursor),
                ("limit", "\(limit)"),
            ])
        return try WireCoding.decode(LinkListRoutes.Page.self, from: Data(try await reach.call(BackendCall("GET", target))))
    }
}

/// `landfall link list`.
struct LinkListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists links, in the order of their addresses.",
        discussion: """
            Every filter has to match. A line has the address, where it leads, the state and the labels; --json has everything a link has, \
            as GET /v1/links answers it.
            """)

    @OptionGroup var filter: LinkFilterOptions

    @Option(help: "At most this many links.")
    var limit = 1_000

    @Option(help: "Where a list that was cut goes on.")
    var cursor: String?

    @OptionGroup var store: StoreOptions

    private struct List: Encodable {
        var links: [LinkDocument] = []
        var next: String?
    }

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit is \(limit); use a number from 1.") }
    }

    func run() async throws {
        let list = try await store.withReach { reach in
            var list = List(next: cursor)
            repeat {
                let page = try await filter.page(reach, cursor: list.next, limit: min(limit - list.links.count, LinkList.longestPage))
                list.links += page.links
                list.next = page.next
            } while list.next != nil && list.links.count < limit
            return list
        }
        if store.json { return try store.printJSON(list) }
        for link in list.links { Output.line(link.line) }
        if let next = list.next { Output.remark("There are more links. Repeat the command with --cursor '\(next)', or with a larger --limit.") }
    }
}

extension LinkDocument {
    /// For people.
    var line: String {
        let labels = [
            ("campaign", link.campaign), ("channel", link.channel), ("folder", link.folder), ("tags", link.tags?.joined(separator: ",")),
        ].compactMap { name, value in value.map { " \(name)=\($0)" } }
        return "\(url) -> \(link.to) \(state.rawValue)" + labels.joined()
    }

    /// Everything that it has, a field in each line.
    func fieldLines() throws -> [String] {
        let fields = try WireCoding.decode([String: JSONValue].self, from: WireCoding.encode(self))
        return try fields.sorted(by: { $0.key < $1.key }).map { name, value in
            let text = if case .string(let text) = value { text } else { String(decoding: try WireCoding.encode(value), as: UTF8.self) }
            return "\(name): \(text)"
        }
    }
}

/// `landfall link show`.
struct LinkShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows everything that a link has.")

    @Argument(help: "The address of the link.")
    var link: LinkAddressArgument

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let document = try await store.withReach { try await link.read($0) }
        if store.json { return try store.printJSON(document) }
        for line in try document.fieldLines() { Output.line(line) }
    }
}
