// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import SwiftUI

/// The checklist with one row for each check, and the buttons.
struct ChecklistView: View {
    let kit: DeviceKit

    @Environment(\.scenePhase) private var phase
    @State private var observations = Observations()

    var body: some View {
        List {
            ForEach(DeviceCheck.all, id: \.id) { check in
                CheckRow(check: check, verdict: check.verdict(observations))
            }
            Button("Ask for the paywall") { act { await kit.ask() } }
            PasteButton(payloadType: String.self) { texts in act { await kit.pasted(texts) } }
            ShareLink(item: report.text)
            Button("Begin a new report") { act { await kit.file.removeAll() } }
        }
        .navigationTitle("Device kit")
        .landfallLinks(kit.client, isReady: true) { link in act { await kit.note(link) } }
        .task { await kit.run() }
        .task {
            for await path in networkPaths() {
                await kit.file.note(.path(path))
                await look()
            }
        }
        .task(id: phase) { [phase] in
            if phase == .active { await kit.file.note(.activated) }
            await look()
        }
    }

    private var report: DeviceReport {
        DeviceReport(
            observations, device: hardware(), system: ProcessInfo.processInfo.operatingSystemVersionString,
            app: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "")
    }

    private func act(_ body: @escaping @MainActor () async -> Void) {
        Task {
            await body()
            await look()
        }
    }

    private func look() async { observations = await kit.file.observations }
}

/// What to do, and the result.
struct CheckRow: View {
    let check: DeviceCheck
    let verdict: DeviceCheck.Verdict

    var body: some View {
        VStack(alignment: .leading) {
            Text(check.title).font(.title)
            ForEach(check.steps, id: \.self) { step in Text(step) }
            Text(verdict.text).font(.footnote)
        }
    }
}

/// Apple's name of this hardware, such as `iPhone15,2`.
func hardware() -> String {
    var system = utsname()
    guard uname(&system) == 0 else { return "unknown" }
    return withUnsafeBytes(of: &system.machine) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}
