// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import Testing

@Suite("The file of the app's preferences", .timeLimit(.minutes(1)))
struct PreferencesFileTests {
    @Test("proves an earlier launch only if it is older than the process")
    func ages() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-\(UUID()).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        let written = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(PreferencesFile.lastUse(file, before: .now) == nil)
        try Data().write(to: file)
        try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: file.path)

        #expect(PreferencesFile.lastUse(file, before: written.addingTimeInterval(1)) == written)
        #expect(PreferencesFile.lastUse(file, before: written) == nil)
    }

    @Test("proves nothing if the platform keeps none, and does no harm")
    func elsewhere() {
        #if os(Linux)
        #expect(PreferencesFile.lastUse() == nil)
        #else
        _ = PreferencesFile.lastUse()
        #endif
    }
}
