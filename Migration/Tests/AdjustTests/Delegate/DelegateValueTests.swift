// SPDX-License-Identifier: Apache-2.0
import Adjust
import Testing

@Suite("The values that a delegate's methods take", .timeLimit(.minutes(1)))
struct DelegateValueTests {
    @Test("have the time under both generations' names")
    func time() {
        let (session, failedSession) = (ADJSessionSuccess(), ADJSessionFailure())
        let (event, failedEvent) = (ADJEventSuccess(), ADJEventFailure())

        session.timestamp = "2026-11-27"
        failedSession.timestamp = "2026-11-27"
        event.timeStamp = "2026-11-27"
        failedEvent.timeStamp = "2026-11-27"

        #expect([session.timeStamp, failedSession.timeStamp] == ["2026-11-27", "2026-11-27"])
        #expect([event.timestamp, failedEvent.timestamp] == ["2026-11-27", "2026-11-27"])
    }

    @Test("can be made by an app's own tests")
    func made() {
        let attribution = ADJAttribution(
            jsonDict: ["tracker_token": "abc", "network": "newsletter", "campaign": "summer", "cost_type": "cpi"], adid: "ada")
        let sharing = ADJThirdPartySharingResult(thirdPartySharingSettings: "{}")

        #expect(attribution?.trackerToken == "abc")
        #expect(attribution?.network == "newsletter")
        #expect(attribution?.adid == "ada")
        #expect(attribution?.creative == nil)
        #expect(attribution?.costType == "cpi")
        #expect(ADJAttribution(jsonDict: ["adid": "eve"], adid: "ada")?.adid == "ada")
        #expect(ADJAttribution(jsonDict: ["adid": "eve"])?.adid == "eve")
        #expect(ADJRemoteTrigger(label: "offer", payload: ["id": 7]).payload["id"] as? Int == 7)
        #expect(sharing.thirdPartySharingSettingsJson == "{}")
    }
}
