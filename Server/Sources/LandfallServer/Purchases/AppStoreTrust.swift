// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallPurchases
package import LandfallRules
import Synchronization

/// Whose signatures under purchases this node believes. The operator says it by options, never the file: who can publish a file could
/// otherwise sign purchases.
package final class AppStoreTrust: Sendable {
    private let root: AppStoreRoot
    private let takesStoreKitTesting: Bool
    /// What differs from trusting Apple only, for the log and for `/readyz`.
    package let remarks: [String]
    /// Of the app that was served last: it remembers certificates.
    private let verifier = Mutex<(app: AppStoreApp, verifier: AppStoreVerifier)?>(nil)

    /// - Parameters:
    ///   - rootFile: a PEM file whose certificate replaces Apple's root; nil: Apple's.
    ///   - takesStoreKitTesting: also believes what Xcode signs with a key of the developer's machine.
    /// - Throws: ``AppStoreRootUnusable``
    package convenience init(rootFile: String?, takesStoreKitTesting: Bool) throws {
        let root = try rootFile.map { path in
            guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= Self.largestFile,
                let text = String(validating: bytes, as: UTF8.self)
            else { throw AppStoreRootUnusable(path: path, reason: "The file cannot be read as text.") }
            do { return try AppStoreRoot(pem: text) } catch { throw AppStoreRootUnusable(path: path, reason: "\(error)") }
        }
        self.init(otherRoot: root, takesStoreKitTesting: takesStoreKitTesting)
    }

    package convenience init() { self.init(otherRoot: nil, takesStoreKitTesting: false) }

    package init(otherRoot: AppStoreRoot?, takesStoreKitTesting: Bool = false) {
        root = otherRoot ?? .apple
        self.takesStoreKitTesting = takesStoreKitTesting
        remarks =
            (otherRoot.map { ["app store root \($0.fingerprint)"] } ?? []) + (takesStoreKitTesting ? ["storekit testing"] : [])
    }

    private static let largestFile = 64 * 1024

    package func verifier(of app: App) -> AppStoreVerifier {
        let asked = AppStoreApp(bundleID: app.bundleID, appleID: app.appStoreID)
        return verifier.withLock { known in
            if let known, known.app == asked { return known.verifier }
            let made = AppStoreVerifier(app: asked, roots: [root], takesStoreKitTesting: takesStoreKitTesting)
            known = (asked, made)
            return made
        }
    }
}

/// The file of `--app-store-root` cannot be used.
package struct AppStoreRootUnusable: Error, Hashable, CustomStringConvertible {
    let path: String
    let reason: String

    package var description: String { "'\(path)' of --app-store-root cannot be used. \(reason)" }
}
