public import PalliumCore
import PalliumJSON

extension CodingUserInfoKey {
    // Every text makes a key: the initialiser is failable because its protocol's is.
    /// The registry whose schemas a decoder uses for models; ``SchemaRegistry/shared`` unless it is set. Models are
    /// encoded with the schemas of the one they were made with.
    ///
    ///     decoder.userInfo[.schemaRegistry] = registry
    public static let schemaRegistry = CodingUserInfoKey(rawValue: "Pallium.SchemaRegistry")!

    fileprivate static func registry(in userInfo: [CodingUserInfoKey: Any]) -> SchemaRegistry {
        userInfo[.schemaRegistry] as? SchemaRegistry ?? .shared
    }
}

extension DynamicModel: Encodable {
    /// Writes the model as the JSON value that a ``JSONAdapter`` with default options makes of it, in whatever format
    /// the coder has. Strategies of the coder do not concern it: the schema says how names, dates, data and numbers are
    /// written.
    ///
    ///     func respond<Body: Encodable>(_ body: Body) throws -> Data { try JSONEncoder().encode(body) }
    ///     let data = try respond(issue)
    ///
    /// - Throws: ``ModelError`` as ``JSONAdapter/data(from:only:except:)-(Model,_,_)``, with the codes `cycle` and
    ///   `depthLimit` for what a tree cannot show and `notConvertible` for two member names that are one for Swift;
    ///   the pointer begins at the coder's root. `PropertyListEncoder` hands it out as the underlying error of an
    ///   `EncodingError`.
    public final func encode(to encoder: any Encoder) throws {
        let value: JSONValue
        do throws(ModelError) {
            let adapter = try JSONAdapter<DynamicModel>(
                layout, registry: layout.registry, options: JSONAdapterOptions())
            value = try adapter.jsonValue(from: self)
        } catch { throw error.at(encoder.codingPath.map(\.token)) }
        try value.encode(to: encoder)
    }
}

extension DynamicModel: Decodable {}

/// The initialiser that makes every model class `Decodable`. It stands in a protocol extension because only there an
/// initialiser may answer with an object that someone else made, such as the subclass that a cluster chose.
extension PropertyValue where Self: DynamicModel {
    /// Reads a model from any format whose values tell what they are: JSON, property lists and the like.
    ///
    ///     let issues = try JSONDecoder().decode([Issue].self, from: data)
    ///
    /// The outcome is that of a ``JSONAdapter`` with default options: clusters choose subclasses, validators and hooks
    /// run, and strategies of the coder do not concern it. The class must have a schema in the registry of the coder,
    /// `CodingUserInfoKey.schemaRegistry`; plain ``DynamicModel``s have a schema each and are read by an adapter only.
    ///
    /// - Throws: `DecodingError.dataCorrupted`, which frameworks know to be the sender's fault, around the ``ModelError``;
    ///   ``ModelError`` with the code `unknownSchema` for a class without a schema.
    public init(from decoder: any Decoder) throws {
        let registry = CodingUserInfoKey.registry(in: decoder.userInfo)
        guard let layout = registry.layout(for: Self.self) else {
            throw ModelError(.unknownSchema, expected: "a schema registered for the class \(Self.self)", found: "none")
        }
        let adapter = try JSONAdapter<Self>(layout, registry: registry, options: JSONAdapterOptions())
        let value = try JSONValue(from: decoder)
        do throws(ModelError) {
            self = try adapter.model(from: value)
        } catch {
            let place = (error.problems.first?.pointer?.tokens ?? []).map { JSONMemberKey($0) as any CodingKey }
            let located = error.at(decoder.codingPath.map(\.token))
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath + place, debugDescription: located.description,
                    underlyingError: located))
        }
    }
}

extension CodingKey {
    /// The key as a token of a JSON Pointer.
    var token: String { intValue.map { "\($0)" } ?? stringValue }
}
