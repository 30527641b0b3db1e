// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
#if os(iOS) || os(tvOS) || os(visionOS)
import UIKit
#endif

/// Opens a link as the system does for another app: it comes back to the app through its own hooks.
enum SystemOpening {
    /// The link in the form of the app's own scheme, where it can have one: iOS opens an app's own https links in Safari.
    static func form(of link: URL, for client: LandfallClient, schemes: [String]) -> URL {
        guard let scheme = schemes.first, let own = client.converted(link, scheme: scheme) else { return link }
        return own
    }

    @MainActor
    static func open(_ link: URL) {
        #if os(iOS) || os(tvOS) || os(visionOS)
        // An app extension has no application: it is looked up by name, so that an extension may contain this code.
        let name = NSSelectorFromString("sharedApplication")
        guard UIApplication.responds(to: name) else { return }
        let application = UIApplication.perform(name)?.takeUnretainedValue() as? UIApplication
        application?.open(link, options: [:], completionHandler: nil)
        #endif
    }
}
