/// A named alternative mapping of a schema to JSON: another version of a server's interface, another partner.
///
///     schema.profiles = [JSONProfile("v2", ["htmlURL": .path("links.html"), "number": .path("iid"), "notes": .none])]
///     let adapter = JSONAdapter(Issue.self, profile: "v2")
///
/// Keys that the profile does not list keep the schema's own mapping. A schema inherits the profiles of the schema it
/// extends, key by key. Where models are nested, each schema that has the profile uses it and the others their own
/// mapping. What is not a matter of place (kinds, transformers, access, discriminators of clusters) is the same in every
/// profile.
///
/// A profile is checked when its schema is registered, as the schema's own mapping is; nor may it leave out a property
/// that is required.
public struct JSONProfile: Sendable, Hashable {
    /// The name by which an adapter chooses the profile.
    public var name: String
    /// Where the properties live that differ from the schema's own mapping.
    public var mappings: [String: JSONMapping]

    /// Describes a profile.
    public init(_ name: String, _ mappings: [String: JSONMapping]) {
        self.name = name
        self.mappings = mappings
    }
}
