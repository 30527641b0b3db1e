// SPDX-License-Identifier: Apache-2.0

/// Decides whether the files belong to this installation.
///
/// The device keeps an id beside the file, outside it. A file whose id is missing or different was copied from elsewhere; an id
/// without its file belonged to an earlier installation on this device.
enum InstallDecision: Hashable, Sendable {
    /// Continue the stored installation; the device has its id.
    case keep(Install)
    /// Continue the stored installation; the device still has to store this id.
    case keepAndGiveDevice(Install, deviceID: String)
    /// Begin anew. nil: the device had no id, so it gets a new one.
    case begin(deviceID: String?)

    enum Device: Hashable, Sendable {
        /// This platform keeps no id outside the files.
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
