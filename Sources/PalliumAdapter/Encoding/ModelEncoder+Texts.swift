import Foundation
import PalliumCore
import PalliumJSON

// Arrays of models, and the finished text.
extension ModelEncoder {
    /// Returns the text as data that owns the buffer's memory. The encoder can write on.
    mutating func takeData() -> Data {
        var written = JSONByteBuffer(capacity: 1)
        swap(&written, &buffer)
        return Data(written.takeBytes())
    }

    /// Writes the text from an offset on again, in the style of the options.
    mutating func applyStyle(from start: Int) throws(ModelError) {
        let style = options.writing
        guard style.isPretty || style.sortsKeys || style.escapesSlashes else { return }
        // This output is rare and read by people, so it may cost a second pass.
        let value = try written(from: start)
        buffer.truncate(to: start)
        do throws(JSONSyntaxError) { try buffer.append(value: value, options: style) } catch {
            throw ModelError(error)
        }
    }

    /// Writes an array of models.
    mutating func encode<Model: DynamicModel>(_ models: [Model]) throws(ModelError) {
        buffer.append(byte: UInt8(ascii: "["))
        maximumDepth -= 1
        defer {
            maximumDepth += 1
            element = -1
        }
        for index in models.indices {
            let model = models[index]
            if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
            element = index
            models.prefetchElement(after: index)
            try encode(model)
        }
        buffer.append(byte: UInt8(ascii: "]"))
    }
}
