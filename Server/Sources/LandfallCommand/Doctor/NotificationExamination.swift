// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer

/// Asks the App Store for a test notification. Only if it is wished: Apple posts to the server, which stores it, and it takes half a
/// minute at most.
struct NotificationExamination {
    private static let check = "testNotification"

    let place: StorePlace

    func finding() async -> DoctorFinding {
        do {
            let store = Reach.Place.store(place, configurationFile: nil)
            try store.requireStore()
            let test = try await Reach.with(store, makesStore: false) { try await $0.testNotification() }
            return test.isGood
                ? .good(Self.check, test.sentence)
                : .bad(Self.check, test.sentence, fix: "Then ask again with 'landfall test-notification'; with --sandbox it is one of the sandbox.")
        } catch {
            return .bad(Self.check, "\(error)", fix: "Ask for no test without 'purchases.api' and a server on this store.")
        }
    }
}
