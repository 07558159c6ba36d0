public import PalliumJSON

extension Transformer {
    /// The circumstances of a conversion.
    public struct Context: Sendable {
        /// The directions of a conversion.
        public enum Direction: String, Sendable, Hashable {
            /// From JSON to the property.
            case forward
            /// From the property to JSON.
            case reverse
        }

        private struct Values {
            var schema: String?
            var property: String?
            var pointer: JSONPointer?
            var userInfo: [String: any Sendable]
        }

        private enum Content {
            case values(Values)
            case deferred(any ConversionContext)
        }

        private var content: Content

        private var context: (any ConversionContext)? {
            if case .deferred(let context) = content { context } else { nil }
        }

        /// A context that is changed no longer asks where it is.
        private var values: Values {
            get {
                switch content {
                case .values(let values): values
                case .deferred(let context):
                    Values(
                        schema: context.schema, property: context.property, pointer: context.pointer,
                        userInfo: context.userInfo)
                }
            }
            set { content = .values(newValue) }
        }

        /// The direction of the conversion.
        public var direction: Direction

        /// The schema of the model, if there is one.
        public var schema: String? {
            get { if let context { context.schema } else { values.schema } }
            set { values.schema = newValue }
        }

        /// The key of the property, if there is one.
        public var property: String? {
            get { if let context { context.property } else { values.property } }
            set { values.property = newValue }
        }

        /// The path of the value in the document, if one is read.
        public var pointer: JSONPointer? {
            get { if let context { context.pointer } else { values.pointer } }
            set { values.pointer = newValue }
        }

        /// The values that the caller passed to the adapter for transformers.
        public var userInfo: [String: any Sendable] {
            get { if let context { context.userInfo } else { values.userInfo } }
            set { values.userInfo = newValue }
        }

        /// Describes the circumstances of a conversion.
        public init(
            direction: Direction = .forward, schema: String? = nil, property: String? = nil,
            pointer: JSONPointer? = nil,
            userInfo: [String: any Sendable] = [:]
        ) {
            self.direction = direction
            content = .values(Values(schema: schema, property: property, pointer: pointer, userInfo: userInfo))
        }

        /// Makes the context of a value that is read.
        package init(_ context: any ConversionContext) {
            direction = .forward
            content = .deferred(context)
        }
    }
}
