// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import Testing

@Suite("ADJAttribution", .timeLimit(.minutes(1)))
struct ADJAttributionTests {
    private static func summer() throws -> ADJAttribution {
        try #require(ADJAttribution(Profile(id: "ada", installID: "install-1", attribution: .summer)))
    }

    @Test("as a dictionary has the known values by their names, and as a server's answer by the server's")
    func dictionaries() throws {
        let summer = try Self.summer()

        let values = try #require(summer.dictionary() as? [String: String])
        let answer = try #require(summer.jsonResponse as? [String: String])

        #expect(
            values == [
                "trackerName": "newsletter::summer::beach::poster", "network": "newsletter", "campaign": "summer",
                "adgroup": "beach", "creative": "poster", "adid": "install-1",
            ])
        #expect(answer["tracker_name"] == values["trackerName"])
        #expect(JSONSerialization.isValidJSONObject(values))
        #expect(summer.adid == "install-1")
    }

    @Test("survives an archive, and is its own copy")
    func archived() throws {
        let summer = try Self.summer()

        let data = try NSKeyedArchiver.archivedData(withRootObject: summer, requiringSecureCoding: true)
        let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: ADJAttribution.self, from: data)

        #expect(again == summer)
        #expect(again?.adid == summer.adid)
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        summer.encode(with: coder)
        #expect(!coder.encodedData.isEmpty)
        #expect(summer.copy() as? ADJAttribution === summer)
        #expect(summer.isEqual(to: again))
        #expect(!summer.isEqual(to: nil))
    }
}
