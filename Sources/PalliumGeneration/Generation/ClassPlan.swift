import PalliumCore
import PalliumJSON

/// The content of a generated class.
struct ClassPlan {
    /// A property of the class, its own or inherited.
    struct Member {
        let key: String
        let name: String
        /// The index of the first ancestor that declares the property; its class has the type of the cases.
        let owner: Int
        /// The path in JSON; nil for none and for several.
        var path: String?
        var property: PropertySchema
        /// Nil for a kind that is not known.
        var type: SwiftType?
        var isSettable: Bool
    }

    let schema: ModelSchema
    let name: String
    let parent: String?
    let isFinal: Bool
    /// Whether the class conforms to `Observable` itself. A class whose ancestor conforms must not say so again.
    let isObservable: Bool
    var enumerations: [EnumerationText] = []
    /// The accessors that the class declares.
    var accessors: [(member: Member, isOverride: Bool)] = []
    /// All properties, those of the ancestors first.
    var members: [Member] = []
    /// The values that the initialiser sets itself, as source code by key.
    var fixedValues: [UTF8Key: String] = [:]
    /// The parameters of the parent's initialiser, if the class must not inherit it.
    var hiddenParameters: [Member] = []
    /// Whether the class has properties that its ancestors lack.
    var hasNewMembers = false
    /// Whether the required properties or their types differ from those of the parent.
    var hasNewRequirements = false
}
