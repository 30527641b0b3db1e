// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization

@testable import LandfallServer

/// Answers each token from its own script, the last answer again and again; a token without a script is organic.
final class ScriptedAppleAds: AppleAdsService {
    enum Answer: Sendable {
        case reply(Int, String = "")
        /// 429 with the time after which Apple may be asked again.
        case rest(seconds: Int64)
        /// Says nothing until the question is given up.
        case silence
        case brokenConnection
    }
    struct BrokenConnection: Error {}

    static let attributed = Answer.reply(
        200,
        #"{"attribution":true,"orgId":40669820,"campaignId":542370539,"adGroupId":542317095,"keywordId":87675432,"adId":542317136,"countryOrRegion":"US","conversionType":"Download","claimType":"Click","clickDate":"2026-09-20T17:17Z","supplyPlacement":"APPSTORE_SEARCH_RESULTS"}"#
    )
    static let developerMode = Answer.reply(
        200,
        #"{"attribution":true,"orgId":1234567890,"campaignId":1234567890,"adGroupId":1234567890,"keywordId":123222,"adId":542317136,"countryOrRegion":"US","conversionType":"Download","claimType":"Click","clickDate":"2020-04-08T17:17Z"}"#
    )
    static let organic = Answer.reply(200, #"{"attribution":false}"#)

    private let state: Mutex<(scripts: [String: [Answer]], asked: [String])>

    init(_ scripts: [String: [Answer]] = [:]) { state = Mutex((scripts, [])) }

    /// Every token in the order in which it was asked for.
    var asked: [String] { state.withLock(\.asked) }

    func script(_ token: String, _ answers: Answer...) { state.withLock { $0.scripts[token] = answers } }

    func answer(to token: String) async throws -> AppleAdsReply {
        let answer = state.withLock { state -> Answer in
            state.asked.append(token)
            guard let script = state.scripts[token], let first = script.first else { return Self.organic }
            if script.count > 1 { state.scripts[token]?.removeFirst() }
            return first
        }
        switch answer {
        case .reply(let status, let body): return AppleAdsReply(status: status, body: Array(body.utf8))
        case .rest(let seconds): return AppleAdsReply(status: 429, body: [], retryAfter: seconds)
        case .brokenConnection: throw BrokenConnection()
        case .silence:
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            throw CancellationError()
        }
    }
}
