// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A named group of installs. `everyone` is not one of these: it needs no condition.
struct Audience: Hashable, Sendable {
    let id: AudienceID
    let condition: Condition
}
