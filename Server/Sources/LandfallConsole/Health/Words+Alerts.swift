// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer

/// Alerts that fire.
extension Words {
    var firingAlerts: String { translate("Alerts that fire") }
    var alertFires: String { translate("Alert", context: "a badge") }
    func alertsFire(_ count: Int) -> String { translate(count, one: "1 alert fires.", other: "\(count) alerts fire.") }
    func alertSince(_ moment: String) -> String { translate("Since \(moment)", context: "an alert") }

    func name(of rule: AlertRule) -> String {
        switch rule {
        case .appleSilent: translate("Apple does not answer about ad tokens")
        case .tokensNotFound: translate("Apple does not know ad tokens")
        case .deadlinesMissed: translate("First opens end too early")
        case .fallbackShare: translate("Paywalls from the file in the app")
        case .associationFile: translate("Association file")
        case .appleCopy: translate("Apple's copy of the association file")
        case .certificate: translate("Certificate")
        case .expiredClicks: translate("Clicks on expired links")
        case .linksReachApp: translate("Links that reach the app")
        case .disk: translate("Space on the disk")
        case .backup: translate("Age of the backup")
        case .webhook: translate("Webhook")
        case .notificationsSilent: translate("Notifications of the App Store")
        }
    }

    /// What is wrong, and by how much.
    func sentence(_ alert: AlertState) -> String {
        let rule = alert.key.rule, sentence = sentence(rule, alert.key.subject, alert.value.map { amount($0, of: rule) })
        guard let limit = alert.limit, alert.value != nil else { return sentence }
        let most = amount(limit, of: rule)
        return sentence + " " + translate("The limit is \(most).")
    }

    private func sentence(_ rule: AlertRule, _ host: String, _ value: String?) -> String {
        let amount = value ?? "–"
        return switch rule {
        case .appleSilent: translate("The oldest ad token has waited for Apple for \(amount).")
        case .tokensNotFound: translate("\(amount) of Apple's answers of the last hour say that the token is unknown.")
        case .deadlinesMissed: translate("\(amount) of the first opens of the last hour ended before everything about them was known.")
        case .fallbackShare: translate("\(amount) of the paywalls seen since yesterday came from the file in the app.")
        case .associationFile: translate("\(host) does not serve the association file of this server.")
        case .appleCopy: translate("Apple's copy of the file of \(host) is not the one of this server.")
        case .certificate where value == nil: translate("Phones do not trust the certificate of \(host).")
        case .certificate: translate("The certificate of \(host) ends in \(amount).")
        case .expiredClicks: translate("Clicks since yesterday: \(amount).")
        case .linksReachApp: translate("The share of clicks that reach the app has fallen by \(amount).")
        case .disk: translate("\(amount) of the disk that holds the store is free.")
        case .backup: translate("The newest backup is \(amount) old.")
        case .webhook where value == nil: translate("The webhook at \(host) takes nothing.")
        case .webhook: translate("The webhook at \(host) has taken nothing for \(amount).")
        case .notificationsSilent: translate("None has come by itself for \(amount), although there were some.")
        }
    }

    func fix(_ rule: AlertRule) -> String {
        switch rule {
        case .appleSilent: translate("Look at Apple's system status, and let this machine reach Apple.")
        case .tokensNotFound: translate("Look whether a new version of the app or of iOS began it.")
        case .deadlinesMissed: translate("Look at how fast Apple answers, and at the server's load.")
        case .fallbackShare: translate("Look whether phones reach the API: certificate, proxy, failing requests.")
        case .associationFile: translate("Run 'landfall doctor', and lead the domain to this server.")
        case .appleCopy: translate("Apple asks again within a day. If it stays so, run 'landfall doctor'.")
        case .certificate: translate("Renew it, and find out why it was not renewed by itself.")
        case .expiredClicks: translate("Give the links a later end or another destination.")
        case .linksReachApp: translate("Open a link on a phone, and check the app's Associated Domains.")
        case .disk: fix(.disk(free: 0))
        case .backup: fix(.backup(ageMs: nil, isShared: false))
        case .webhook: translate("Look at the receiver: it answers 200 to 299 within 10 seconds.")
        case .notificationsSilent: translate("Run 'landfall test-notification': it says how far a notification comes.")
        }
    }

    private func amount(_ value: Int64, of rule: AlertRule) -> String {
        switch rule.limit?.unit {
        case .percent?: language.share(Double(value) / 100)
        case .days?: span(value * 86_400_000)
        case .hours?: span(value * 3_600_000)
        case .minutes?: span(value * 60_000)
        case .count?, nil: language.count(value)
        }
    }
}
