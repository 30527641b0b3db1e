// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer

/// Alerts that fire, as a part of a page.
struct AlertBlock {
    let alerts: [AlertState]
    let words: Words

    /// Nothing while none fires.
    var html: HTML? {
        guard !alerts.isEmpty else { return nil }
        return section(.class("block"), Attribute("data-alerts", "")) {
            h2 { words.firingAlerts }
            ul(.class("checks")) { for alert in alerts { row(alert) } }
        }
    }

    private func row(_ alert: AlertState) -> HTML {
        li(Attribute("data-alert", alert.key.rule.rawValue)) {
            span(.class("badge bad")) { words.alertFires }
            div {
                h3 { words.name(of: alert.key.rule) }
                p { words.sentence(alert) }
                if !alert.detail.isEmpty { p { alert.detail } }
                p { words.alertSince(words.instant(alert.sinceMs)) }
                p { words.fix(alert.key.rule) }
            }
        }
    }
}
