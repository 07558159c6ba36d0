import Foundation
import Pallium

/// A document is refused with a place, or read, and then written so that it reads as the same model.
enum TypedDocuments {
    static func check(_ bytes: [UInt8]) throws {
        for adapter in FuzzedModels.adapters {
            let report = adapter.report(from: bytes)
            for problem in report.problems { try promiseUsefulError(problem, inputCount: bytes.count) }
            let model: DynamicModel
            do throws(ModelError) { model = try adapter.model(from: bytes) } catch {
                try promiseUsefulError(error, inputCount: bytes.count)
                try promise(report.isArray || !report.problems.isEmpty, "refused, but the report has no problem")
                continue
            }
            try promise(report.problems.isEmpty && report.model == model, "decoded, but the report differs")
            let written = try adapter.data(from: model)
            let again = try adapter.model(from: written)
            try promise(again == model, "another model after writing: \(String(decoding: written, as: UTF8.self))")
            try promise(again.hashValue == model.hashValue, "equal models, different hashes")
            try promise(try adapter.data(from: again) == written, "another text after reading what was written")
            try promise(model.deepCopy() == model, "another model after copying")
        }
    }
}

/// A document has one verdict, whether it is read as a tree, as a property or skipped.
enum UntypedDocuments {
    private static let reading = FuzzedModels.holder(.jsonValue)
    private static let skipping = FuzzedModels.holder(.jsonValue.json("other"))

    static func check(_ bytes: [UInt8]) throws {
        let value: JSONValue?
        do throws(JSONSyntaxError) { value = try JSONValue(parsing: bytes) } catch {
            try promiseUsefulError(error, inputCount: bytes.count)
            value = Optional.none
        }
        // A byte order mark may stand at the beginning only; one level is taken by the object around.
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]), bytes.count < 500 else { return }
        let document = Array(#"{"value":"#.utf8) + bytes + Array("}".utf8)
        let model = try? reading.model(from: document)
        let skipped = try? skipping.model(from: document)
        // `1,"b":2` is no document, but part of one; so is a value with a bracket too much.
        guard let value else {
            try promise((model == nil) == (skipped == nil), "reading and skipping disagree")
            return
        }
        guard let model else { throw BrokenPromise(description: "refused as a property") }
        try promise(skipped != nil, "refused as a skipped member")
        try promise(value.isNull || model["value", as: JSONValue.self] == value, "another value as a property")
        try checkNumbers(value)
    }

    /// Numbers are the nearest Doubles, as the C library has them.
    private static func checkNumbers(_ value: JSONValue) throws {
        var pending = [value]
        while let value = pending.popLast() {
            switch value {
            case .array(let elements): pending += elements
            case .object(let object): pending += object.values
            case .number(let number):
                try promise(strtod(number.text, nil) == number.double, "\(number.text) is not \(number.double)")
                try promise((try? JSONValue(parsing: number.text)) == value, "\(number.text) reads as another number")
            default: break
            }
        }
    }
}

/// What was read can be written, in every layout, and reads as the same value.
enum WrittenTrees {
    static func check(_ bytes: [UInt8]) throws {
        var reading = JSONReadingOptions()
        reading.loneSurrogates = .replace
        guard let value = try? JSONValue(parsing: bytes, options: reading) else { return }
        for layout in 0..<8 {
            var options = JSONWritingOptions()
            options.isPretty = layout & 1 != 0
            options.sortsKeys = layout & 2 != 0
            options.escapesSlashes = layout & 4 != 0
            let text = try value.bytes(options: options)
            try promise(try JSONValue(parsing: text) == value, "another value in layout \(layout)")
        }
        try promise(try JSONValue(parsing: bytes, options: reading).hashValue == value.hashValue, "another hash")
    }
}
