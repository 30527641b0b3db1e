// SPDX-License-Identifier: Apache-2.0

/// Whether this is the installation that the files speak of.
///
/// The device keeps a partner of the file outside of it. A file whose partner is missing or another one was copied from
/// elsewhere; a partner without its file belonged to an earlier installation on this device.
enum InstallDecision: Hashable, Sendable {
    /// Go on as the stored installation, whose partner is safe.
    case keep(Install)
    /// Go on as the stored installation; the device has yet to keep this id.
    case keepAndGiveDevice(Install, deviceID: String)
    /// Begin anew. nil: nothing was on this device, so that it gets an id of its own.
    case begin(deviceID: String?)

    enum Device: Hashable, Sendable {
        /// This platform keeps nothing outside of the files.
        case cannotKeep
        case keepsNothing
        case keeps(String)
    }

    init(file: Install?, device: Device, newDeviceID: () -> String) {
        switch (file, device) {
        case (nil, .cannotKeep), (nil, .keepsNothing): self = .begin(deviceID: nil)
        case (nil, .keeps(let id)): self = .begin(deviceID: id)
        case (let file?, .cannotKeep): self = .keep(file)
        case (let file?, .keepsNothing):
            switch file.deviceID {
            case nil: self = .keepAndGiveDevice(file, deviceID: newDeviceID())
            case let id? where !file.isDeviceIDKept: self = .keepAndGiveDevice(file, deviceID: id)
            default: self = .begin(deviceID: nil)
            }
        case (let file?, .keeps(let id)):
            if file.deviceID == id || file.deviceID == nil {
                var kept = file
                kept.deviceID = id
                kept.isDeviceIDKept = true
                self = .keep(kept)
            } else {
                self = .begin(deviceID: id)
            }
        }
    }
}
