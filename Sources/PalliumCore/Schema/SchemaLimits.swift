/// The largest schemas that can be registered.
///
/// Schemas may come from others, so no schema takes more time or memory than its size allows. Beyond a limit,
/// registration throws ``SchemaError`` with the number.
public enum SchemaLimits {
    /// The properties of a schema, inherited ones included.
    public static let properties = 10_000
    /// The ancestors of a schema.
    public static let ancestors = 64
    /// The names and indices of a key path.
    public static let stepsOfPath = 64
    /// The key paths of a property, in `firstOf` or `allOf`.
    public static let pathsOfProperty = 1_000
    /// The key paths of ignored members.
    public static let ignoredMembers = 100_000
    /// The levels of elements of a property: an array of arrays has two.
    public static let levelsOfElements = 64
    /// The cases of an enumeration, aliases included.
    public static let cases = 100_000
    /// The labels of a property.
    public static let labels = 64
    /// The rules about several properties of a schema.
    public static let rules = 10_000
    /// The texts or rules of a cluster.
    public static let casesOfCluster = 100_000
    /// The conditions of a rule of a cluster.
    public static let conditionsOfRule = 64
    /// The profiles of a schema, inherited ones included.
    public static let profiles = 64
    /// The steps of a schema's upgrades.
    public static let upgrades = 10_000
}
