public import PalliumCore
public import PalliumJSON

/// The options of an adapter: how it reads and writes JSON.
public struct JSONAdapterOptions: Sendable {
    /// A policy for members that no property maps and the schema does not list as ignored.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum UnknownMembers: String, Sendable, Hashable, CaseIterable {
        /// They are skipped, after the same checks as everything else.
        case ignore
        /// They are errors.
        case refuse
        /// They are kept with the model and written back; so are those that the schema ignores.
        case keep
    }

    /// A policy for lists with an element that cannot be decoded.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ElementPolicy: String, Sendable, Hashable, CaseIterable {
        /// The whole list fails.
        case fail
        /// The element is left out; `report(from:)` reports it.
        case skip
    }

    /// Optional conversions of values that are errors otherwise.
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

    /// The options for parsing JSON text: limits, duplicate members, lone surrogates, byte order mark.
    public var reading = JSONReadingOptions()
    /// The options for writing JSON text.
    public var writing = JSONWritingOptions()
    /// The policy for members that no property maps. A schema can refuse them whatever this says:
    /// ``ModelSchema/refusesUnknownMembers``.
    public var unknownMembers = UnknownMembers.ignore
    /// The direction of the documents. Properties that a schema has ``PropertySchema/only(_:)`` in the other one are neither
    /// read, required nor written, and their members are skipped. If nil, documents have all properties.
    ///
    ///     let requests = adapter.with { $0.mode = .input }
    public var mode: PropertySchema.Direction?
    /// The policy for properties that are null or unset.
    public var nilPolicy = PropertySchema.NilPolicy.asParsed
    /// Whether models that lack a required property can be written; otherwise writing them throws.
    ///
    /// A missing property is written as ``nilPolicy`` says. Partial documents, such as patches and the result of
    /// `only:` and `except:`, need only the chosen properties.
    public var writesIncompleteModels = false
    /// Changes the object of each model before it is written; inner models come first.
    ///
    ///     options.didWrite = { model, object in object["@type"] = .string(model.schema.name) }
    ///
    /// Errors of the closure are thrown with the path of the object. With this option the text is built twice. The
    /// closure must not add members to the object of a model that is mapped to parts (`allOf`).
    public var didWrite: (@Sendable (DynamicModel, inout JSONObject) throws -> Void)?
    /// The policy for lists with an element that cannot be decoded.
    public var elements = ElementPolicy.fail
    /// The optional conversions that the adapter does.
    public var leniency: Leniency = []
    /// Transformers for all properties of a kind that name none themselves, by the kind's name: `["date":
    /// UnixMillisecondsTransformerName]`. They hold for nested models too.
    public var transformersByKind: [String: TransformerName] = [:]
    /// How many problems `report(from:)` collects before it stops.
    public var maximumProblems = 1000
    /// The maximum size of a stream's element in bytes, including the white space and comma before it. The default is
    /// 64 MiB.
    ///
    /// It limits the memory of a stream. The limits of ``reading`` apply to each element; a stream as a whole has none.
    public var maximumElementBytes = 64 << 20
    /// Your values for transformers, which find them in their context.
    public var userInfo: [String: any Sendable] = [:]

    /// The defaults: strict, unknown members ignored.
    public init() {}
}
