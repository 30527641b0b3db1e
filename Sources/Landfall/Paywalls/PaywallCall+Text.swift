// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension PaywallCall {
    /// The paywall that this call got, and why.
    func inWords(_ result: Result<PaywallResult, LandfallError>, now: Duration) -> String {
        let question = "The call for '\(key.placement)' (\(key.kind.rawValue))"
        let after = "after \((now - asked).inWords)"
        switch result {
        case .success(let shown):
            let paywall = shown.paywall.map { "'\($0.name)', variation '\($0.variationID)'" } ?? "nothing to show"
            let arm = shown.assignment.map { ", variation '\($0.variation)' of the experiment '\($0.experiment)'" } ?? ""
            let why = self.why?.text ?? PaywallReason.pinned.text
            return "\(question) got \(paywall)\(arm), audience '\(shown.audience)', from \(shown.origin.inWords) \(after), because \(why)."
        case .failure(let error): return "\(question) got nothing \(after): \(error)"
        }
    }
}

extension PaywallResult.Origin {
    var inWords: String {
        switch self {
        case .matchingAudience: "the server's answer for the matching audience"
        case .defaultAudience: "the server's answer for everyone"
        case .cache(let age): "the files, stored \(age.inWords) ago"
        case .bundled: "the fallback file"
        }
    }
}

extension PaywallKey {
    var inWords: String { "'\(placement)' (\([kind.rawValue, locale].filter { !$0.isEmpty }.joined(separator: ", ")))" }
    var sortKey: String { "\(placement) \(kind.rawValue) \(locale)" }
}
