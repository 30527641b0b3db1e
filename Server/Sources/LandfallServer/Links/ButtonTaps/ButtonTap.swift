// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// A tap on a button of a link's page. Its address is the link's own, with a parameter that names the button and the click behind the
/// page: the server computes where it leads as for the page, so it can lead nowhere else.
struct ButtonTap: Hashable, Sendable {
    enum Button: String, CaseIterable, Sendable { case app, store, web }

    let button: Button
    let clickID: String
    /// The link's target, as the page's own address had it.
    let target: String

    private static let parameter = "lf_tap="
    /// Afterwards the address is the link's: a person may have shared it.
    static let lifeMs: Int64 = 86_400_000
    private static let idLength = 36

    /// Reads an address that ``ButtonTaps`` has made; nil for every other one.
    init?(target: String) {
        let bytes = target.utf8
        // Every redirect comes by here: most end at this byte.
        guard bytes.count > Self.idLength + Self.parameter.utf8.count,
            bytes[bytes.index(bytes.endIndex, offsetBy: -Self.idLength - 1)] == UInt8(ascii: "."),
            let mark = bytes.lastIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") })
        else { return nil }
        let parameter = target[target.index(after: mark)...]
        guard parameter.utf8.starts(with: Self.parameter.utf8) else { return nil }
        let value = parameter.dropFirst(Self.parameter.count)
        guard let button = Button(rawValue: String(value.dropLast(Self.idLength + 1))) else { return nil }
        let id = String(value.suffix(Self.idLength))
        guard id.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) || $0 == UInt8(ascii: "-") }) else { return nil }
        self.button = button
        clickID = id
        self.target = String(target[..<mark])
    }

    /// True for the time in which a person may still have the page. Another node's clock may be a minute ahead.
    func isFresh(nowMs: Int64) -> Bool { (-60_000...Self.lifeMs).contains(nowMs - UUIDv7.milliseconds(of: clickID)) }

    /// - Returns: nil if the page has no such button.
    func address(_ opening: LinkOpening) -> String? {
        switch button {
        case .app: opening.appAddress
        case .store: opening.storeAddress
        case .web: opening.webAddress
        }
    }

    fileprivate static func address(of button: Button, after clickID: String, on target: String) -> String? {
        // Two slashes would begin another host, and browsers write no markup into an address. A token that a stranger has added would look
        // like the page's own.
        guard !target.utf8.starts(with: "//".utf8), !target.utf8.contains(where: { "\"<>".utf8.contains($0) }),
            !(target.removingPercentEncoding ?? target).contains(DeferredToken.parameter)
        else { return nil }
        let address = "\(target)\(target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(parameter)\(button.rawValue).\(clickID)"
        // With the host in front it must still be a link.
        return address.utf8.count <= LinkAddress.longest - 512 ? address : nil
    }
}

/// The addresses of the buttons of one page. A stored click's id has 74 random bits, and only its page has it.
struct ButtonTaps: Hashable, Sendable {
    let clickID: String
    let target: String

    /// - Returns: relative to the page; nil if the tap cannot be counted.
    func address(of button: ButtonTap.Button) -> String? { ButtonTap.address(of: button, after: clickID, on: target) }
}
