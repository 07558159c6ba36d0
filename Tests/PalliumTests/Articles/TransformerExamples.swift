import Foundation
import Pallium

// The examples of the article about transformers, word for word, like those in `ArticleExamples.swift`.

func transformerExample(_ registry: SchemaRegistry) throws -> JSONAdapter<DynamicModel> {
    let cents = Transformer(
        from: Double.self, to: Int.self
    ) { amount, _ in
        Int((amount * 100).rounded())
    } reverse: { cents, _ in
        Double(cents) / 100
    }
    try registry.transformers.register(cents, as: "Cents")

    let invoice = ModelSchema(
        "Invoice",
        [
            "paidAt": .date.transformer(.unixMilliseconds),
            "homepage": .url.transformer(.emptyTextAsNull, .url),
            "price": .integer.transformer("Cents"),
        ])

    let parcel = ModelSchema(
        "Parcel", ["price": .integer.transformer(cents)])

    try registry.register(invoice, parcel)
    return try JSONAdapter(schema: invoice, registry: registry)
}

/// What the combined transformers make of some values.
func combinedTransformerExample(_ registry: SchemaRegistry) throws -> [String] {
    let cents = try registry.transformers.transformer(named: "Cents")

    let state = Transformer.mapping(
        ["open": 1, "opened": 1, "closed": 2], default: 0)
    let port = Transformer.validating(Int.self, expected: "a port") {
        (1...65535).contains($0)
    }
    let url = try registry.transformers.transformer(
        named: URLTransformerName)
    let urls = url.each()
    let maybe = url.optional()  // "" and null are null
    let text = try url.inverted()  // URL to text
    let checked = try cents.then(port)

    let home = try url.transform("https://example.org", as: URL.self)
    let back = try url.reverse(home, as: String.self)

    var options = JSONAdapterOptions()
    options.transformersByKind = ["date": UnixMillisecondsTransformerName]

    return [
        back, "\(try state.transform("merged", as: Int.self))", "\(try urls.transform([back], as: [URL].self).count)",
        "\(try maybe.transform("", as: URL?.self) == nil)", try text.transform(home, as: String.self),
        "\(try checked.transform(1.5, as: Int.self))", "\(options.transformersByKind.count)",
    ]
}
