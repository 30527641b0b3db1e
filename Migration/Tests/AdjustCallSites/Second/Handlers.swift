// SPDX-License-Identifier: Apache-2.0
// In Swift 6 mode the compiler warns of a handler that is passed on as a value without being @Sendable: this file is compiled in
// Swift 5 mode.
import AdjustSdk
import UIKit

// Site: an adapter whose own handlers are passed on as they are.
struct Adapter {
    func adid(_ completion: @escaping (String?) -> Void) { Adjust.adid(completionHandler: completion) }
    func isEnabled(_ completion: @escaping (Bool?) -> Void) { Adjust.isEnabled(completionHandler: completion) }
    func version(_ completion: @escaping (String?) -> Void) { Adjust.sdkVersion { version in completion(version) } }
    func ask(_ completion: @escaping (UInt?) -> Void) {
        Adjust.requestAppTrackingAuthorization(completionHandler: completion)
    }
    func update(_ value: Int, _ completion: @escaping (Error?) -> Void) {
        Adjust.updateSkanConversionValue(value, coarseValue: nil, lockWindow: nil, withCompletionHandler: completion)
    }
    func push(_ token: String) { Adjust.setPushTokenAs(token) }
}
