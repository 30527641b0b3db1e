// SPDX-License-Identifier: Apache-2.0
public import Foundation

public struct Color: Hashable, Sendable {
    private let name: String
    public static let black = Color(name: "black")
    public static let white = Color(name: "white")
}

// In an extension, as Apple's: the type itself belongs to no actor.
extension Color: View, Primitive {
    public typealias Body = Never
    func render(in scene: Rendering) {}
}

public struct Gradient: Equatable {
    let colors: [Color]
    public init(colors: [Color]) { self.colors = colors }
}

public struct UnitPoint: Hashable, Sendable {
    public var x: CGFloat
    public var y: CGFloat

    nonisolated public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }

    public static let center = UnitPoint(x: 0.5, y: 0.5)
    public static let top = UnitPoint(x: 0.5, y: 0)
    public static let bottom = UnitPoint(x: 0.5, y: 1)
}

public struct Angle: Hashable, Sendable {
    public var radians: Double
    public init(radians: Double) { self.radians = radians }
    public static func degrees(_ degrees: Double) -> Angle { Angle(radians: degrees * .pi / 180) }
    public static var zero: Angle { Angle(radians: 0) }
}
