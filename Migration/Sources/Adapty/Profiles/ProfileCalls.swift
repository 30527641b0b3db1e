// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

extension Activation {
    func profile() async throws(AdaptyError) -> AdaptyProfile {
        try await AdaptyError.translating { try await firstProfile() }
    }

    private func firstProfile() async throws -> AdaptyProfile {
        let deadline = time.now() + Self.loadTimeout
        let client = try await client()
        if let profile = client.profile { return AdaptyProfile(profile) }
        return try await withThrowingTaskGroup(of: AdaptyProfile.self) { [time] race in
            defer { race.cancelAll() }
            race.addTask {
                for await profile in client.profiles { return AdaptyProfile(profile) }
                throw CancellationError()
            }
            race.addTask {
                try await time.sleep(deadline)
                throw AdaptyError(
                    .networkFailed, "No profile yet: the server has not answered. The SDK keeps trying; ask later.")
            }
            guard let profile = try await race.next() else { throw CancellationError() }
            return profile
        }
    }

    func update(_ parameters: AdaptyProfileParameters) async throws(AdaptyError) {
        for notice in parameters.notices { log.say(notice) }
        let client = try await client()
        // Collection that the app has turned off stays off.
        if let disabled = parameters.analyticsDisabled { client.setDataCollectionUnlessOptedOut(disabled ? .essential : .full) }
        if !parameters.customAttributes.isEmpty { try await set(parameters.customAttributes) }
    }

    /// Returns when the server has them, as the original does.
    func set(_ changes: [String: AttributeValue?]) async throws(AdaptyError) {
        let client = try await client()
        try await AdaptyError.translating { try await client.setAttributes(changes, within: Self.loadTimeout) }
    }

    func identify(_ customerUserId: String) async throws(AdaptyError) {
        let client = try await client()
        endIdentifying()
        try await AdaptyError.translating { _ = try await client.identify(customerUserId) }
    }

    func logOut() async throws(AdaptyError) {
        let client = try await client()
        endIdentifying()
        try await AdaptyError.translating { _ = try await client.logOut() }
    }
}

extension LandfallClient {
    /// Attaches the id that `activate` got: again after 1, 2, 4 … 900 seconds while the network fails, until
    /// it is done, refused or no longer wanted (the task's cancellation).
    func identify(_ customerUserId: String, untilDoneBy time: LandfallTime) async {
        var pause = Duration.seconds(1)
        while profile?.customerID?.hasSameBytes(as: customerUserId) != true {
            do {
                _ = try await identify(customerUserId)
                return
            } catch {
                guard (error as? LandfallError)?.isWorthRetrying == true else { return }
            }
            do { try await time.sleep(time.now() + pause) } catch { return }
            pause = min(pause * 2, .seconds(900))
        }
    }
}
