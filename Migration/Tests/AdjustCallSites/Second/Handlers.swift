// SPDX-License-Identifier: Apache-2.0
import AdjustSdk
import UIKit

// A handler that is passed on as a value: in Swift 6 mode the compiler asks for @Sendable.
#if swift(>=6)
typealias Handler<Value> = @Sendable (Value) -> Void
#else
typealias Handler<Value> = (Value) -> Void
#endif

// Site: an adapter whose own handlers are passed on as they are.
struct Adapter {
    func adid(_ completion: @escaping Handler<String?>) { Adjust.adid(completionHandler: completion) }
    func isEnabled(_ completion: @escaping Handler<Bool?>) { Adjust.isEnabled(completionHandler: completion) }
    func version(_ completion: @escaping Handler<String?>) { Adjust.sdkVersion { version in completion(version) } }
    func ask(_ completion: @escaping Handler<UInt?>) {
        Adjust.requestAppTrackingAuthorization(completionHandler: completion)
    }
    func update(_ value: Int, _ completion: @escaping Handler<Error?>) {
        Adjust.updateSkanConversionValue(value, coarseValue: nil, lockWindow: nil, withCompletionHandler: completion)
    }
    func push(_ token: String) { Adjust.setPushTokenAs(token) }
}
