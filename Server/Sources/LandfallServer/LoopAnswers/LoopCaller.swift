// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import NIOCore

/// The caller, as ``Authentication`` and the store determine it, read from the bytes of a request's head.
struct LoopCaller {
    let app: AppID
    /// Nil if the caller sent only the SDK key.
    private let proof: InstallProof?
    private let namesDevice: Bool

    /// - Returns: nil for a caller that the application refuses; the application writes the error.
    init?(_ request: PlainRequest, _ snapshot: Snapshot, nowMs: Int64) {
        guard let key = request.withBytes(request.head.authorization, { $0.flatMap(BearerKey.text) }),
            let app = snapshot.app(ofKey: key, nowMs: nowMs)
        else { return nil }
        self.app = app
        namesDevice = request.head.device != nil
        guard request.head.profile != nil else {
            proof = nil
            return
        }
        guard let proof = request.withBytes(request.head.profile, { $0.flatMap { InstallProof($0) } }) else { return nil }
        self.proof = proof
    }

    /// The caller's install as it is now. Nil if the proof is missing or wrong, if the install is unknown, if reading it would
    /// have to wait, or if the call names the device of an install that has none yet: that is stored first.
    func install(in installs: any InstallStore) -> KnownInstall? {
        guard let proof, let known = try? installs.knownAtOnce(app, proof) else { return nil }
        return namesDevice && known.install.device.deviceId == nil ? nil : known
    }
}

extension PlainRequest {
    func withBytes<Value>(_ place: Range<Int>?, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
        guard let place else { return body(nil) }
        return bytes.withUnsafeReadableBytes { body(UnsafeRawBufferPointer(rebasing: $0[place])) }
    }
}
