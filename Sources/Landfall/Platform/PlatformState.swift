// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What the platform has said about the app and its surroundings, whichever installation the client serves.
struct PlatformState: Sendable {
    /// The app is visible; until then this launch is not an open.
    var isActivated: Bool
    /// For people to read; it decides nothing.
    private(set) var hasPath = true
    /// There is no network path, and only a change of the person's settings can bring one.
    private(set) var isPathDenied = false
    /// The person asked to save data on this path.
    private(set) var isConstrained = false
    private(set) var storeCountry: String?

    init(isActivated: Bool) { self.isActivated = isActivated }

    mutating func pathChanged(isSatisfied: Bool, isDenied: Bool, isConstrained: Bool) {
        hasPath = isSatisfied
        isPathDenied = isDenied && !isSatisfied
        self.isConstrained = isConstrained
    }

    /// - Returns: the country; nil if this is none.
    mutating func learn(storeCountry code: String) -> String? {
        guard code.utf8.count == 2, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) })
        else { return nil }
        storeCountry = code.uppercased()
        return storeCountry
    }

    /// The device facts, completed with what became known since the client was made.
    /// - Parameter stored: the country that an earlier launch knew.
    func completed(_ facts: DeviceFacts, stored: String?) -> LandfallWire.DeviceFacts {
        var facts = facts.wire
        facts.storeCountry = storeCountry ?? facts.storeCountry ?? stored
        return facts
    }
}
