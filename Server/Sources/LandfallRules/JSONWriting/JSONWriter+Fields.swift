// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
    package mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    /// Leaves the key out if there is no value.
    package mutating func field(_ name: StaticString, _ value: String?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: Int64) {
        key(name)
        integer(value)
    }

    package mutating func field(_ name: StaticString, _ value: Int64?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        flag(value)
    }
}
