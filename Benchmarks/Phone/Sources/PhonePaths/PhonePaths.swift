// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// An app that obeys commands on standard input, for `Benchmarks/entered --phone`, and answers each line with `done`:
/// `open` is a launch that still waits for its ad token, `token` supplies the token and ends with Apple's answer at the app,
/// `tap` is a link from the hook to the app and out of the files.
@main
struct PhonePaths {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-paths-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var launch = try Launch(folder.appendingPathComponent("0"))
        var count = 0
        while let command = readLine() {
            switch command {
            case "open":
                await launch.client.shutdown()
                count += 1
                launch = try Launch(folder.appendingPathComponent("\(count)"))
                launch.client.start()
                for await _ in launch.client.profiles { break }
            case "token":
                launch.token.finish()
                for await profile in launch.client.profiles where !profile.attribution.isPending { break }
            case "tap":
                count += 1
                guard let link = URL(string: "example://products/\(count)") else { return }
                launch.client.receive(link)
                for await link in launch.client.links {
                    link.markTaken()
                    break
                }
            default: return
            }
            try FileHandle.standardOutput.write(contentsOf: Data("done\n".utf8))
        }
        await launch.client.shutdown()
    }
}

private struct Launch {
    let client: LandfallClient
    let token: AsyncStream<Never>.Continuation

    init(_ directory: URL) throws {
        guard let server = URL(string: "https://api.example.com") else { throw URLError(.badURL) }
        let (waiting, token) = AsyncStream.makeStream(of: Never.self)
        self.token = token
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: server, preparing: ["onboarding"])
        configuration.storage = FileStorage(directory: directory)
        configuration.transport = Server()
        configuration.adTokens = HeldToken(waiting: waiting)
        configuration.links = LinkRules(domains: LinkDomains(schemes: ["example"]))
        configuration.log = { _ in }
        client = LandfallClient(configuration)
    }
}

private struct HeldToken: AdTokenSource {
    let waiting: AsyncStream<Never>

    func token() async throws -> String {
        for await _ in waiting {}
        return "token"
    }
}

/// Holds a first open until the token has arrived, then answers that Apple Ads brought the user.
private final class Server: Transport {
    private let stream = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let install = String(request.headers["landfall-profile"]?.prefix { $0 != "." } ?? "")
        let pending = #""attribution":{"state":"pending","nextAnswerNotBefore":0}"#
        switch request.url.path {
        case "/v1/first-open":
            say(#"{"type":"profile","profile":\#(profile(install, version: 1))}"#)
            say(#"{"type":"attribution",\#(pending)}"#)
            return TransportAnswer(status: 200, headers: ["landfall-version": "1"], body: stream.stream)
        case "/v1/profiles/me/ad-token":
            let apple = #"{"state":"attributed","source":"apple_search_ads","verified":true,"test":false,"attributedAtMilliseconds":0}"#
            say(#"{"type":"profile","profile":\#(profile(install, version: 2))}"#)
            say(#"{"type":"attribution","attribution":\#(apple)}"#)
            return answer(#"{"profile":\#(profile(install, version: 1)),\#(pending)}"#)
        default: throw TransportError(.offline)
        }
    }

    private func say(_ line: String) { stream.continuation.yield(Data((line + "\n").utf8)) }

    private func profile(_ install: String, version: Int) -> String {
        #"{"id":"profile","installId":"\#(install)","epoch":1,"version":\#(version),"attributionVersion":\#(version),"#
            + #""appliedAttributionSources":[],"customAttributes":{},"isReinstall":false}"#
    }

    private func answer(_ json: String) -> TransportAnswer {
        TransportAnswer(
            status: 200, headers: ["landfall-version": "1"],
            body: AsyncThrowingStream { body in
                body.yield(Data(json.utf8))
                body.finish()
            })
    }
}
