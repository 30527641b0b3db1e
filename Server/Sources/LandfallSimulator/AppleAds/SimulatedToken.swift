// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallWire

/// An ad token that contains its own answer: `sim.` and a URL query.
///
/// | key | means | default |
/// |---|---|---|
/// | `attribution` | `true`: an Apple Ads install; `false`: organic | `false` |
/// | `orgId`, `campaignId`, `adGroupId`, `keywordId`, `adId`, `conversionType`, `claimType`, `countryOrRegion`, `clickDate`, `impressionDate`, `supplyPlacement` | that field of the answer; empty leaves it out | a plausible tap |
/// | `delay` | milliseconds before each answer, 0…600,000 | 0 |
/// | `failures` | answers 500 that many times first, 0…1,000 | 0 |
/// | `notFound` | then answers 404 that many times, 0…1,000 | 0 |
/// | `status` | 400 or 500: answers that instead of an attribution | |
/// | `garbage=1` | answers 200 with broken JSON | |
/// | `hang=1` | does not answer | |
/// | `developer=1` | answers what Apple answers in developer mode | |
///
/// Any other key only makes the token a different one. Any other token, or a value out of range, is invalid.
package struct SimulatedToken: Hashable, Sendable {
    /// The token's final answer.
    package enum Ending: Hashable, Sendable {
        case answer(AppleAdsAnswer)
        case status(Int)
        case garbage
        case silence
    }

    package var failures = 0
    var notFound = 0
    package var delay = Duration.zero
    var ending: Ending

    /// nil if Apple would call the token invalid.
    package init?(_ token: String) {
        guard token.hasPrefix("sim."),
            let items = URLComponents(string: "?" + token.dropFirst(4))?.queryItems,
            let order = Order(items)
        else { return nil }
        failures = order.failures
        notFound = order.notFound
        delay = .milliseconds(order.delay)
        ending = order.ending
    }

    /// The answer to request number `attempt` (from 0) with this token.
    package func reply(toAttempt attempt: Int) -> Ending {
        if attempt < failures { return .status(500) }
        if attempt < failures + notFound { return .status(404) }
        return ending
    }
}

/// The query, parsed strictly: a typing error in a test must not change the behaviour.
private struct Order {
    let failures: Int
    let notFound: Int
    let delay: Int
    let ending: SimulatedToken.Ending

    init?(_ items: [URLQueryItem]) {
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })

        func number(_ key: String, upTo limit: Int) -> Int? {
            guard let text = values[key] else { return 0 }
            guard let value = Int(text), (0...limit).contains(value) else { return nil }
            return value
        }
        func flag(_ key: String) -> Bool? {
            switch values[key] {
            case nil, "0", "false": false
            case "1", "true": true
            default: nil
            }
        }

        guard let failures = number("failures", upTo: 1_000), let notFound = number("notFound", upTo: 1_000),
            let delay = number("delay", upTo: 600_000), let attribution = flag("attribution"),
            let garbage = flag("garbage"), let hang = flag("hang"), let developer = flag("developer")
        else { return nil }
        self.failures = failures
        self.notFound = notFound
        self.delay = delay

        switch values["status"] {
        case nil: break
        case "400", "500":
            ending = .status(values["status"] == "400" ? 400 : 500)
            return
        default: return nil
        }
        if hang {
            ending = .silence
        } else if garbage {
            ending = .garbage
        } else if developer {
            ending = .answer(.developerMode)
        } else {
            let organic = AppleAdsAnswer(attribution: false)
            guard let answer = attribution ? AppleAdsAnswer(ordered: values) : organic else { return nil }
            ending = .answer(answer)
        }
    }
}
