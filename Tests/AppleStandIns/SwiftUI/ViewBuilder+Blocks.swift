// SPDX-License-Identifier: Apache-2.0

extension ViewBuilder {
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }

    public static func buildBlock() -> EmptyView { EmptyView() }

    @_disfavoredOverload
    public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
    where repeat each Content: View {
        TupleView((repeat each content))
    }

    public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }

    public static func buildEither<TrueContent, FalseContent>(first: TrueContent) -> _ConditionalContent<TrueContent, FalseContent>
    where TrueContent: View, FalseContent: View {
        _ConditionalContent(storage: .trueContent(first))
    }

    public static func buildEither<TrueContent, FalseContent>(second: FalseContent) -> _ConditionalContent<TrueContent, FalseContent>
    where TrueContent: View, FalseContent: View {
        _ConditionalContent(storage: .falseContent(second))
    }
}

public struct TupleView<T> {
    public var value: T
    nonisolated public init(_ value: T) { self.value = value }
}

extension TupleView: View, Primitive {
    public typealias Body = Never

    func render(in scene: Rendering) {
        for part in Mirror(reflecting: value).children {
            if let view = part.value as? any View { scene.render(view) }
        }
    }
}

public struct _ConditionalContent<TrueContent, FalseContent> {
    enum Storage {
        case trueContent(TrueContent)
        case falseContent(FalseContent)
    }

    let storage: Storage
}

extension _ConditionalContent: View, Primitive where TrueContent: View, FalseContent: View {
    public typealias Body = Never

    func render(in scene: Rendering) {
        switch storage {
        case .trueContent(let view): scene.render(view)
        case .falseContent(let view): scene.render(view)
        }
    }
}

extension Optional: View, Primitive where Wrapped: View {
    public typealias Body = Never
    func render(in scene: Rendering) { if let self { scene.render(self) } }
}
