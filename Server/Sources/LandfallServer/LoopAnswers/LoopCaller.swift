// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Who asks, as ``Authentication`` and the store say it, read from the bytes of a request's head.
struct LoopCaller {
    let app: AppID
    /// Nil where the SDK key is alone.
    private let proof: InstallProof?

    /// - Returns: nil for whomever the application refuses: it says why.
    init?(_ request: PlainRequest, _ snapshot: Snapshot, nowMs: Int64) {
        guard let key = request.withBytes(request.head.authorization, { $0.flatMap(BearerKey.text) }),
            let app = snapshot.app(ofKey: key, nowMs: nowMs)
        else { return nil }
        self.app = app
        guard request.head.profile != nil else {
            proof = nil
            return
        }
        guard let proof = request.withBytes(request.head.profile, { $0.flatMap { InstallProof($0) } }) else { return nil }
        self.proof = proof
    }

    /// The caller's install as it is now; nil where it is not proven, not known, or somebody has to be waited for.
    func install(in installs: any InstallStore) -> KnownInstall? {
        guard let proof else { return nil }
        return try? installs.knownAtOnce(app, proof)
    }
}

extension PlainRequest {
    func withBytes<Value>(_ place: Range<Int>?, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
        guard let place else { return body(nil) }
        return bytes.withUnsafeReadableBytes { body(UnsafeRawBufferPointer(rebasing: $0[place])) }
    }
}
