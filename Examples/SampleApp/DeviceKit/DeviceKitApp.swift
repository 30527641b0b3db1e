// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import SwiftUI

/// The device kit: a checklist for a real phone that completes itself while a person does its steps.
@main
struct DeviceKitApp: App {
    private let kit: DeviceKit

    init() {
        // iOS may remove the mark before the app has launched, so it is read first.
        let isPrewarmed = AppLifecycleSignals.isProcessPrewarmed
        let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        var configuration = LandfallConfiguration.live(
            sdkKey: "pk_demo", server: URL(string: "https://api.example.com")!, preparing: ["onboarding"])
        configuration.links = LinkRules(
            domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]))
        kit = DeviceKit(
            configuration, keeping: ObservationFile(folder.appendingPathComponent("observations.jsonl")),
            isPrewarmed: isPrewarmed)
    }

    var body: some Scene {
        WindowGroup { ChecklistView(kit: kit).landfallClient(kit.client) }
    }
}
