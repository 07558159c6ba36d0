import Foundation
import PalliumCore
import PalliumJSON

/// A JSON value whose names are not changed by a coder's key strategy.
///
/// Strategies change the keys of containers, never those of dictionaries, which are data; so this value codes its
/// objects as dictionaries.
///
/// Coders encode and decode dictionaries by recursion, so the depth is limited here.
struct KeptNames: Codable {
    /// How many levels may nest, those around the value included. Each costs the coder up to 4 kB of stack.
    private static let maximumDepth = 64

    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    /// Whether a coder changes the names of members.
    ///
    /// Coders do not report their strategies, and a changed name is visible only after it is written. So this inspects
    /// the coder's properties. Coders of other formats have no strategies. A coder in which none is found is assumed to
    /// keep names; tests fail if that becomes wrong for Foundation's coders.
    static func areConverted(by encoder: any Encoder) -> Bool {
        switch Mirror(reflecting: encoder).descendant("options", "keyEncodingStrategy") {
        case let strategy as JSONEncoder.KeyEncodingStrategy:
            if case .useDefaultKeys = strategy { false } else { true }
        default: false
        }
    }

    /// Whether a coder changes the names of members.
    static func areConverted(by decoder: any Decoder) -> Bool {
        switch Mirror(reflecting: decoder).descendant("options", "keyDecodingStrategy") {
        case let strategy as JSONDecoder.KeyDecodingStrategy:
            if case .useDefaultKeys = strategy { false } else { true }
        default: false
        }
    }

    func encode(to encoder: any Encoder) throws {
        let depth = encoder.codingPath.count
        do throws(ModelError) {
            switch value {
            case .array: try Self.checkDepth(depth)
            case .object(let members):
                try Self.checkDepth(depth)
                try members.checkNamesAsStrings()
            case .number(let number): _ = try number.encodable()
            case .null, .bool, .string: break
            }
        } catch { throw error.at(encoder.codingPath.map(\.token)) }
        var container = encoder.singleValueContainer()
        switch value {
        case .array(let elements): try container.encode(elements.map { KeptNames($0) })
        case .object(let members):
            // The names were checked to be different Swift strings.
            try container.encode(Dictionary(uniqueKeysWithValues: members.map { ($0.key, KeptNames($0.value)) }))
        case .null, .bool, .string, .number: try value.encodeScalar(to: encoder)
        }
    }

    private static func checkDepth(_ depth: Int) throws(ModelError) {
        guard depth >= maximumDepth else { return }
        throw ModelError(
            .depthLimit, expected: "at most \(maximumDepth.counted("level")) through a coder with a key strategy",
            found: "more")
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let scalar = try? container.decode(CodedScalar.self) {
            value = scalar.value
        } else {
            guard decoder.codingPath.count < Self.maximumDepth else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "expected at most \(Self.maximumDepth.counted("level")) with a key strategy"))
            }
            if (try? decoder.unkeyedContainer()) != nil {
                value = .array(try container.decode([KeptNames].self).map(\.value))
            } else {
                let members = try container.decode([String: KeptNames].self)
                    .sorted { UTF8Text.precedes($0.key, $1.key) }
                value = .object(JSONObject(members.lazy.map { (key: $0.key, value: $0.value.value) }))
            }
        }
    }
}
