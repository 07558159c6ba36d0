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
            case place(any ConversionPlace)
        }

        private var content: Content

        private var place: (any ConversionPlace)? {
            if case .place(let place) = content { place } else { nil }
        }

        /// A context that is changed no longer asks its place.
        private var values: Values {
            get {
                switch content {
                case .values(let values): values
                case .place(let place):
                    Values(
                        schema: place.schema, property: place.property, pointer: place.pointer,
                        userInfo: place.userInfo)
                }
            }
            set { content = .values(newValue) }
        }

        /// The direction of the conversion.
        public var direction: Direction

        /// The schema of the model, if there is one.
        public var schema: String? {
            get { if let place { place.schema } else { values.schema } }
            set { values.schema = newValue }
        }

        /// The key of the property, if there is one.
        public var property: String? {
            get { if let place { place.property } else { values.property } }
            set { values.property = newValue }
        }

        /// The path of the value in the document, if one is read.
        public var pointer: JSONPointer? {
            get { if let place { place.pointer } else { values.pointer } }
            set { values.pointer = newValue }
        }

        /// The values that the caller passed to the adapter for transformers.
        public var userInfo: [String: any Sendable] {
            get { if let place { place.userInfo } else { values.userInfo } }
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
        package init(_ place: any ConversionPlace) {
            direction = .forward
            content = .place(place)
        }
    }
}
