// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
#if os(iOS) || os(tvOS) || os(visionOS)
import UIKit
#endif

/// Opens a link as if another app had opened it: it comes back to the app through the app's own hooks.
enum SystemOpening {
    /// The link in the form of the app's own scheme, if it has one: iOS opens an app's own https links in Safari.
    static func form(of link: URL, for client: LandfallClient, schemes: [String]) -> URL {
        guard let scheme = schemes.first, let own = client.converted(link, scheme: scheme) else { return link }
        return own
    }

    /// - Returns: false if nothing was opened: on macOS and watchOS, and in an app extension, which has no application.
    @MainActor
    static func open(_ link: URL) -> Bool {
        #if os(iOS) || os(tvOS) || os(visionOS)
        // An extension may contain this code: the application is looked up by name.
        let name = NSSelectorFromString("sharedApplication")
        guard Bundle.main.bundleURL.pathExtension != "appex", UIApplication.responds(to: name),
            let application = UIApplication.perform(name)?.takeUnretainedValue() as? UIApplication
        else { return false }
        application.open(link, options: [:], completionHandler: nil)
        return true
        #else
        return false
        #endif
    }

    /// Does not contain the link: it may be private.
    static let failure =
        """
        The link from before the installation is not opened: the system opens no links here. It comes again at the next launch. Set \
        ADJConfig.opening, or deal with the link in adjustDeferredDeeplinkReceived(_:) and return false.
        """
}
