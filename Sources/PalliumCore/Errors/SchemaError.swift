/// Everything that is wrong with a set of schemas, found in one pass before any of them is registered, or with the
/// accessors of a class (``SchemaRegistry/verifyAccessors(of:_:samples:)``).
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One mistake.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The schema, where one is concerned.
        public let schema: String?
        /// The key of the property, where one is concerned.
        public let property: String?
        /// What is wrong.
        public let message: String
        /// What to do about it.
        public let fix: String?
        /// The file, line and column, for schemas that were read from a document.
        public let source: String?

        /// Describes a mistake.
        public init(
            schema: String? = nil, property: String? = nil, message: String, fix: String? = nil, source: String? = nil
        ) {
            self.schema = schema
            self.property = property
            self.message = message
            self.fix = fix
            self.source = source
        }

        /// The mistakes, one a line, each with place and fix.
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
    public init(_ problems: [Problem]) { self.problems = problems }

    /// The mistakes, one a line, each with place and fix.
    public var description: String {
        problems.count == 1
            ? problems[0].description
            : "\(problems.count) problems in schemas:\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}
