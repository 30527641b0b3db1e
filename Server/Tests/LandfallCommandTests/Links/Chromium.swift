// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import SystemCalls

/// A real Chromium without a window, driven by WebDriver. Debian: chromium, chromium-driver.
final class Chromium: Sendable {
    static let driver = "/usr/bin/chromedriver"
    static let browser = "/usr/bin/chromium"
    static var isInstalled: Bool { [driver, browser].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } }

    struct Refused: Error { let text: String }

    private let process: SpawnedProcess
    private let session: String
    private let userAgent: String

    /// - Parameters:
    ///   - host: leads to this machine; every other host leads nowhere.
    ///   - runsScripts: false is a browser with JavaScript turned off.
    static func run(
        userAgent: String, host: String, runsScripts: Bool = true, _ body: (Chromium) async throws -> Void
    ) async throws {
        let (process, port) = try await start()
        defer { process.signal(SIGTERM) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-chromium-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var options: [String: Any] = [
            "binary": browser,
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-agent=\(userAgent)",
                "--host-resolver-rules=MAP \(host) 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE 127.0.0.1",
                "--user-data-dir=\(folder.path)",
            ],
        ]
        if !runsScripts { options["prefs"] = ["profile.managed_default_content_settings.javascript": 2] }
        let wanted: [String: Any] = [
            "capabilities": ["alwaysMatch": ["goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"]]]
        ]
        let root = "http://127.0.0.1:\(port)/session"
        guard let answer = try await call("POST", root, wanted) as? [String: Any], let id = answer["sessionId"] as? String
        else {
            throw Refused(text: "no session")
        }
        let chromium = Chromium(process: process, session: "\(root)/\(id)", userAgent: userAgent)
        do {
            try await body(chromium)
        } catch {
            _ = try? await Self.call("DELETE", chromium.session)
            throw error
        }
        _ = try await Self.call("DELETE", chromium.session)
    }

    private init(process: SpawnedProcess, session: String, userAgent: String) {
        self.process = process
        self.session = session
        self.userAgent = userAgent
    }

    /// Opens an address; if it cannot be reached, the address stays that of the last request.
    func open(_ url: String) async throws -> String {
        _ = try? await Self.call("POST", "\(session)/url", ["url": url])
        return try await Self.call("GET", "\(session)/url") as? String ?? ""
    }

    /// From now on pages find a touch screen, or none.
    func pretendTouch(_ points: Int) async throws {
        let parameters: [String: Any] = points > 0 ? ["enabled": true, "maxTouchPoints": points] : ["enabled": false]
        let command: [String: Any] = ["cmd": "Emulation.setTouchEmulationEnabled", "params": parameters]
        _ = try await Self.call("POST", "\(session)/goog/cdp/execute", command)
    }

    /// The result of a script on the page, as text.
    func value(_ script: String) async throws -> String {
        let result = try await Self.call("POST", "\(session)/execute/sync", ["script": script, "args": [String]()])
        return result.map { "\($0)" } ?? ""
    }

    /// Texts and addresses of what can be tapped. A button that counts its tap has the address to which the server sends the browser.
    func buttons() async throws -> [(label: String, address: String)] {
        let page = try await Self.call("GET", "\(session)/url") as? String ?? ""
        var buttons: [(String, String)] = []
        for element in try await elements("main a") {
            let label = try await Self.call("GET", "\(element)/text") as? String ?? ""
            let address = try await Self.call("GET", "\(element)/attribute/href") as? String ?? ""
            buttons.append((label.replacing("\n", with: " "), try await followed(address, on: page)))
        }
        return buttons
    }

    private func followed(_ address: String, on page: String) async throws -> String {
        guard address.contains("lf_tap="), let url = URL(string: address, relativeTo: URL(string: page)), let port = url.port,
            let host = url.host(), let query = url.query(percentEncoded: true)
        else { return address }
        let request = "GET \(url.path(percentEncoded: true))?\(query) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: \(userAgent)\r\n\r\n"
        return try await onThread {
            let connection = try RawConnection(port: port)
            try connection.send(request)
            return connection.answer()?.headers["location"] ?? address
        }
    }

    func isShown(_ selector: String) async throws -> Bool {
        guard let element = try await elements(selector).first else { return false }
        return try await Self.call("GET", "\(element)/displayed") as? Bool ?? false
    }

    func tap(_ selector: String) async throws {
        guard let element = try await elements(selector).first else { throw Refused(text: "nothing is \(selector)") }
        _ = try await Self.call("POST", "\(element)/click", [:])
    }

    func type(_ text: String, into selector: String) async throws {
        guard let element = try await elements(selector).first else { throw Refused(text: "nothing is \(selector)") }
        _ = try await Self.call("POST", "\(element)/value", ["text": text])
    }

    /// What the pasteboard holds, pasted into a field until something arrives: the browser copies and pastes in its own time,
    /// and ends a key press before that.
    func paste(into selector: String) async throws -> String {
        for _ in 0..<100 {
            try await type("\u{E009}v\u{E000}", into: selector)
            let pasted = try await value("return document.querySelector('\(selector)').value")
            if !pasted.isEmpty { return pasted }
            try await Task.sleep(for: .milliseconds(100))
        }
        return ""
    }

    /// The browser's error messages.
    func complaints() async throws -> [String] {
        let entries = try await Self.call("POST", "\(session)/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
        return entries.compactMap { $0["message"] as? String }
    }

    private func elements(_ selector: String) async throws -> [String] {
        let using = ["using": "css selector", "value": selector]
        let found = try await Self.call("POST", "\(session)/elements", using) as? [[String: Any]] ?? []
        return found.compactMap { $0.values.first as? String }.map { "\(session)/element/\($0)" }
    }

    private static func start() async throws -> (SpawnedProcess, Int) {
        let process = try SpawnedProcess([driver, "--port=0"])
        Task.detached { _ = try? await process.errors.textToEnd() }
        let port = try await onThread {
            var text = ""
            while let part = try process.output.read(upToCount: 1), !part.isEmpty {
                text += String(decoding: part, as: UTF8.self)
                if let found = text.firstMatch(of: /on port (\d+)\./) { return Int(found.output.1) }
            }
            return nil
        }
        guard let port else { throw Refused(text: "the driver did not start") }
        return (process, port)
    }

    /// - Returns: the `value` of the answer.
    private static func call(_ method: String, _ url: String, _ body: [String: Any]? = nil) async throws -> Any? {
        guard let address = URLComponents(string: url), let port = address.port else { throw Refused(text: url) }
        let content = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let head = "\(method) \(address.path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(content.count)\r\n\r\n"
        let answer = try await onThread {
            let connection = try RawConnection(port: port)
            try connection.send(Data(head.utf8) + content)
            return connection.answer(within: 60_000)
        }
        guard let answer else { throw Refused(text: "no answer") }
        guard answer.status == 200 else { throw Refused(text: String(decoding: answer.body.prefix(500), as: UTF8.self)) }
        let value = (try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])?["value"]
        return value is NSNull ? nil : value
    }
}
