// SPDX-License-Identifier: Apache-2.0

@propertyWrapper public struct State<Value>: DynamicProperty {
    private let place: Place<Value>

    public init(wrappedValue value: Value) { place = Place(value) }

    public var wrappedValue: Value {
        get { place.value }
        nonmutating set { place.value = newValue }
    }

    public var projectedValue: Binding<Value> { Binding(reading: { wrappedValue }, writing: { wrappedValue = $0 }) }
}

/// The storage of a state's value. Only the main actor renders and uses states.
private final class Place<Value>: StatePlace {
    private let initial: Value
    private var kept: Kept

    init(_ value: Value) {
        initial = value
        kept = Kept(value)
    }

    final class Kept {
        var value: Value { didSet { didChange() } }
        var didChange: () -> Void = {}
        init(_ value: Value) { self.value = value }
    }

    var value: Value {
        get { kept.value }
        set { kept.value = newValue }
    }

    func makeKept() -> AnyObject { Kept(initial) }
    func fits(_ object: AnyObject) -> Bool { object is Kept }
    func use(_ object: AnyObject, didChange: @escaping () -> Void) {
        guard let object = object as? Kept else { return }
        kept = object
        kept.didChange = didChange
    }
}

protocol StatePlace: AnyObject {
    func makeKept() -> AnyObject
    func fits(_ object: AnyObject) -> Bool
    func use(_ kept: AnyObject, didChange: @escaping () -> Void)
}

protocol HasStatePlace {
    var statePlace: any StatePlace { get }
}

extension State: HasStatePlace {
    var statePlace: any StatePlace { place }
}
