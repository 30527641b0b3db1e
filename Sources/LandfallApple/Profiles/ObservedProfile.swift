// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
#if canImport(Combine)
public import Combine
#endif
public import Landfall
public import SwiftUI

/// The person for SwiftUI views: the current profile, and each change.
///
/// ```swift
/// @StateObject private var person = ObservedProfile(landfall)
/// ```
@MainActor public final class ObservedProfile: ObservableObject {
    /// The last known profile; nil until an earlier launch's profile is read or the server has answered.
    @Published public private(set) var profile: Profile?

    /// The state of attribution; pending while there is no profile.
    public var attribution: Attribution { profile?.attribution ?? .pending }

    private var following: Task<Void, Never>?

    /// Follows the client's profile while this object exists.
    public init(_ client: LandfallClient) {
        profile = client.profile
        following = Task { [weak self, profiles = client.profiles] in
            for await profile in profiles {
                guard let self else { return }
                if self.profile != profile { self.profile = profile }
            }
        }
    }

    /// A fixed profile for previews.
    public init(preview profile: Profile?) { self.profile = profile }

    deinit { following?.cancel() }
}
#endif
