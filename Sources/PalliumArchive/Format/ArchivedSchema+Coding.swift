import PalliumCore
import PalliumJSON

// Reads and writes the schemas of an archive. Numbers are variable-length, texts are a length and UTF-8.
//
//     schemas     count, then each: levels, properties
//     levels      count, then each: name, version
//     properties  count, then each: key, flags (1: values are masked), type
//     type        kind; of an enumeration: count and raw values; of a collection: the type of the elements
//     raw value   0 and text, or 1 and integer

extension JSONByteBuffer {
    mutating func append(_ schemas: [ArchivedSchema]) {
        append(variable: UInt64(schemas.count))
        for schema in schemas {
            append(variable: UInt64(schema.levels.count))
            for level in schema.levels {
                append(text: level.name)
                append(variable: UInt64(level.version))
            }
            append(variable: UInt64(schema.properties.count))
            for property in schema.properties {
                append(text: property.key)
                append(byte: property.isSensitive ? 1 : 0)
                append(property.type)
            }
        }
    }

    private mutating func append(_ type: ArchivedType) {
        var next: ArchivedType? = type
        while let current = next {
            append(byte: current.traits.archiveNumber)
            if current.kind == .enumeration {
                append(variable: UInt64(current.cases.count))
                for raw in current.cases { append(raw) }
            }
            next = current.element
        }
    }

    mutating func append(_ raw: EnumerationSchema.RawValue) {
        switch raw {
        case .text(let text):
            append(byte: 0)
            append(text: text)
        case .number(let number):
            append(byte: 1)
            append(zigzag: number)
        }
    }
}

extension ArchiveCursor {
    /// Reads all schemas; nothing may follow.
    mutating func readSchemas() throws(ModelError) -> [ArchivedSchema] {
        var schemas: [ArchivedSchema] = []
        for _ in 0..<(try readCount(atMost: ArchivedSchema.maximumSchemas)) {
            var levels: [FormerModel.Level] = []
            for _ in 0..<(try readCount(atMost: ArchivedSchema.maximumLevels)) {
                let name = try readText()
                guard let version = Int(exactly: try readVariable()), version >= 1 else {
                    throw .archive(expected: "a schema version", found: "another number")
                }
                levels.append(FormerModel.Level(name: name, version: version))
            }
            guard !levels.isEmpty else { throw .archive(expected: "the name of a schema", found: "none") }
            schemas.append(ArchivedSchema(levels: levels, properties: try readProperties()))
        }
        try expectEnd()
        return schemas
    }

    private mutating func readProperties() throws(ModelError) -> [ArchivedProperty] {
        var properties: [ArchivedProperty] = []
        // Two values for one slot would leak the first.
        var keys: Set<UTF8Key> = []
        for _ in 0..<(try readCount(atMost: ArchivedSchema.maximumProperties)) {
            let key = try readText()
            guard keys.insert(UTF8Key(key)).inserted else {
                throw .archive(expected: "different keys", found: "\(ModelError.quote(key)) twice")
            }
            let flags = try readByte()
            guard flags <= 1 else { throw .archive(expected: "the flags of a property", found: "\(flags)") }
            properties.append(ArchivedProperty(key: key, type: try readType(), isSensitive: flags == 1))
        }
        return properties
    }

    private mutating func readType() throws(ModelError) -> ArchivedType {
        var collections: [KindTraits] = []
        while true {
            let byte = try readByte()
            let isMoment = byte == ArchivedKind.moment.rawValue
            guard let traits = isMoment ? PropertyKind.date.traits : KindTraits.byArchiveNumber[byte] else {
                // The checksum of the schemas is right, so a later version wrote them.
                throw ModelError(
                    .newerVersion, expected: "kinds of values that this version of the library has",
                    found: "the kind number \(byte)")
            }
            let kind = traits.storage
            var cases: [EnumerationSchema.RawValue] = []
            if kind == .enumeration {
                for _ in 0..<(try readCount()) { cases.append(try readRawValue()) }
            }
            guard kind == .array || kind == .set || kind == .dictionary else {
                return collections.reversed().reduce(ArchivedType(traits, kind: isMoment ? .moment : nil, cases: cases))
                { type, collection in
                    ArchivedType(collection, element: type)
                }
            }
            collections.append(traits)
            guard collections.count < ArchivedSchema.maximumNesting else {
                throw .archive(
                    expected: "at most \(ArchivedSchema.maximumNesting.counted("level")) of elements", found: "more")
            }
        }
    }

    mutating func readRawValue() throws(ModelError) -> EnumerationSchema.RawValue {
        switch try readByte() {
        case 0: return .text(try readText())
        case 1: return .number(try readZigzag())
        case let tag: throw .archive(expected: "the raw value of a case", found: "the tag \(tag)")
        }
    }
}
