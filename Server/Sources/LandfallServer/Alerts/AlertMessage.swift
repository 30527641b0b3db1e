// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// News in the form that a destination takes.
struct AlertMessage: Hashable, Sendable {
    /// Follows from the news: a receiver recognises one that comes twice.
    let id: String
    let app: AppID
    let news: AlertNews

    init(_ news: AlertNews, id: String, of app: AppID) { (self.news, self.id, self.app) = (news, id, app) }

    /// A message that says only that it arrived.
    init(testAtMs atMs: Int64, of app: AppID) {
        let state = AlertState(key: AlertKey(.disk), sinceMs: atMs, value: nil, limit: nil, detail: "")
        self.init(AlertNews(.test, state, atMs: atMs), id: "alert-test-\(atMs)", of: app)
    }

    private var sentence: String { AlertText.sentence(news.key, value: news.value, limit: news.limit, detail: news.detail) }

    var subject: String {
        let name = news.key.rule.rawValue + (news.key.subject.isEmpty ? "" : " (\(news.key.subject))")
        return switch news.kind {
        case .fired: "Landfall, \(app.rawValue): \(name)"
        case .resolved: "Landfall, \(app.rawValue): \(name) is over"
        case .test: "Landfall, \(app.rawValue): a test of alerts"
        }
    }

    /// One thought a line.
    var lines: [String] {
        let since = Instant(milliseconds: news.sinceMs - news.sinceMs % 1_000), at = Instant(milliseconds: news.atMs - news.atMs % 1_000)
        return switch news.kind {
        case .fired:
            [
                sentence, "Since: \(since)", "What to do: \(AlertText.action(news.key.rule))",
                "All rules and their limits: \(AlertText.page) (\(news.key.rule.rawValue))",
            ]
        case .resolved: ["It is in order again.", "It was: \(sentence)", "From \(since) to \(at)"]
        case .test: ["This is a test: alerts of the app \(app.rawValue) arrive here.", "Sent: \(at)"]
        }
    }

    var letter: Letter { Letter(id: id, subject: subject, text: lines.joined(separator: "\n\n"), atMs: news.atMs) }

    /// The body for an incoming webhook of Slack, and of others that take the same form.
    var chat: [UInt8] {
        let sign = news.kind == .fired ? "🔴 " : news.kind == .resolved ? "🟢 " : ""
        let text = ([sign + "*" + Self.escaped(subject) + "*"] + lines.map(Self.escaped)).joined(separator: "\n")
        return Self.bytes(.object(["text": .string(text)]))
    }

    /// Slack reads these three as its own signs: a text can neither call everybody nor make a link.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// The body for a webhook.
    var body: String {
        func time(_ ms: Int64) -> JSONValue { .string(Instant(milliseconds: ms).description) }
        var data: [String: JSONValue] = ["app": .string(app.rawValue)]
        if news.kind != .test {
            data["rule"] = .string(news.key.rule.rawValue)
            if !news.key.subject.isEmpty { data["host"] = .string(news.key.subject) }
            data["since"] = time(news.sinceMs)
            data["value"] = news.value.map { .integer($0) }
            data["limit"] = news.limit.map { .integer($0) }
            data["unit"] = news.key.rule.limit.map { .string($0.unit.rawValue) }
            data["summary"] = .string(sentence)
            data["action"] = .string(AlertText.action(news.key.rule))
        }
        let body: JSONValue = .object([
            "type": .string("alert." + news.kind.rawValue), "timestamp": time(news.atMs), "data": .object(data),
        ])
        return String(decoding: Self.bytes(body), as: UTF8.self)
    }

    private static func bytes(_ value: JSONValue) -> [UInt8] { Array(ConfigurationSentence.text(of: value).utf8) }
}
