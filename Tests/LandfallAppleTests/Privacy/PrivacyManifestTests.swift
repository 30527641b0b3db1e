// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The privacy manifest", .timeLimit(.minutes(1)))
struct PrivacyManifestTests {
    let manifest: [String: Any]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..").standardized
        let data = try Data(contentsOf: root.appendingPathComponent("Sources/LandfallApple/PrivacyInfo.xcprivacy"))
        manifest = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    @Test("declares that nothing is for tracking")
    func tracking() throws {
        let collected = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])

        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        #expect(collected.count == 5)
        #expect(collected.allSatisfy { $0["NSPrivacyCollectedDataTypeTracking"] as? Bool == false })
    }

    @Test("gives a reason for each of Apple's watched interfaces that the SDK calls, and for no other")
    func reasons() throws {
        let declared = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])

        // Only `PreferencesFile` reads times: the creation and modification dates of the app's preferences file.
        #expect(declared.map { $0["NSPrivacyAccessedAPIType"] as? String } == ["NSPrivacyAccessedAPICategoryFileTimestamp"])
        #expect(declared.map { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] } == [["C617.1"]])
    }
}
