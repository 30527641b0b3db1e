// SPDX-License-Identifier: Apache-2.0
//
// Of Combine, which SwiftUI exports: as much as an observed object needs.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
}

/// Different from Apple's, which has subscribers: the view that observes the object is the only one.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    /// Only the main actor renders, and an observed object is used there.
    nonisolated(unsafe) var willSend: () -> Void = {}

    public init() {}

    public final func send() { willSend() }

    /// As Apple's, one for each object.
    nonisolated(unsafe) fileprivate static var ofObjects: [ObjectIdentifier: ObservableObjectPublisher] = [:]
}

public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where Self.ObjectWillChangePublisher.Failure == Never
    var objectWillChange: Self.ObjectWillChangePublisher { get }
}

extension ObservableObject where Self.ObjectWillChangePublisher == ObservableObjectPublisher {
    public var objectWillChange: ObservableObjectPublisher {
        let id = ObjectIdentifier(self)
        if let publisher = ObservableObjectPublisher.ofObjects[id] { return publisher }
        let publisher = ObservableObjectPublisher()
        ObservableObjectPublisher.ofObjects[id] = publisher
        return publisher
    }
}

extension ObservableObject {
    fileprivate var viewsPublisher: ObservableObjectPublisher? { objectWillChange as? ObservableObjectPublisher }
}

@propertyWrapper public struct Published<Value> {
    private var value: Value

    public init(wrappedValue: Value) { value = wrappedValue }
    public init(initialValue: Value) { value = initialValue }

    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { fatalError("Only of classes.") }
        set { fatalError("Only of classes.") }
    }

    public static subscript<EnclosingSelf>(
        _enclosingInstance object: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value where EnclosingSelf: AnyObject {
        get { object[keyPath: storageKeyPath].value }
        set {
            (object as? any ObservableObject)?.viewsPublisher?.send()
            object[keyPath: storageKeyPath].value = newValue
        }
    }
}

@MainActor @propertyWrapper @preconcurrency public struct ObservedObject<ObjectType>: DynamicProperty
where ObjectType: ObservableObject {
    @MainActor @preconcurrency public var wrappedValue: ObjectType

    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
}

@MainActor @propertyWrapper @preconcurrency public struct StateObject<ObjectType>: DynamicProperty
where ObjectType: ObservableObject {
    nonisolated(unsafe) private let place: ObjectPlace<ObjectType>

    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { place = ObjectPlace(thunk) }

    @MainActor @preconcurrency public var wrappedValue: ObjectType { place.object }
}

/// The storage of a state object: made once, as long as the view's place exists.
private final class ObjectPlace<ObjectType: ObservableObject>: StatePlace {
    private let thunk: () -> ObjectType
    private var kept: ObjectType?

    init(_ thunk: @escaping () -> ObjectType) { self.thunk = thunk }

    var object: ObjectType {
        let object = kept ?? thunk()
        kept = object
        return object
    }

    func makeKept() -> AnyObject { thunk() }
    func fits(_ object: AnyObject) -> Bool { object is ObjectType }
    func use(_ object: AnyObject, didChange: @escaping () -> Void) {
        guard let object = object as? ObjectType else { return }
        kept = object
        object.viewsPublisher?.willSend = didChange
    }
}

extension StateObject: @MainActor HasStatePlace {
    var statePlace: any StatePlace { place }
}

extension ObservedObject: @MainActor HasObservedObject {
    func observe(_ willChange: @escaping () -> Void) { wrappedValue.viewsPublisher?.willSend = willChange }
}

protocol HasObservedObject {
    func observe(_ willChange: @escaping () -> Void)
}
