// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

// The values that an app waits for.
extension Connection {
    /// How long a call without a time limit waits.
    static let patience = Duration.seconds(30)

    var adid: String? { client?.profile?.installID.rawValue }

    func adid(within limit: Duration, _ completion: @escaping @MainActor (String?) -> Void) {
        answer(
            within: limit,
            {
                guard let client = await self.awaitClient() else { return nil }
                for await profile in client.profiles { return profile.installID.rawValue }
                return nil
            }, completion)
    }

    /// - Parameter completion: gets nil once it is certain that it will not be known, and after the limit.
    func attribution(within limit: Duration, _ completion: @escaping @MainActor (ADJAttribution?) -> Void) {
        answer(
            within: limit,
            {
                guard let client = await self.awaitClient() else { return nil }
                for await profile in client.profiles {
                    if let attribution = ADJAttribution(profile) { return attribution }
                    if case .unavailable = profile.attribution { return nil }
                }
                return nil
            }, completion)
    }
}
