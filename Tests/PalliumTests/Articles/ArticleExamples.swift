import Foundation
import Pallium

// The Swift examples of the articles about profiles, formats and archives, word for word; `ArticleTests` runs
// them and compares the texts.

func profileExample(registry: SchemaRegistry) throws -> String {
    var issue = ModelSchema(
        "Issue",
        [
            "number": .integer.required,
            "title": .string,
            "htmlURL": .url.json("html_url"),
            "notes": .string,
            "author": .model("User"),
        ])
    issue.profiles = [
        ModelSchema.Profile(
            "v2",
            [
                "number": .path("iid"),
                "htmlURL": .path("links.html"),
                "notes": .none,
            ])
    ]

    try registry.register(issue, ModelSchema("User", ["login": .string]))

    let old = try JSONAdapter(schema: issue, registry: registry)
    let new = try JSONAdapter(
        schema: issue, profile: "v2", registry: registry)
    let model = try old.model(
        from: #"{"number": 7, "html_url": "https://example.org/7"}"#)
    let text = try new.data(from: model)
    // {"iid":7,"links":{"html":"https://example.org/7"}}

    return String(decoding: text, as: UTF8.self)
}

func formatExample(_ transformers: TransformerRegistry, berlin: TimeZone) throws -> ModelSchema {
    let german = Locale(identifier: "de_DE")
    let english = Locale(identifier: "en_US")
    try transformers.register(
        .date(format: "MMMM d, yyyy"), as: "LongDate")
    try transformers.register(
        .date(format: "d. MMMM yyyy", locale: german, timeZone: berlin),
        as: "GermanDate")
    try transformers.register(
        .number(locale: english, fractionDigits: 2...2), as: "Price")
    let style = FloatingPointFormatStyle<Double>.Percent(locale: english)
    try transformers.register(.formatted(style), as: "Percent")

    let invoice = ModelSchema(
        "Invoice",
        [
            // "September 25, 2015"
            "issued": .date.transformer("LongDate"),
            // "12,345.68"
            "total": .decimal.transformer("Price"),
            // "12%"
            "discount": .double.transformer("Percent"),
        ])

    return invoice
}

func archivedSchemaExample() -> (person: ModelSchema, title: PropertySchema) {
    var person = ModelSchema(
        "Person",
        [
            "firstName": .string.required,
            "lastName": .string,
            "email": .string,
            "born": .date,
        ],
        version: 3)
    person.upgrades = [
        SchemaUpgrade(
            from: 1, renamed: ["mail": "email"],
            transformed: ["born": [DateOnlyTransformerName]]),
        SchemaUpgrade(
            from: 2, oldSchemaName: "Contact"
        ) { contact in
            let name = contact["name"]?.text ?? ""
            let parts = name.split(separator: " ", maxSplits: 1)
                .map { FormerModel.Value.string(String($0)) }
            contact["firstName"] = parts.first
            contact["lastName"] = parts.count > 1 ? parts[1] : .null
            contact["name"] = nil
        },
    ]
    let title = PropertySchema.string.unarchived { stored in
        stored["title"] ?? stored["name"]
    }
    return (person, title)
}

/// The schemas of today for what a Customer, an Invoice and a Vehicle were.
func movedSchemaExample() -> [ModelSchema] {
    var customer = ModelSchema("Customer", ["address": .model("Address")], version: 2)
    customer.upgrades = [
        SchemaUpgrade(
            from: 1, removed: ["street", "city"]
        ) { customer in
            var address = FormerModel("Address", version: 1)
            address["street"] = customer["street"]
            address["city"] = customer["city"]
            customer["address"] = .model(address)
        }
    ]
    var invoice = ModelSchema("Invoice", ["payerName": .string], version: 2)
    invoice.upgrades = [
        SchemaUpgrade(from: 1, removed: ["payer"]) { invoice in
            invoice["payerName"] = invoice["payer"]?.model?["name"]
        }
    ]
    var car = ModelSchema("Car", ["kind": .string], version: 2)
    var truck = ModelSchema("Truck", ["kind": .string], version: 2)
    car.upgrades = [
        SchemaUpgrade(
            from: 1, oldSchemaName: "Vehicle", when: ["kind": "car"])
    ]
    truck.upgrades = [
        SchemaUpgrade(
            from: 1, oldSchemaName: "Vehicle", when: ["kind": "truck"])
    ]
    return [customer, invoice, car, truck, ModelSchema("Address", ["street": .string, "city": .string])]
}

func reportExample(registry: SchemaRegistry, unarchiver: ModelUnarchiver, mixed: Data) -> (ModelUnarchiver, Int) {
    let report = unarchiver.report(DynamicModel.self, from: mixed)
    for problem in report.problems { print(problem) }

    var options = ModelUnarchiverOptions()
    // Lists and roots leave out the models that cannot be read.
    options.elements = .skip
    // Models that are not valid are read as they are, and reported.
    options.validation = .report
    let lenient = ModelUnarchiver(
        registry: registry, allowing: ["Person", "Issue"],
        options: options)
    return (lenient, report.models.count)
}

func archiveExample(registry: SchemaRegistry, file: URL) throws -> Int {
    let issue = DynamicModel(schema: try registry.schema(named: "Issue"), registry: registry)
    let person = try DynamicModel(
        schema: registry.schema(named: "Person"), values: ["firstName": "Ada"], registry: registry)

    let bytes = try ModelArchiver().archive(issue)
    let reader = ModelUnarchiver(registry: registry)
    let back = try reader.unarchive(issue.schema, from: bytes)

    let mixed = try ModelArchiver().archive([back, person])
    let unarchiver = ModelUnarchiver(
        registry: registry, allowing: ["Person", "Issue"])
    let models = try unarchiver.unarchive(
        arrayOf: DynamicModel.self, from: mixed)
    let (lenient, count) = reportExample(registry: registry, unarchiver: unarchiver, mixed: mixed)
    guard count == 2, lenient.report(DynamicModel.self, from: mixed).models.count == 2 else { return 0 }

    try ModelArchiver().write(models, to: file)
    let again = try unarchiver.unarchive(
        arrayOf: DynamicModel.self, from: file)
    return again.count
}

func versionedDocumentExample(_ adapter: JSONAdapter<DynamicModel>, document: Data) throws -> String {
    let current = try adapter.model(
        from: document, versionMember: "schemaVersion")
    let text = try adapter.data(
        from: current, versionMember: "schemaVersion")
    return String(decoding: text, as: UTF8.self)
}
