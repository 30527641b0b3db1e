// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer
import LandfallSimulator

/// The demo's own App Store: what signs its purchases, and the file by which the demo's server believes them.
struct DemoAppStore: Sendable {
    let chain: SigningChain
    let rootFile: String

    /// - Parameter folder: exists, and belongs to this run.
    init(in folder: URL) throws {
        chain = try SigningChain()
        rootFile = folder.appending(path: "app-store-root.pem").path
        try Data(chain.root.pem.utf8).write(to: URL(filePath: rootFile))
    }

    func trust() throws -> AppStoreTrust { try AppStoreTrust(rootFile: rootFile, takesStoreKitTesting: false) }
}
