// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// This installation: its id, and the secret that authenticates it. Content of `install.json`.
struct Install: Hashable, StoredValue {
    static let currentFormat = 1

    var format = Self.currentFormat
    let id: InstallID
    /// 256 random bits, base64url.
    let secret: String
    /// The id that the device keeps outside the files; nil if nothing keeps one.
    var deviceID: String?
    /// False until the device has confirmed that it keeps ``deviceID``: a kill in between must not look like a restored copy.
    var isDeviceIDKept = false
    /// How long the app had been used when this installation began; nil if there was no evidence of an earlier launch. It never
    /// grows, so a calendar that jumps cannot change it.
    var usedBeforeMilliseconds: Int64?
    /// True from the person's request to be forgotten until nothing of this installation is left.
    var isToBeErased: Bool?

    init(id: InstallID, secret: String, deviceID: String?) {
        self.id = id
        self.secret = secret
        self.deviceID = deviceID
    }

    /// A new installation.
    static func fresh(
        deviceID: String?, date: Date, usedBefore: Duration? = nil, randomBytes: (Int) -> [UInt8]
    ) -> Install {
        var install = Install(
            id: InstallID(UUIDv7.text(date: date, random: randomBytes(10))),
            secret: Base64URL.text(randomBytes(32)),
            deviceID: deviceID
        )
        install.usedBeforeMilliseconds = usedBefore?.wholeMilliseconds
        return install
    }

    /// The value of the `Landfall-Profile` header.
    var credential: String { "\(id).\(secret)" }
}

/// Ids that sort by their time of creation.
enum UUIDv7 {
    /// - Parameter random: at least 10 bytes; missing bytes become zeros.
    static func text(date: Date, random: [UInt8]) -> String {
        let seconds = min(max(date.timeIntervalSince1970, 0), 1e11)
        let milliseconds = UInt64(seconds * 1000)
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (8 * (5 - $0))) }
        bytes += random.prefix(10)
        bytes += [UInt8](repeating: 0, count: 16 - bytes.count)
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]].map { $0.joined() }.joined(separator: "-")
    }
}

enum Base64URL {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
