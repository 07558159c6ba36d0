extension ModelSchema {
    /// A named alternative mapping of a schema to JSON, for another version of an interface or another partner.
    ///
    ///     schema.profiles = [
    ///         ModelSchema.Profile("v2", ["htmlURL": .path("links.html"), "number": .path("iid"), "notes": .none])
    ///     ]
    ///     let adapter = JSONAdapter(Issue.self, profile: "v2")
    ///
    /// Keys that the profile does not list keep the schema's own mapping. A schema inherits the profiles of the schema
    /// it extends, key by key. Nested models use the profile if their schema has it, and their own mapping otherwise. A
    /// profile changes key paths only: kinds, transformers, access and discriminators of clusters are the same in every
    /// profile.
    ///
    /// A profile is checked when its schema is registered. It must not leave out a required property.
    public struct Profile: Sendable, Hashable {
        /// The name by which an adapter chooses the profile.
        public var name: String
        /// The mappings of the properties that differ from the schema's own.
        package var mappings: [String: PropertySchema.JSONMapping]

        /// Describes a profile.
        public init(_ name: String, _ mappings: [String: PropertySchema.JSONMapping]) {
            self.name = name
            self.mappings = mappings
        }
    }
}
