/// The identity of a model: the values by which its schema tells models apart.
///
///     final class Issue: DynamicModel, Identifiable {}  // identity: ["number"]
///
///     issue.id == issue.frozen().id       // true
///     print(issue.id)                     // Issue 7
///
/// Text is compared by its bytes. Identities count within the schema that declares them, in one registry: a user and an
/// account with equal values have equal identities if the schema of the users extends that of the accounts and declares
/// no identity of its own. They are those by which ``IdentityMap`` finds its instances.
///
/// A model whose schema has no identity, which lacks a value of it, or whose identity names a weak property, has the
/// identity of its object instead. As an `ObjectIdentifier` it has a meaning only while the object lives, and no copy
/// shares it.
///
/// An identity does not change with the model, does not keep it alive, and may be passed to any thread.
@safe
public struct ModelIdentity: Hashable, @unchecked Sendable {
    // @unchecked: identities that other code of this package makes from a model refer to it, and stay in its region
    // until they are detached. All that programs get are detached. Their values are plain bytes, immutable values that
    // are `Sendable`, or a frozen view.
    //
    // Safety: layouts live as long as their registry. The holder of an identity holds its model, and so the registry; a
    // detached identity holds the registry itself.
    /// The layout that declares the identity; the model's own if its object is the identity.
    private let root: Unowned<ModelLayout>
    private let identifier: ModelIdentifier
    /// Keeps the layout and the descriptions of a detached identity; nil if they live as long as the process.
    private let registry: SchemaRegistry?

    /// Nil when the schema has no identity, or a value of it is missing.
    package init?(_ model: DynamicModel) {
        guard let identifier = model.modelIdentifier else { return nil }
        self.init(root: Self.root(of: model.layout), identifier)
    }

    /// The identity of a model with one identifying property, in a slot, before there is the model.
    package init(_ layout: ModelLayout, _ index: Int, _ content: PropertySlot) {
        self.init(root: Self.root(of: layout), ModelIdentifier(index, content))
    }

    /// Returns the identity of a model, which need not be of a class that is `Identifiable`.
    ///
    ///     issues.first { ModelIdentity(of: $0) == change.inserted[0] }
    public init(of model: DynamicModel) {
        if let identifier = model.modelIdentifier, !identifier.hasWeakReference {
            self.init(root: Self.root(of: model.layout), identifier.detached, Self.holder(model.layout))
        } else {
            self.init(
                root: model.layout.unowned, ModelIdentifier(object: model),
                Self.holder(model.layout))
        }
    }

    private init(root: Unowned<ModelLayout>, _ identifier: ModelIdentifier, _ registry: SchemaRegistry? = nil) {
        self.root = root
        self.identifier = identifier
        self.registry = registry
    }

    private static func root(of layout: ModelLayout) -> Unowned<ModelLayout> {
        layout.identityRoot.unowned
    }

    /// The registry that keeps a layout; nil for layouts that live as long as the process.
    private static func holder(_ layout: ModelLayout) -> SchemaRegistry? {
        layout.ownRegistry
    }

    private var layout: ModelLayout { root.object }

    /// The same identity, which no longer keeps the model alive.
    package var detached: ModelIdentity {
        ModelIdentity(root: root, identifier.detached, Self.holder(layout))
    }

    /// Whether the two are the identity of one model, and of its copies.
    public static func == (left: ModelIdentity, right: ModelIdentity) -> Bool {
        left.root == right.root && left.identifier == right.identifier
    }

    /// Hashes the schema and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(root)
        identifier.hash(into: &hasher)
    }
}

extension ModelIdentity: CustomStringConvertible {
    /// The schema and the values, such as `Issue 7`; secrets masked.
    public var description: String { "\(layout.schema.name) \(identifier.description)" }
}

// More specific than the `ObjectIdentifier` that Swift gives to all classes.
extension Identifiable where Self: DynamicModel {
    /// The identity of the model, as its schema declares it.
    ///
    ///     final class Issue: DynamicModel, Identifiable {
    ///         var title: String? { value() }
    ///     }
    ///
    ///     List(issues) { issue in Text(issue.title ?? "") }  // models or frozen views
    ///
    /// Conform your class, and rows of lists are told apart by the schema's identity, whatever its properties are. If
    /// the class has a property `id`, that is its `id`; declare it where the class declares `Identifiable`.
    public var id: ModelIdentity { ModelIdentity(of: self) }
}
