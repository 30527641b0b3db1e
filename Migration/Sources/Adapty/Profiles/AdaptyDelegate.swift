// SPDX-License-Identifier: Apache-2.0
/// Gets every change of the profile. ``Adapty/delegate`` holds it weakly.
public protocol AdaptyDelegate: AnyObject, Sendable {
    /// Called on the main thread: once for the current profile when the delegate is set, then for each change, in order.
    func didLoadLatestProfile(_ profile: AdaptyProfile)
}
