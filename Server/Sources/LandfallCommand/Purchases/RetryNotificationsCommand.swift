// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// `landfall retry-notifications`.
struct RetryNotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry-notifications", abstract: "Works again on notifications of the App Store that the server has given up.",
        discussion: """
            A server gives a notification up if its work fails eight times, or if it is refused by then, and keeps its body. Say this after \
            the cause is gone: a newer release, the right --app-store-root, the right app. Works in the folder of the store, also while \
            its server runs.
            """
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let retried = try await store.withReach { reach in
            var count = 0, isMore = true
            while isMore {
                let answer = try await reach.call(BackendCall("POST", GivenUpNotificationRoutes.path))
                let part = try JSONDecoder().decode(RetriedNotifications.self, from: Data(answer))
                count += part.notifications
                isMore = part.isMore
            }
            return RetriedNotifications(notifications: count, isMore: false)
        }
        if store.json { try store.printJSON(retried) } else { Output.line(Self.text(of: retried)) }
    }

    static func text(of retried: RetriedNotifications) -> String {
        guard retried.notifications > 0 else { return "No notification was given up." }
        return "\(retried.notifications) notification(s) are worked on again, now or when a server runs."
    }
}
