// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import NIOCore

extension JSONWritable {
    func jsonBytes(capacity: Int = 512) -> ByteBuffer { ByteBuffer(bytes: json(capacity: capacity)) }
}
