import Pallium

/// What a document says about one model. A key that is missing is an absent member, nil is null.
struct PlainDocument {
    enum Member {
        case value(PlainValue)
        case model(PlainDocument)
        case models([PlainDocument])
    }

    var schema: String
    /// The values of the identity by key; empty for a model without one.
    var identity: [(key: String, value: PlainValue)] = []
    var members: [(key: String, member: Member?)] = []

    /// The document as text.
    var json: String {
        let members = identity.map { (key: $0.key, member: Member.value($0.value)) } + members
        return "{" + members.map { "\"\($0.key)\": \($0.member?.json ?? "null")" }.joined(separator: ", ") + "}"
    }

    /// Documents that say less.
    var parts: [PlainDocument] {
        members.indices.flatMap { index -> [PlainDocument] in
            var fewer = self
            fewer.members.remove(at: index)
            let inner: [Member] =
                switch members[index].member {
                case .model(let model): model.parts.map { .model($0) }
                case .models(let models):
                    models.indices.map { index in
                        var models = models
                        models.remove(at: index)
                        return .models(models)
                    }
                        + models.indices.flatMap { index in
                            models[index].parts.map { part in
                                var models = models
                                models[index] = part
                                return .models(models)
                            }
                        }
                default: []
                }
            return [fewer]
                + inner.map { member in
                    var part = self
                    part.members[index].member = member
                    return part
                }
        }
    }
}

extension PlainDocument.Member {
    var json: String {
        switch self {
        case .value(let value): value.json
        case .model(let model): model.json
        case .models(let models): "[" + models.map(\.json).joined(separator: ", ") + "]"
        }
    }
}

extension PlainValue {
    /// The value as JSON, of the kinds that documents of these tests have.
    var json: String {
        switch self {
        case .text(let text): JSONValue.string(text).description
        case .list(let values), .set(let values): "[" + values.map(\.json).joined(separator: ", ") + "]"
        default: picture
        }
    }
}
