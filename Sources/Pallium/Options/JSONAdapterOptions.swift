public import PalliumCore
public import PalliumJSON

/// How an adapter reads and writes.
public struct JSONAdapterOptions: Sendable {
    /// What happens to members that no property maps and the schema does not list as ignored.
    public enum UnknownMembers: String, Sendable, Hashable, CaseIterable {
        /// They are skipped, after the same checks as everything else.
        case ignore
        /// They are errors.
        case refuse
        /// They are kept beside the model and written back; so are the ones the schema ignores.
        case keep
    }

    /// What happens to a list when one of its elements cannot be decoded.
    public enum ElementPolicy: String, Sendable, Hashable, CaseIterable {
        /// The whole list is refused.
        case fail
        /// The element is left out. `report(from:)` tells about it.
        case skip
    }

    /// Conversions that are errors unless they are asked for.
    public struct Leniency: OptionSet, Sendable, Hashable {
        /// The conversions as bits.
        public let rawValue: Int

        /// Combines conversions.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Text that holds a number is read as the number by numeric properties without a transformer.
        public static let numbersAsText = Leniency(rawValue: 1)
        /// The numbers 0 and 1 are read as bools by properties without a transformer.
        public static let boolsAsNumbers = Leniency(rawValue: 2)
        /// Empty text is read as null by properties that are not text.
        public static let emptyTextAsNull = Leniency(rawValue: 4)
    }

    /// How JSON text is read: limits, duplicate members, lone surrogates, byte order mark.
    public var reading = JSONReadingOptions()
    /// How JSON text is written.
    public var writing = JSONWritingOptions()
    /// What happens to members that no property maps.
    public var unknownMembers = UnknownMembers.ignore
    /// How nil properties are written.
    public var nilPolicy = NilPolicy.asParsed
    /// Whether models that lack a value of a required property are written; they are refused unless this is set.
    ///
    /// What is missing is written as ``nilPolicy`` says. Parts of documents, such as patches and what `only:` and `except:`
    /// choose, need nothing else than what is chosen.
    public var writesIncompleteModels = false
    /// The last word on what is written of a model: it sees the object and may change it. Models inside come first.
    ///
    ///     options.didWrite = { model, object in object["@type"] = .string(model.schema.name) }
    ///
    /// What it throws is thrown on with the place of the object. The text is made twice for it. The object of a model that is
    /// mapped to parts (`allOf`) has no members but these: another one is an error.
    public var didWrite: (@Sendable (DynamicModel, inout JSONObject) throws -> Void)?
    /// What happens to a list when one of its elements cannot be decoded.
    public var elements = ElementPolicy.fail
    /// Conversions that are errors unless they are asked for.
    public var leniency: Leniency = []
    /// Transformers for all properties of a kind that name none themselves, by the kind's name: `["date":
    /// UnixMillisecondsTransformerName]`. They hold for nested models too.
    public var transformersByKind: [String: TransformerName] = [:]
    /// How many problems `report(from:)` collects before it gives up.
    public var maximumProblems = 1000
    /// How many bytes an element of a stream may have, with the white space and comma before it. The default is 64 MiB.
    ///
    /// This bounds the memory of a stream. The limits of ``reading`` hold for each element; a stream as a whole has none.
    public var maximumElementBytes = 64 << 20
    /// What transformers find in their context.
    public var userInfo: [String: any Sendable] = [:]

    /// The defaults: strict, unknown members ignored.
    public init() {}
}
