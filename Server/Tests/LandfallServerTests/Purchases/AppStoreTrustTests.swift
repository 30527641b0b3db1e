// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Whose signatures a node believes", .timeLimit(.minutes(1)))
struct AppStoreTrustTests {
    private static func withFile(_ text: String?, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-root-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        try text?.write(to: file, atomically: true, encoding: .utf8)
        try body(file.path)
    }

    private static func app(_ bundleID: String) -> App {
        App(id: AppID("example"), name: "Example", bundleID: bundleID, teamID: nil, scheme: nil, appStoreID: nil)
    }

    @Test("Apple's alone have no remark; another root is named by its SHA-256, and StoreKit testing by its name")
    func remarks() throws {
        let pem = try SigningChain().root.pem
        try Self.withFile(pem) { path in
            let other = try AppStoreTrust(rootFile: path, takesStoreKitTesting: true).remarks

            #expect(other.count == 2 && other.last == "storekit testing")
            #expect(other.first?.wholeMatch(of: /app store root [0-9a-f]{64}/) != nil)
        }
        #expect(AppStoreTrust().remarks.isEmpty)
        #expect(try AppStoreTrust(rootFile: nil, takesStoreKitTesting: false).remarks.isEmpty)
    }

    @Test("A file that holds no root ends the start, with its path and a reason", arguments: [nil, "", "no certificate", "two"])
    func unusable(text: String?) throws {
        let chain = try SigningChain()
        try Self.withFile(text == "two" ? chain.root.pem + chain.intermediate.pem : text) { path in
            let error = #expect(throws: AppStoreRootUnusable.self) { try AppStoreTrust(rootFile: path, takesStoreKitTesting: false) }

            #expect(error?.description.hasPrefix("'\(path)' of --app-store-root cannot be used. ") == true)
            #expect(error?.description.hasSuffix(".") == true)
        }
    }

    @Test("Of another configuration of the same app, the verifier stays, and with it the certificates that it remembers")
    func remembered() {
        let trust = AppStoreTrust(), app = Self.app("com.example.app")

        let first = trust.verifier(of: app), again = trust.verifier(of: app), renamed = trust.verifier(of: Self.app("com.example.other"))

        #expect(first === again && first !== renamed)
    }
}
