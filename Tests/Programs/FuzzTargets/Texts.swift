import Foundation
import Pallium

/// Text that is accepted as a URL is one for Foundation, too, and stays as it is.
enum LazyURLs {
    private static let adapter = FuzzedModels.holder(.url)

    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let model = try? adapter.model(from: JSONValue.object(["value": .string(text)])) else { return }
        let written = try adapter.jsonValue(from: model)["value"]?.stringValue
        try promise(written.map { Array($0.utf8) } == Array(text.utf8), "\(text) is written as \(written ?? "nothing")")
        guard let made = model["value", as: URL.self], let expected = URL(string: text) else {
            throw BrokenPromise(description: "\(text) was accepted, but is no URL")
        }
        try promise(made == expected && made.absoluteString == text, "\(text) became \(made.absoluteString)")
    }
}

/// Text that is accepted as a moment is written as text that reads as the same moment.
enum Moments {
    private static let adapters = [ISO8601DateTransformerName, DateOnlyTransformerName].map {
        FuzzedModels.holder(.date.transformer($0))
    }

    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        for adapter in adapters {
            guard let model = try? adapter.model(from: JSONValue.object(["value": .string(text)])) else { continue }
            try promise(bytes.count <= 64, "\(bytes.count) bytes were accepted")
            let written = try adapter.data(from: model)
            let again = try adapter.model(from: written)
            try promise(again == model, "\(text) is written as \(String(decoding: written, as: UTF8.self))")
        }
    }
}

/// A schema document is refused as a whole, or registered, and then written so that it registers as the same schemas.
enum SchemaDocuments {
    static func check(_ bytes: [UInt8]) throws {
        let registry = SchemaRegistry()
        let schemas: [ModelSchema]
        do throws(SchemaError) { schemas = try registry.load(Data(bytes), name: "input") } catch {
            try promise(!error.problems.isEmpty, "refused without a problem")
            return
        }
        let text = try registry.document(of: schemas).bytes()
        let other = SchemaRegistry()
        let again = try other.load(Data(text), name: "output")
        try promise(again == schemas, "other schemas after writing: \(String(decoding: text, as: UTF8.self))")
        for schema in schemas {
            let adapter = try JSONAdapter(schema: schema, registry: registry)
            for document in ["{}", "[]", #"{"a":1}"#] { _ = adapter.report(from: Array(document.utf8)) }
        }
    }
}
