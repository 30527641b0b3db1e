// SPDX-License-Identifier: Apache-2.0
import Landfall

extension DeviceFacts {
    /// The iPhone of a user with this locale, so that the console shows what it shows for a real app. The other facts are this machine's.
    static func iPhone(_ locale: String) -> DeviceFacts {
        var facts = DeviceFacts.current
        (facts.platform, facts.osVersion, facts.model) = ("ios", "18.5.0", "iPhone16,2")
        (facts.appVersion, facts.locale) = ("1.4.0", locale)
        return facts
    }
}
