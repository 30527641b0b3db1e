// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

extension IdempotencyKey: @retroactive ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}
