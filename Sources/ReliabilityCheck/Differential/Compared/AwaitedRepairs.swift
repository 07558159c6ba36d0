/// Disagreements that are known and being repaired: what is generated or compared only without them.
enum AwaitedRepairs {
    /// Reports trap over elements whose transformer takes a collection.
    static let collectionsInElements = true
    /// Values of members that come twice are checked although they do not count.
    static let repeatedMembers = true
    /// Out of range is another code where text is allowed.
    static let rangesOfTexts = false
    /// An inherited property is mapped by the strategy of the child.
    static let inheritedStrategy = true
    /// Required properties that nothing maps are registered.
    static let unmappedRequired = false
    /// A null on the way of the first of several paths is located at the path's end.
    static let nullsOnTheWay = false
    /// A report hands out a leaf whose discriminator stands for another one.
    static let otherLeavesInReports = true
    /// What a rule looks at is not written.
    static let rulesAreWritten = false
    /// A validator's problem is located at the first of several paths.
    static let placesOfValidators = false
    /// Float properties are rounded twice.
    static let floats = false
    /// Members that are written are refused as unknown.
    static let writtenMembersAreKnown = false
    /// Reports call present members missing.
    static let missingInReports = false
}
