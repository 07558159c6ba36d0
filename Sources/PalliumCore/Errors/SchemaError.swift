import PalliumJSON

/// All mistakes in a set of schemas, or in the accessors of a class.
///
/// Registering finds all mistakes before it registers anything. ``SchemaRegistry/verifyAccessors(of:_:samples:)`` finds
/// mistakes in accessors.
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One mistake.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The schema, if the mistake concerns one.
        public let schema: String?
        /// The key of the property, if the mistake concerns one.
        public let property: String?
        /// A description of the mistake.
        public let message: String
        /// A way to correct it.
        public let fix: String?
        /// The file, line and column, for schemas that were read from a document.
        public package(set) var source: String?
        /// The names of the members that lead from the property, or from the schema, to the mistake in a document.
        package let members: [String]

        /// Describes a mistake.
        package init(
            schema: String? = nil, property: String? = nil, message: String, fix: String? = nil, source: String? = nil,
            members: [String] = []
        ) {
            self.schema = schema
            self.property = property
            self.message = message
            self.fix = fix
            self.source = source
            self.members = members
        }

        /// The mistake in one line, with its position and a way to correct it.
        public var description: String {
            var text = source.map { "\($0): " } ?? ""
            if let schema { text += property.map { "\(schema).\($0): " } ?? "\(schema): " }
            text += message
            if let fix { text += "; \(fix)" }
            return text
        }
    }

    /// The mistakes, in the order of the schemas and their properties; never empty.
    public let problems: [Problem]

    /// Collects mistakes.
    package init(_ problems: [Problem]) { self.problems = problems }

    /// The mistakes, one per line, each with its position and a way to correct it.
    public var description: String {
        problems.count == 1
            ? problems[0].description
            : "\(problems.count.counted("problem")) in schemas:\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}
