// SPDX-License-Identifier: Apache-2.0

public struct AccessibilityTraits: SetAlgebra, Sendable {
    private var names: Set<String>

    private init(names: Set<String>) { self.names = names }
    public init() { names = [] }

    public static let isHeader = AccessibilityTraits(names: ["isHeader"])
    public static let isSelected = AccessibilityTraits(names: ["isSelected"])

    public typealias Element = AccessibilityTraits
    public typealias ArrayLiteralElement = AccessibilityTraits
    public func contains(_ member: AccessibilityTraits) -> Bool { names.isSuperset(of: member.names) }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { AccessibilityTraits(names: names.union(other.names)) }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
        AccessibilityTraits(names: names.intersection(other.names))
    }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
        AccessibilityTraits(names: names.symmetricDifference(other.names))
    }
    public mutating func insert(_ new: AccessibilityTraits) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
        let isNew = !contains(new)
        formUnion(new)
        return (isNew, new)
    }
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
        let removed = intersection(member)
        names.subtract(member.names)
        return removed.names.isEmpty ? nil : removed
    }
    public mutating func update(with new: AccessibilityTraits) -> AccessibilityTraits? { insert(new).inserted ? nil : new }
    public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
    public mutating func formIntersection(_ other: AccessibilityTraits) { names.formIntersection(other.names) }
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) { names.formSymmetricDifference(other.names) }
}

public struct AccessibilityAttachmentModifier: ViewModifier {
    enum Attachment {
        case label(String)
        case traits(AccessibilityTraits)
        case hidden(Bool)
    }

    let attachment: Attachment

    public func body(content: Content) -> some View {
        Effect(content: content) { scene, render in
            let (buttons, texts) = (scene.buttons.count, scene.texts.count)
            render()
            switch attachment {
            // A label stands for everything that the view has to read.
            case .label(let label):
                scene.labels.append(label)
                for button in buttons..<scene.buttons.count { scene.buttons[button].title = label }
            case .traits(let traits):
                let what = scene.buttons.dropFirst(buttons).last?.title ?? scene.texts.dropFirst(texts).joined(separator: " ")
                if traits.contains(.isHeader) { scene.headers.append(what) }
                if traits.contains(.isSelected) { scene.selected.append(what) }
            case .hidden: break
            }
        }
    }
}

extension View {
    public func accessibilityLabel(_ label: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        .init(content: self, modifier: AccessibilityAttachmentModifier(attachment: .label(label.text)))
    }

    public func accessibilityAddTraits(
        _ traits: AccessibilityTraits
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        .init(content: self, modifier: AccessibilityAttachmentModifier(attachment: .traits(traits)))
    }

    public func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        .init(content: self, modifier: AccessibilityAttachmentModifier(attachment: .hidden(hidden)))
    }
}

extension SimulatedScene {
    /// What VoiceOver reads in place of texts, in order.
    public var labels: [String] { shown?.labels ?? [] }
    /// Texts that are headers.
    public var headers: [String] { shown?.headers ?? [] }
    /// What is marked as selected.
    public var selected: [String] { shown?.selected ?? [] }
}
