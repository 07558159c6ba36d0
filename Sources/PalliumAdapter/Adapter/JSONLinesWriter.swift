public import Foundation
public import PalliumCore
import PalliumJSON

/// Writes models as lines of JSON text.
///
///     var lines = JSONLinesWriter(adapter)
///     for event in events { try lines.append(event) }
///     try output.write(contentsOf: lines.takeData())
///
/// Each line is what ``JSONAdapter/data(from:only:except:redacting:)-(Model,_,_,_)`` writes, without indentation, and a line feed.
public struct JSONLinesWriter<Model: DynamicModel>: ~Copyable {
    private var encoder: ModelEncoder

    /// Makes a writer without lines.
    ///
    /// - Parameter adapter: The adapter that writes the models: one of ``JSONAdapter/projected(to:)`` writes some of
    ///   their properties. Its options say how, but ``JSONWritingOptions/isPretty`` has no effect, because a line is one
    ///   line.
    public init(_ adapter: JSONAdapter<Model>) { self.init(adapter, plans: adapter.plans, redaction: nil) }

    /// Makes a writer without lines that writes models without some values.
    ///
    /// - Parameters:
    ///   - adapter: The adapter that writes the models.
    ///   - redaction: What is written in place of values with labels.
    /// - Throws: ``ModelError`` with the code `unknownKey` for a label that no property has.
    public init(_ adapter: JSONAdapter<Model>, redacting redaction: Redaction) throws(ModelError) {
        self.init(
            adapter, plans: try adapter.plans(only: nil, except: nil, redacting: redaction), redaction: redaction)
    }

    private init(_ adapter: JSONAdapter<Model>, plans: JSONPlanSet, redaction: Redaction?) {
        var options = adapter.options
        options.writing.isPretty = false
        encoder = ModelEncoder(plans: plans, options: options, redaction: redaction, capacity: 4096)
    }

    /// The number of bytes that were written and not taken.
    public var byteCount: Int { encoder.buffer.count }

    /// Makes room for lines of a number of bytes, so that their text need not move while it grows.
    public mutating func reserveCapacity(_ byteCount: Int) { encoder.buffer.reserve(max(byteCount, 0)) }

    /// Adds a line with a model.
    ///
    /// - Throws: ``ModelError`` as the adapter; the lines are then as before.
    /// - Complexity: O(*n*) in the size of the line.
    public mutating func append(_ model: Model) throws(ModelError) {
        try append { encoder throws(ModelError) in try encoder.encode(model) }
    }

    /// Adds a line with an array of models.
    ///
    /// - Throws: ``ModelError`` as the adapter; the lines are then as before.
    /// - Complexity: O(*n*) in the size of the line.
    public mutating func append(_ models: [Model]) throws(ModelError) {
        try append { encoder throws(ModelError) in try encoder.encode(models) }
    }

    /// Returns the lines; afterwards there are none.
    public mutating func takeData() -> Data { encoder.takeData() }

    private mutating func append(
        _ encode: (inout ModelEncoder) throws(ModelError) -> Void
    ) throws(ModelError) {
        let start = encoder.buffer.count
        do throws(ModelError) {
            try encode(&encoder)
            try encoder.applyStyle(from: start)
        } catch {
            encoder.buffer.truncate(to: start)
            throw error
        }
        encoder.buffer.append(byte: UInt8(ascii: "\n"))
    }
}
