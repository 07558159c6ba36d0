public import PalliumCore
import PalliumDocuments
public import PalliumJSON

/// A place of a contract that schemas cannot say as it is.
///
/// The schemas accept every document that the contract allows, and possibly more; a few losses, which say so, make them
/// accept fewer.
public struct ContractLoss: Sendable, Hashable, CustomStringConvertible {
    /// The keyword that is not read, such as `oneOf`.
    public let keyword: String
    /// The consequence, in words.
    public let message: String
    /// The schema, if the place belongs to one.
    public let schema: String?
    /// The key of the property, if the place belongs to one.
    public let property: String?
    /// The name of the document.
    public let document: String
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int
    /// The place in the document as a JSON Pointer.
    public let pointer: String

    /// The document, line and column: `service.json:12:3`.
    public var source: String { "\(document):\(line):\(column)" }

    /// The place, the keyword and the consequence in one line.
    public var description: String {
        var place = ""
        if let schema { place = property.map { "\(schema).\($0): " } ?? "\(schema): " }
        return "\(source): \(place)\(keyword): \(message)"
    }

    /// The loss as an object with the names above, for programs.
    public var json: JSONValue {
        [
            "document": .string(document), "line": .number(JSONNumber(line)), "column": .number(JSONNumber(column)),
            "pointer": .string(pointer), "schema": schema.map { .string($0) } ?? .null,
            "property": property.map { .string($0) } ?? .null, "keyword": .string(keyword),
            "message": .string(message),
        ]
    }
}

/// The schemas that a contract describes.
public struct ContractSchemas: Sendable {
    /// The registered schemas, in the order of the document.
    public let schemas: [ModelSchema]
    /// The name of the schema of the root, or of the elements of a root that is a list; nil if it is no model.
    public internal(set) var root: String?
    /// The places that schemas cannot say, in the order of the document.
    public internal(set) var losses: [ContractLoss] = []
    /// The number of properties whose contract says something about their values. One that several schemas share counts
    /// once.
    public internal(set) var propertyCount = 0
    /// The number of those whose kind is not `json`.
    public internal(set) var typedPropertyCount = 0
    /// The largest number of bytes of a contract.
    package static let maximumDocumentBytes = LocatedJSON.maximumDocumentBytes
}

/// The choices in reading a contract.
public struct ContractOptions: Sendable {
    /// The definition to read, with all that it reaches. If no definition has this name, the name of the root.
    public var model: String?
    /// Whether a contract is refused that says more than schemas can say. Otherwise, the rest is read, and
    /// ``ContractSchemas/losses`` lists the places.
    public var isLossless = false
    /// Whether formats of texts are no kinds and no rules.
    public var readsFormatsAsText = false
    /// Whether enumerations keep texts and numbers that the contract does not list.
    public var keepsUnknownCases = false
    /// The path of the contract, from which references to other files start; nil for none.
    public var path: String?
    /// The path of the folder in which these files may be; by default, that of the contract.
    public var folder: String?

    /// Takes the usual choices.
    public init() {}
}
