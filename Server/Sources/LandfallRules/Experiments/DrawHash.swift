// SPDX-License-Identifier: Apache-2.0

/// SHA-256 by FIPS 180-4, in Swift only: a draw is part of a decision, and a decision allocates nothing.
enum DrawHash {
    /// The eight words of the digest, in order.
    static func digest(of message: UnsafeRawBufferPointer) -> SIMD8<UInt32> {
        // A one bit, zeros, and the length in bits fill the last block.
        let length = (message.count + 9 + 63) / 64 * 64
        return withUnsafeTemporaryAllocation(byteCount: length, alignment: 4) { padded in
            padded.copyMemory(from: message)
            padded[message.count] = 0x80
            for place in message.count + 1..<length - 8 { padded[place] = 0 }
            let bits = UInt64(message.count) * 8
            for place in 0..<8 { padded[length - 1 - place] = UInt8(truncatingIfNeeded: bits >> (8 * UInt64(place))) }
            return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                var state = start
                for block in stride(from: 0, to: length, by: 64) {
                    compress(UnsafeRawBufferPointer(rebasing: padded[block..<block + 64]), schedule, &state)
                }
                return state
            }
        }
    }

    private static func compress(
        _ block: UnsafeRawBufferPointer, _ schedule: UnsafeMutableBufferPointer<UInt32>, _ state: inout SIMD8<UInt32>
    ) {
        for word in 0..<16 {
            schedule[word] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: word * 4, as: UInt32.self))
        }
        for word in 16..<64 {
            let near = schedule[word - 2], far = schedule[word - 15]
            let first = right(far, 7) ^ right(far, 18) ^ (far >> 3)
            let second = right(near, 17) ^ right(near, 19) ^ (near >> 10)
            schedule[word] = schedule[word - 16] &+ first &+ schedule[word - 7] &+ second
        }
        var a = state[0], b = state[1], c = state[2], d = state[3]
        var e = state[4], f = state[5], g = state[6], h = state[7]
        constants.withUnsafeBufferPointer { constants in
            for round in 0..<64 {
                let first = h &+ (right(e, 6) ^ right(e, 11) ^ right(e, 25)) &+ ((e & f) ^ (~e & g)) &+ constants[round] &+ schedule[round]
                let second = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) &+ ((a & b) ^ (a & c) ^ (b & c))
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ second)
            }
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    private static func right(_ word: UInt32, _ count: UInt32) -> UInt32 { (word >> count) | (word << (32 - count)) }

    private static let start = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
