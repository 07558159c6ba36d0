/// A graph of models that cannot change, for use from any thread: typed reading, nothing else.
///
///     let cached: Frozen<Issue> = issue.frozen()
///     Task.detached {
///         print(cached.title ?? "", cached.assignee?.login ?? "nobody")  // accessors of Issue and User
///         for label in cached.labels { print(label.name) }  // [Frozen<Label>]
///     }
///
/// Accessors that give models, alone or in optionals, arrays, sets and dictionaries, give frozen views of them (of a set,
/// an array); all other accessors must give `Sendable` values. A view keeps the whole graph alive, so links to parents
/// stay.
///
/// A view has no property or method of its own that could stand before an accessor of that name, `state` or `hash` for
/// example: what else can be asked of a view is static, such as ``thaw(_:)``. That is also why a view is no `Hashable`.
/// Only an accessor called `encode` is hidden, by `Encodable`, and read by key.
///
/// Accessors run on the thread that reads: they must not store anything, which ordinary ones do not.
@dynamicMemberLookup
public struct Frozen<Model: DynamicModel>: Sendable {
    // Safety of `nonisolated(unsafe)`: this is a model of a graph that `frozen()` copied for this view. Nobody else has
    // the copy: it shares only immutable boxes with the original and has no link out of itself, and views hand out
    // nothing but `Sendable` values, views and copies. Reading a slot changes it only where a value is made at the first
    // request (URLs, Swift collections), and `frozen()` requested them all. So the graph is never written again.
    //
    // Named as no accessor is, because accessors of all other names are read through the view.
    @safe nonisolated(unsafe) package let _model: Model
    /// The graph, whichever of its models this view is of.
    private let graph: FrozenGraph

    fileprivate init(_ model: Model, in graph: FrozenGraph) {
        _model = model
        self.graph = graph
    }

    private func view<Nested: DynamicModel>(_ nested: Nested) -> Frozen<Nested> { Frozen<Nested>(nested, in: graph) }
}

// MARK: Static, so that no accessor is hidden

extension Frozen {
    /// A model with the same values that may be changed.
    ///
    ///     let changed = Frozen.thaw(cached)
    ///
    /// - Complexity: O(*n*) in the size of the graph that the model leads to.
    public static func thaw(_ view: Frozen) -> sending Model { view._model.deepCopy() }

    /// A view as one of a subclass; nil when the model is of another class.
    public static func cast<Subclass: DynamicModel>(
        _ view: Frozen, to subclass: Subclass.Type
    ) -> Frozen<Subclass>? {
        (view._model as? Subclass).map { view.view($0) }
    }

    /// The schema of the model of a view.
    public static func schema(of view: Frozen) -> ModelSchema { view._model.schema }

    /// Whether a property is unset, null, or holds a value, given or defaulted.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public static func state(of key: String, in view: Frozen) throws(ModelError) -> PropertyState {
        try view._model.state(of: key)
    }
}

// A method of every class cannot have `Self` inside its result type; one of a protocol can.
extension PropertyValue where Self: DynamicModel {
    /// A copy of the model, and of everything it leads to, that cannot change and may be read from any thread.
    ///
    /// Links out of the graph, to the parent of the model itself for example, are not copied.
    ///
    /// - Complexity: O(*n*) in the size of the graph, on a constant stack; cycles are fine.
    public func frozen() -> Frozen<Self> {
        let (copy, models) = ModelGraphCopy.preparedCopy(of: self)
        return Frozen(copy, in: FrozenGraph(models))
    }
}

/// The models of a frozen graph, which live until the last view is gone.
///
/// Then the links between them are cut, so that cycles go as well: nobody else could cut them.
private final class FrozenGraph: @unchecked Sendable {
    // @unchecked: see `Frozen._model`; while it is deinitialised there is no view any more.
    private let models: [DynamicModel]

    init(_ models: [DynamicModel]) { self.models = models }

    deinit { for model in models { model.clearModels() } }
}

// MARK: Accessors

extension Frozen {
    /// A value.
    public subscript<Value: Sendable>(dynamicMember accessor: KeyPath<Model, Value>) -> Value {
        _model[keyPath: accessor]
    }

    /// A model.
    public subscript<Nested: DynamicModel>(dynamicMember accessor: KeyPath<Model, Nested>) -> Frozen<Nested> {
        view(_model[keyPath: accessor])
    }

    /// A model that may be missing.
    public subscript<Nested: DynamicModel>(dynamicMember accessor: KeyPath<Model, Nested?>) -> Frozen<Nested>? {
        _model[keyPath: accessor].map { view($0) }
    }

    /// An array of models.
    ///
    /// - Complexity: O(*n*) in the number of models, as for all collections of models.
    public subscript<Nested: DynamicModel>(dynamicMember accessor: KeyPath<Model, [Nested]>) -> [Frozen<Nested>] {
        _model[keyPath: accessor].map { view($0) }
    }

    /// An array of models that may be missing.
    public subscript<Nested: DynamicModel>(dynamicMember accessor: KeyPath<Model, [Nested]?>) -> [Frozen<Nested>]? {
        _model[keyPath: accessor].map { $0.map { view($0) } }
    }

    /// The models of a set, in no order.
    public subscript<Nested: DynamicModel>(dynamicMember accessor: KeyPath<Model, Set<Nested>>) -> [Frozen<Nested>] {
        _model[keyPath: accessor].map { view($0) }
    }

    /// The models of a set that may be missing, in no order.
    public subscript<Nested: DynamicModel>(
        dynamicMember accessor: KeyPath<Model, Set<Nested>?>
    ) -> [Frozen<Nested>]? {
        _model[keyPath: accessor].map { $0.map { view($0) } }
    }

    /// A dictionary of models.
    public subscript<Nested: DynamicModel>(
        dynamicMember accessor: KeyPath<Model, [String: Nested]>
    ) -> [String: Frozen<Nested>] {
        _model[keyPath: accessor].mapValues { view($0) }
    }

    /// A dictionary of models that may be missing.
    public subscript<Nested: DynamicModel>(
        dynamicMember accessor: KeyPath<Model, [String: Nested]?>
    ) -> [String: Frozen<Nested>]? {
        _model[keyPath: accessor].map { $0.mapValues { view($0) } }
    }
}

// MARK: Keys

extension Frozen {
    /// A property by key as a type the program knows to be right; nil for unset and null.
    ///
    ///     frozen["title", as: String.self]
    public subscript<Value: PropertyValue & Sendable>(key: String, as type: Value.Type) -> Value? {
        _model[key, as: type]
    }

    /// A model by key.
    public subscript<Nested: DynamicModel>(key: String, as type: Nested.Type) -> Frozen<Nested>? {
        _model[key, as: type].map { view($0) }
    }

    /// An array of models by key.
    public subscript<Nested: DynamicModel>(key: String, as type: [Nested].Type) -> [Frozen<Nested>]? {
        _model[key, as: type].map { $0.map { view($0) } }
    }
}

extension Frozen: Equatable {
    /// Whether the models are equal.
    public static func == (left: Frozen, right: Frozen) -> Bool { left._model == right._model }
}

extension Frozen: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That of the model.
    public var description: String { _model.description }

    /// That of the model.
    public var debugDescription: String { _model.debugDescription }

    /// Shows no model: what holds a reference could change it.
    public var customMirror: Mirror { Mirror(self, children: ["model": _model.debugDescription]) }
}
