// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// What an alert says, in English: what is wrong, how much against which limit, and what to do.
package enum AlertText {
    package static let page = "docs/operating/alerts.md"

    /// - Parameter value: as it was measured.
    package static func sentence(_ key: AlertKey, value: Int64?, limit: Int64?, detail: String) -> String {
        let what = what(key, value.map { amount($0, of: key.rule) } ?? "")
        let against = limit.flatMap { limit in value == nil ? nil : " The limit is \(amount(limit, of: key.rule))." } ?? ""
        return what + against + (detail.isEmpty ? "" : " " + detail)
    }

    private static func what(_ key: AlertKey, _ amount: String) -> String {
        switch key.rule {
        case .appleSilent: "The oldest ad token has waited for Apple's answer for \(amount)."
        case .tokensNotFound: "\(amount) of Apple's answers of the last hour say that the ad token is unknown."
        case .deadlinesMissed: "\(amount) of the first opens of the last hour ended before everything about them was known."
        case .fallbackShare: "\(amount) of the paywalls seen since yesterday came from the file in the app."
        case .associationFile: "\(key.subject) does not serve the association file of this server."
        case .appleCopy: "Apple's copy of the association file of \(key.subject) is not the one of this server."
        case .certificate: amount.isEmpty ? "Phones do not trust the certificate of \(key.subject)." : "The certificate of \(key.subject) ends in \(amount)."
        case .expiredClicks: "Clicks on expired links since yesterday: \(amount)."
        case .linksReachApp: "The share of clicks that reach the app has fallen by \(amount) since yesterday, beside the two weeks before."
        case .disk: "\(amount) of the disk that holds the store is free."
        case .backup: "The newest backup of the store is \(amount) old."
        case .webhook: amount.isEmpty ? "The webhook at \(key.subject) takes nothing." : "The webhook at \(key.subject) has taken nothing for \(amount)."
        case .notificationsSilent: "No notification of the App Store has come by itself for \(amount), although there were some."
        }
    }

    package static func action(_ rule: AlertRule) -> String {
        switch rule {
        case .appleSilent:
            "Look at Apple's system status, and let this machine reach api-adservices.apple.com on port 443. Tokens are asked about for a day."
        case .tokensNotFound: "Look whether apps send tokens late or of another app, and whether a new version of the app or of iOS began it."
        case .deadlinesMissed: "Look at the time of Apple's answers (landfall_apple_ads_answer_seconds) and at the server's load."
        case .fallbackShare: "Look whether phones reach the API: its certificate, its proxy, and requests that fail."
        case .associationFile: "Run 'landfall doctor': it says what the domain answers. Lead the domain to this server, without a redirect and without a cache for longer than minutes."
        case .appleCopy: "Apple asks a domain again within a day. If it stays so, run 'landfall doctor', and let Apple reach the domain from everywhere."
        case .certificate: "Renew it, and find out why it was not renewed by itself (certbot renew, or the log of Caddy)."
        case .expiredClicks: "Look at the links report, ordered by expiredClicks. Give the links a later end or another destination, or take them out of circulation."
        case .linksReachApp: "Run 'landfall doctor' for the association files, and open a link on a phone. A new version of the app may have lost its Associated Domains."
        case .disk: "Below 5 % writes are refused. Enlarge the disk, or shorten 'retention' in the configuration."
        case .backup: "Look at landfall-backup.timer, and run 'landfall backup'."
        case .webhook: "Look at the receiver: it answers 200 to 299 within 10 seconds. What waits is sent for three days."
        case .notificationsSilent: "Run 'landfall test-notification': it says how far a notification of Apple comes. Purchases are asked for meanwhile, up to an hour late."
        }
    }

    /// `12 %`, `3 days`.
    package static func amount(_ value: Int64, of rule: AlertRule) -> String {
        switch rule.limit?.unit {
        case .percent?: "\(value) %"
        case .days?: "\(value) \(value == 1 ? "day" : "days")"
        case .hours?: "\(value) \(value == 1 ? "hour" : "hours")"
        case .minutes?: "\(value) \(value == 1 ? "minute" : "minutes")"
        case .count?, nil: "\(value)"
        }
    }
}
