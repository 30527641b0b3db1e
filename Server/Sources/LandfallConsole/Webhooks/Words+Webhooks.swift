// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Endpoints.
extension Words {
    var webhooksTitle: String { translate("Webhooks") }
    var noWebhooks: String { translate("The configuration has no endpoint. Write 'webhooks' into landfall.yaml.") }
    func webhooksDropped(_ count: Int64) -> String {
        translate("Messages that had to make room for newer ones, because too many waited: \(language.count(count)).")
    }
    func name(of state: WebhookEntry.State) -> String {
        switch state {
        case .on: translate("Takes its messages")
        case .failing: translate("Takes nothing")
        case .off: translate("Switched off")
        }
    }
    func webhookSince(_ atMs: Int64) -> String { translate("since \(instant(atMs))") }
    var webhookLastFailure: String { translate("The last try failed:") }
    var webhookWaiting: String { translate("Waiting", context: "messages") }
    var webhookGivenUp: String { translate("Given up after three days") }
    func webhookOldest(_ atMs: Int64) -> String { translate("The oldest message waits since \(instant(atMs)).") }
    var webhookTest: String { translate("Send a test event") }
    func webhookTestDelivered(_ host: String, status: Int64, afterMs: Int64) -> String {
        translate("\(host) took the test event: status \(String(status)) after \(milliseconds(afterMs)).")
    }
    func webhookTestFailed(_ host: String, _ failure: String) -> String { translate("\(host) did not take the test event: \(failure)") }
    var webhookSwitchOn: String { translate("Switch it on again") }
}

/// Deliveries.
extension Words {
    var webhookDeliveries: String { translate("Deliveries") }
    var webhookDelivery: String { translate("Delivery") }
    var webhookWhich: String { translate("Which deliveries") }
    var webhookAll: String { translate("All", context: "deliveries") }
    var webhookUndelivered: String { translate("Not delivered") }
    var noDeliveries: String { translate("There is no delivery here.") }
    var webhookKept: String { translate("What has ended is kept for seven days, of the newest 20,000 messages.") }
    var webhookTime: String { translate("Time") }
    var webhookType: String { translate("Type") }
    var webhookState: String { translate("State") }
    var webhookAnswer: String { translate("Answer", context: "of a receiver") }
    var webhookTries: String { translate("Tries") }
    var webhookLastTry: String { translate("Last try") }
    var webhookNextTry: String { translate("Next try") }
    var webhookFailure: String { translate("Why it failed") }
    var webhookAnswerBody: String { translate("The beginning of the answer") }
    var webhookBody: String { translate("What the endpoint gets") }
    var webhookBodyText: String { translate("Shown with line breaks. It is sent in one line.") }
    var webhookAgain: String { translate("Send it again now") }
    var webhookAgainText: String { translate("The id stays the same. A delivery that has ended begins its tries anew.") }
    var webhookReplay: String { translate("Send again what has ended") }
    var webhookReplayText: String {
        translate("Every kept message of these hours goes out once more, also those that were delivered. Receivers know them by their ids.")
    }
    var webhookReplayRange: String { translate("The last") }
    func webhookReplayed(_ count: Int64) -> String {
        translate(count, one: "1 delivery begins anew.", other: "\(language.count(count)) deliveries begin anew.")
    }

    func state(of delivery: WebhookDelivery) -> String {
        switch delivery.ending {
        case .delivered: translate("Delivered")
        case .givenUp: translate("Given up")
        case .off: translate("Ended by 410")
        case nil: delivery.attempts > 0 ? translate("Is tried again") : translate("Waits")
        }
    }
}
