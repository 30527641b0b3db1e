// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallServer
import LandfallWire

/// Asks a server for the messages of an endpoint, one page after the other, and hands each on once.
struct WebhookListening: Sendable {
    typealias Message = WebhookMessagesDocument.Message

    /// Between two questions that find nothing, and before a server that is away is asked again.
    static let pause: Duration = .seconds(1)

    /// A message, and what became of it.
    struct Heard: Sendable {
        let message: Message
        /// Nil if it was not forwarded, or there was no answer.
        var status: Int?
        var failure: String?
        var milliseconds: Int64?
    }

    /// The messages after a number; without one only the newest number.
    let messages: @Sendable (_ after: Int64?) async throws -> WebhookMessagesDocument
    /// Nil: messages are only shown. Returns the status of the answer.
    var forward: (@Sendable (Message) async throws -> Int)?
    let tell: @Sendable (Heard) throws -> Void
    let remark: @Sendable (String) -> Void
    var time = ServerTime.live

    /// Until it is cancelled.
    /// - Throws: what the first question throws; later on a server that does not answer is asked again.
    func run() async throws {
        var after = try await messages(nil).sequence, isAway = false
        while !Task.isCancelled {
            do {
                let page = try await messages(after)
                if isAway { remark("The server answers again.") }
                isAway = false
                for message in page.messages { try tell(try await heard(message)) }
                after = page.sequence
                if !page.messages.isEmpty { continue }
            } catch let error where Self.mayPass(error) {
                try Task.checkCancellation()
                if !isAway { remark("\(error) Until then it is asked again every second.") }
                isAway = true
            }
            try await time.sleep(Self.pause)
        }
    }

    /// A server that restarts, or the proxy before it, says so by a status.
    private static func mayPass(_ error: any Error) -> Bool {
        error is ServerUnreached || (error as? BackendRefusal).map { $0.status >= 500 || $0.status == 429 } == true
    }

    private func heard(_ message: Message) async throws -> Heard {
        guard let forward else { return Heard(message: message) }
        let startMs = time.nowMs()
        do {
            let status = try await forward(message)
            return Heard(message: message, status: status, milliseconds: time.nowMs() - startMs)
        } catch {
            try Task.checkCancellation()
            return Heard(message: message, failure: "\(error)", milliseconds: time.nowMs() - startMs)
        }
    }
}

extension WebhookListening.Heard {
    private struct Line: Encodable {
        let id: String
        let type: String
        let sequence: Int64
        let status: Int?
        let failure: String?
        let milliseconds: Int64?
        let body: JSONValue
    }

    /// One line, with the body as JSON.
    var json: String {
        get throws {
            let body = try WireCoding.decode(JSONValue.self, from: Data(message.body.utf8))
            let line = Line(
                id: message.id, type: message.type, sequence: message.sequence, status: status, failure: failure, milliseconds: milliseconds,
                body: body)
            return String(decoding: try WireCoding.encode(line), as: UTF8.self)
        }
    }

    /// `17  first_open  0199b0a0-1c5f-7d3a-9a51-7d1a6cf2e90b  200 after 12 ms`
    var line: String {
        let outcome = status.map { "\($0) after \(milliseconds ?? 0) ms" } ?? failure.map { "no answer: \($0)" }
        return ["\(message.sequence)", message.type, message.id, outcome].compactMap(\.self).joined(separator: "  ")
    }
}
