// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// Taps on one short link, each with a different tracking parameter.
enum NumberedLink {
    static let rules = LinkRules(domains: LinkDomains(brand: ["brandname.go.link"]))

    private static let parameter = "lf_tap"

    static func receive(_ number: Int, _ client: LandfallClient) throws {
        let url = try url(number)
        say("trying link \(number)")
        if client.receive(url) { say("accepted link \(number)") }
    }

    /// Asks where a link leads, as an app does that decides for itself; does not wait for the answer.
    static func open(_ number: Int, _ client: LandfallClient) throws {
        let url = try url(number)
        say("trying open \(number)")
        Task {
            let asked = ContinuousClock.now
            _ = await client.open(url, from: .system)
            // A call that is answered late was not answered.
            if ContinuousClock.now - asked < .seconds(10) { say("accepted open \(number)") }
        }
    }

    /// The app acts on some links at once; others it is still busy with when it is killed.
    static func hear(_ link: ReceivedLink, _ lines: StoredLines) async {
        guard let number = number(of: link.original) else { return }
        say("heard \(link.isRedelivered ? "again" : "new") \(number)")
        if number.isMultiple(of: 3) { try? await Task.sleep(for: .milliseconds(200)) }
        say("trying take \(number)")
        link.markTaken()
        if await lines.hold("\"done\"", link.id) { say("accepted take \(number)") }
    }

    private static func url(_ number: Int) throws -> URL {
        guard let url = URL(string: "https://brandname.go.link/beach?\(parameter)=\(number)") else { throw URLError(.badURL) }
        return url
    }

    private static func number(of url: URL) -> Int? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == parameter }?.value
            .flatMap { Int($0) }
    }
}
