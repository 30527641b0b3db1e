// SPDX-License-Identifier: Apache-2.0
import Foundation

// Absent on purpose: the compiler says what to write instead.
extension Adjust {
    @available(*, unavailable, message: "Everything is static: call Adjust itself.")
    @nonobjc public static func getInstance() -> Adjust? { nil }

    @available(*, unavailable, message: "It was the vendor's own test entry. In tests give LandfallClient a ScriptedServer of LandfallTesting.")
    @nonobjc public static func setTestOptions(_ options: [AnyHashable: Any]?) {}

    @available(*, unavailable, message: "Google Ads does not answer this any more. Delete the call.")
    @nonobjc public static func sendAdWordsRequest() {}
}
