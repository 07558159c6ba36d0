public import PalliumCore
import PalliumJSON

// Encodes and decodes models with any coder.
extension CodingUserInfoKey {
    // Every text makes a key; the initialiser is failable only because its protocol's is.
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
    /// Writes the model as the JSON value that a ``JSONAdapter`` with default options makes, in the format of the
    /// coder.
    ///
    /// The coder's strategies have no effect: the schema says how names, dates, data and numbers are written.
    ///
    ///     func respond<Body: Encodable>(_ body: Body) throws -> Data { try JSONEncoder().encode(body) }
    ///     let data = try respond(issue)
    ///
    /// - Throws: ``ModelError`` as ``JSONAdapter/data(from:only:except:redacting:)-(Model,_,_,_)``, with the codes `cycle` and
    ///   `depthLimit` for models that are no tree of limited depth, and `notConvertible` for two member names that are
    ///   equal Swift strings; the pointer begins at the coder's root. `PropertyListEncoder` throws it as the underlying
    ///   error of an `EncodingError`.
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

/// Makes every model class `Decodable`. The initialiser is in a protocol extension, because only there an initialiser
/// may return another object, such as the subclass that a cluster chose.
extension PropertyValue where Self: DynamicModel {
    /// Reads a model from any self-describing format: JSON, property lists and the like.
    ///
    ///     let issues = try JSONDecoder().decode([Issue].self, from: data)
    ///
    /// The result is that of a ``JSONAdapter`` with default options: clusters choose subclasses, validators and hooks
    /// run, and the coder's strategies have no effect. The class must have a schema in the registry of the coder,
    /// `CodingUserInfoKey.schemaRegistry`. Plain ``DynamicModel``s have different schemas, so only an adapter can read
    /// them.
    ///
    /// - Throws: `DecodingError.dataCorrupted` around the ``ModelError``, which web frameworks report as an error of
    ///   the sender; ``ModelError`` with the code `unknownSchema` for a class without a schema.
    public init(from decoder: any Decoder) throws {
        let registry = CodingUserInfoKey.registry(in: decoder.userInfo)
        let layout = try registry.layout(.modelClass(Self.self))
        let adapter = try JSONAdapter<Self>(layout, registry: registry, options: JSONAdapterOptions())
        let value = try JSONValue(from: decoder)
        do throws(ModelError) {
            self = try adapter.model(from: value)
        } catch {
            let path = (error.problems.first?.pointer?.tokens ?? []).map {
                JSONMemberKey(stringValue: $0) as any CodingKey
            }
            let located = error.at(decoder.codingPath.map(\.token))
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath + path, debugDescription: located.description,
                    underlyingError: located))
        }
    }
}

extension CodingKey {
    /// The key as a token of a JSON Pointer.
    var token: String { intValue.map { "\($0)" } ?? stringValue }
}
