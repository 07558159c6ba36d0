public import Foundation
public import PalliumCore
import PalliumGeneration
public import PalliumJSON

/// Infers schemas from sample documents.
///
///     var inference = SchemaInference(name: "Event")
///     try inference.add(data)
///     let schemas = try inference.schemas()
///
/// The schemas read their samples strictly and write them back equal. The article *Inferring schemas* states the rules.
/// Samples are not held: memory is bounded, whatever their number and content.
///
/// Safety: the bytes of a document are copied while they are borrowed.
public struct SchemaInference: Sendable {
    private let name: String
    private var tree: PlaceTree

    /// Begins without samples.
    ///
    /// - Parameter name: The name of the schema of the samples.
    public init(name: String) { self.init(name: name, maximumPlaces: PlaceTree.maximumPlaces) }

    /// Begins without samples.
    ///
    /// - Parameters:
    ///   - name: The name of the schema of the samples.
    ///   - maximumPlaces: The largest number of places that are distinguished, the members of the samples aside.
    init(name: String, maximumPlaces: Int) {
        self.name = name
        tree = PlaceTree(maximumPlaces: maximumPlaces)
    }

    /// The number of samples.
    public var sampleCount: Int { tree.places[0].objects }

    /// Adds the samples of a document: `Data`, `[UInt8]` or other bytes.
    ///
    /// - Parameter document: JSON in UTF-8: an object, which is one sample, or an array of them.
    /// - Throws: ``ModelError`` if the document is malformed, or its root is nothing of this kind. Then no sample of it
    ///   counts.
    /// - Complexity: O(*n*) in the size of the document.
    public mutating func add(_ document: some ContiguousBytes) throws(ModelError) {
        let bytes = document.withBorrowedBytes { [UInt8]($0) }
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONValue(parsing: bytes) } catch {
            throw bytes.withBorrowedBytes { ModelError(error, in: $0) }
        }
        switch value {
        case .object(let object): add([object])
        case .array(let elements):
            var samples: [JSONObject] = []
            samples.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                guard case .object(let object) = element else {
                    throw ModelError(.typeMismatch, expected: "an object", found: element.summary).under(index: index)
                }
                samples.append(object)
            }
            add(samples)
        default:
            throw ModelError(
                .typeMismatch, expected: "an object or an array of objects", found: value.summary
            ).at([])
        }
    }

    /// Adds samples, which are the elements of one array if there are several.
    ///
    /// - Complexity: O(*n*) in the size of the samples.
    public mutating func add(_ samples: [JSONObject]) { add(samples, isContinued: false) }

    /// Adds samples.
    ///
    /// - Parameter isContinued: Whether they are elements of the same array as those before.
    package mutating func add(_ samples: [JSONObject], isContinued: Bool) {
        tree.record(samples: samples, isContinued: isContinued)
    }

    /// Whether the samples are probably dictionaries, whose values are objects of one kind.
    package var areMaps: Bool { tree.isMap }

    /// Adds the samples of another inference, which come after the own.
    package mutating func merge(_ other: SchemaInference) { tree.merge(other.tree) }

    /// Returns the schemas: that of the samples first, then those of nested models.
    ///
    /// The same samples always give the same schemas. More samples can be added afterwards.
    ///
    /// - Throws: ``ModelError`` if there are no samples, none has a member, they have more than 10,000 different members,
    ///   or a member of theirs has an empty name or one of more than 120 bytes.
    /// - Complexity: O(*n*) in the number of places at which the samples have values, of which at most 20,000 are
    ///   distinguished.
    public func schemas() throws(ModelError) -> [ModelSchema] { try inferred().map(\.schema) }

    /// Returns a name for the schema of one of many: `github_events` gives `GithubEvent`.
    package static func schemaName(ofMany name: String) -> String {
        SwiftName.className(for: InferredNames.schemaName(of: name, isElement: true))
    }

    /// Returns the error for a sample that no schema can describe, because of the name of a member; nil for others.
    package func problem(of sample: JSONObject) -> ModelError? {
        sample.first { !PlaceTree.isUsable($0.key) }.map { problem(of: $0.key) }
    }

    private func problem(of member: String) -> ModelError {
        ModelError(
            .invalidValue, expected: "members whose names have 1 to \(PlaceTree.maximumNameBytes.counted("byte"))",
            found: ModelError.quote(member), schema: name)
    }

    /// Returns the schemas with their evidence.
    ///
    /// - Parameter taken: Names that only the schema of the samples may have. They differ without regard to case.
    /// - Throws: ``ModelError`` as ``schemas()``.
    package func inferred(avoiding taken: [String] = []) throws(ModelError) -> [InferredSchema] {
        switch tree.problem {
        case .tooManyMembers:
            throw ModelError(
                .limitExceeded, expected: "samples with at most \(PlaceTree.maximumRootMembers.counted("member"))",
                found: "more", schema: name)
        case .name(let member): throw problem(of: member)
        case nil: break
        }
        guard sampleCount > 0 else {
            throw ModelError(.elementCount, expected: "a sample", found: "none", schema: name)
        }
        guard !tree.places[0].members.isEmpty else {
            throw ModelError(
                .elementCount, expected: "a sample with members", found: "empty objects only", schema: name)
        }
        var tree = tree
        tree.findDictionaries()
        tree.shareModels()
        return InferredSchemas(tree, name: name, avoiding: taken).schemas
    }
}
