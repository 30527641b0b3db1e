// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The canonical text form of a UUID in lower case: the form of ids on the wire and in the store.
    package var isLowerCaseUUID: Bool {
        guard utf8.count == 36 else { return false }
        return utf8.enumerated().allSatisfy { position, byte in
            switch position {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default:
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
        }
    }
}
