// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite
import LandfallStore
import Synchronization

/// What a link's page gave a person for the app that they are about to install.
struct LinkHandover: Sendable {
    private let text: String
    /// The text is a code that a person types; else it is on the pasteboard.
    let isCode: Bool
    private let handedAt: Duration
    /// A code is good for an hour.
    private static let codeLives: Duration = .seconds(3_600)
    /// True if the server does not know it any more.
    private(set) var isForgotten = false

    /// - Returns: nil if the page hands nothing over.
    init?(page: String, at time: Duration = .zero) {
        handedAt = time
        if let found = page.firstMatch(of: #/<p class="code"[^>]*>([^<]+)</#) {
            (text, isCode) = (String(found.1), true)
        } else if let found = page.firstMatch(of: #/https://[^"<\s]+lf_token=\w+/#) {
            (text, isCode) = (String(found.output).replacing("&amp;", with: "&"), false)
        } else {
            return nil
        }
    }

    /// As it comes from the pasteboard, or from this person's fingers.
    func text(from phone: VirtualPhone) -> String {
        guard isCode else { return text }
        let typed = text.typed(phone.linkDice?.split() ?? Dice(seed: 0))
        return phone.planted == .mistypedCodes ? String(typed.dropLast()) + (typed.hasSuffix("7") ? "8" : "7") : typed
    }

    /// The server may have forgotten it.
    func mayHaveExpired(at time: Duration) -> Bool { isCode && time - handedAt > Self.codeLives - .seconds(60) }

    mutating func forget() { isForgotten = true }

    /// In the end one installation has it, and no other ever had it.
    func check(_ phones: [VirtualPhone], _ database: MemoryDatabase, at time: Duration, _ trace: VirtualTrace) async throws {
        let heard = phones.filter { phone in phone.promise { !$0.links.deferredIDs.isEmpty } }
        for phone in heard where phone.promise({ !$0.links.hasClaimed }) {
            trace.broke("L7", "\(phone.name): has the link that it never claimed")
        }
        guard !isForgotten, !mayHaveExpired(at: time) else { return }
        if heard.count > 1 { trace.broke("L7", "\(heard.map(\.name)) have the link that was handed over once") }
        let rows = try await database.read { try $0.rows("SELECT taken_by_install FROM deferred_link", []) }
        let takers = rows.compactMap { $0.optionalText("taken_by_install") }
        let claimers = phones.filter { phone in phone.promise { $0.links.hasClaimed } }
        for taker in takers where !claimers.contains(where: { $0.memory.withLock { $0.installs.contains(taker) } }) {
            trace.broke("L7", "the link was taken by \(taker), which did not claim it")
        }
        let owed = claimers.filter { phone in phone.promise { $0.links.isDeferredOwed } }
        if !owed.isEmpty, takers.isEmpty { trace.broke("L7", "\(owed.map(\.name)) claimed the link, and nobody has it") }
        // An installation that has ended takes its link with it: a later claim is told that no link waits.
        for phone in owed where phone.memory.withLock({ !$0.installs.subtracting($0.endedInstalls).isDisjoint(with: takers) }) {
            if phone.promise({ $0.links.deferredIDs.isEmpty }) {
                trace.broke("L7", "\(phone.name): has taken the link, and the app never heard of it")
            }
        }
    }
}

extension VirtualServer {
    /// The page that a browser on an iPhone gets; nil while nobody answers.
    func browse(_ target: String, host: String) async -> String? {
        let agent =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"
        let request = VirtualRequest(method: "GET", target: target, headers: ["host": host, "user-agent": agent], body: nil)
        return await answer(to: request).map { String(decoding: $0.body, as: UTF8.self) }
    }
}
