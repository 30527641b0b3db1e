// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension FastPathCaller {
    /// The caller's install as it is now. Nil if the proof is missing or wrong, if the install is unknown, if reading it would
    /// have to wait, or if the call names the device of an install that has none yet: that is stored first.
    /// - Parameter readsLastSeen: whether the install's last visit is needed.
    func install(in installs: any InstallStore, readsLastSeen: Bool = false) -> KnownInstall? {
        guard let proof, let known = try? installs.knownAtOnce(app, proof, readsLastSeen: readsLastSeen) else { return nil }
        return namesDevice && known.install.device.deviceId == nil ? nil : known
    }
}
