/// A view of an immutable graph of models, which any thread may read through typed accessors.
///
///     let cached: Frozen<Issue> = issue.frozen()
///     Task.detached {
///         print(cached.title ?? "", cached.assignee?.login ?? "nobody")  // accessors of Issue and User
///         for label in cached.labels { print(label.name) }  // [Frozen<Label>]
///     }
///
/// An accessor that returns models returns frozen views of them: alone, or in an optional, array or dictionary; a set
/// becomes an array. All other accessors must return `Sendable` values. A view keeps the whole graph alive, including
/// parents.
///
/// A view has no properties or methods of its own, which would hide accessors with names such as `state` or `hash`. All
/// other operations are therefore static, such as ``thaw(_:)``, and a view is not `Hashable`. The `id` of a view is that
/// of its model. Only an accessor called `encode` is hidden, by `Encodable`; read it by key.
///
/// Accessors run on the thread that reads. They must not store anything, which ordinary ones do not.
@dynamicMemberLookup
public struct Frozen<Model: DynamicModel>: @unchecked Sendable {
    // @unchecked: this is a model of a graph that `frozen()` copied for this view. No other code
    // has the copy: it shares only immutable boxes with the original and has no references out of itself, and views
    // return only `Sendable` values, views and copies. Reading writes to a slot only to keep a value made at the first
    // access (URLs, Swift collections), and `frozen()` made them all. So the graph is never written again.
    //
    // The underscore keeps the name apart from accessors, which are read through the view.
    package let _model: Model
    /// The graph of the model, which the view keeps alive.
    private let graph: FrozenGraph

    fileprivate init(_ model: Model, in graph: FrozenGraph) {
        _model = model
        self.graph = graph
    }

    private func view<Nested: DynamicModel>(_ nested: Nested) -> Frozen<Nested> { Frozen<Nested>(nested, in: graph) }
}

// MARK: Static, so that no accessor is hidden

extension Frozen {
    /// Copies the model of a view to one that may be changed.
    ///
    ///     let changed = Frozen.thaw(cached)
    ///
    /// - Complexity: O(*n*) in the size of the graph that is reached from the model.
    public static func thaw(_ view: Frozen) -> sending Model { view._model.deepCopy() }

    /// Returns a view as a view of a subclass; nil when the model is of another class.
    public static func cast<Subclass: DynamicModel>(
        _ view: Frozen, to subclass: Subclass.Type
    ) -> Frozen<Subclass>? {
        (view._model as? Subclass).map { view.view($0) }
    }

    /// Returns the schema of the model of a view.
    public static func schema(of view: Frozen) -> ModelSchema { view._model.schema }

    /// Returns whether a property is unset, null, or has a value, given or defaulted.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public static func state(of key: String, in view: Frozen) throws(ModelError) -> PropertyState {
        try view._model.state(of: key)
    }
}

// A method of a class cannot have `Self` inside its result type; one of a protocol can.
extension PropertyValue where Self: DynamicModel {
    /// Copies the model, and everything it refers to, to an immutable graph that any thread may read.
    ///
    /// References out of the graph, such as the model's own parent reference, are not copied.
    ///
    /// - Complexity: O(*n*) in the size of the graph, on a constant stack; cycles are fine.
    public func frozen() -> Frozen<Self> { Frozen.views(of: [self])[0] }
}

extension Frozen {
    /// Returns views of models in one graph: models that several of them lead to are copied once.
    package static func views(of models: [Model]) -> [Frozen] {
        let (roots, all) = ModelGraphCopy.preparedCopies(of: models)
        let graph = FrozenGraph(all)
        return roots.map { Frozen($0.known(as: Model.self), in: graph) }
    }
}

/// The models of a frozen graph, which live as long as its views.
///
/// Its end clears the references between the models, so that cycles are freed, too.
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
    /// Returns a property by key as this type; nil for unset and null.
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
    /// The description of the model.
    public var description: String { _model.description }

    /// The description of the model.
    public var debugDescription: String { _model.debugDescription }

    /// A mirror without the model, since a reference to it could change it.
    public var customMirror: Mirror { Mirror(self, children: ["model": _model.debugDescription]) }
}
