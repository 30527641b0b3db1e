// SPDX-License-Identifier: Apache-2.0

/// Apple's is in CoreTransferable, which SwiftUI exports, and says how a value is encoded.
public protocol Transferable {}

extension String: Transferable {}

public struct PasteButton: View, Primitive {
    public typealias Body = Never
    private let paste: @MainActor (String) -> Void

    @MainActor @preconcurrency
    public init<T>(payloadType: T.Type, onPaste: @escaping ([T]) -> Void) where T: Transferable {
        paste = { text in if let text = text as? T { onPaste([text]) } }
    }

    func render(in scene: Rendering) { scene.pastes.append(paste) }
}

public struct DefaultShareLinkLabel: View, Primitive {
    public typealias Body = Never
    func render(in scene: Rendering) {}
}

public struct ShareLink<Data, PreviewImage, PreviewIcon, Label>: View, Primitive
where Data: RandomAccessCollection, Data.Element: Transferable, Label: View {
    public typealias Body = Never
    let items: Data

    func render(in scene: Rendering) { scene.shared += items.map { "\($0)" } }
}

extension ShareLink where PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel, Data == CollectionOfOne<String> {
    public init(item: String, subject: Text? = nil, message: Text? = nil) { items = CollectionOfOne(item) }
}

extension SimulatedScene {
    /// What share buttons offer.
    public var shared: [String] { shown?.shared ?? [] }

    /// Presses the paste control, with this text on the pasteboard.
    public func paste(_ text: String) { shown?.pastes.first?(text) }
}
