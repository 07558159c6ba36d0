public import Foundation
public import PalliumAdapter
public import PalliumCore
import PalliumJSON

// Writes models into the texts they were read from.
extension JSONAdapter {
    /// Writes a model into the document that it was read from: only what changed is written, every other byte stays.
    ///
    ///     let settings = try adapter.model(from: bytes)
    ///     settings["fontSize"] = 14
    ///     let edited = try adapter.data(from: settings, editing: bytes)
    ///
    /// Members keep their order, their white space, and the spelling of their names and values. Members that no property
    /// maps stay, unless the adapter keeps them with the model and the model no longer has them. Changed values are
    /// written in place, new members at the end of their object, and removed ones go with their comma. Elements of arrays
    /// are found again by their values or the identities of their models, also if they moved. What is new has the line
    /// breaks, the indentation and the spaces of what stands around it.
    ///
    /// Where ``JSONReadingOptions/comments`` are accepted, they stay, each with the member or element before it on its line, or
    /// else with the one after it. A comment in a value that is replaced, or of a member that is removed, goes with it.
    ///
    /// The document may have any content: the model is compared with the model that it describes. Decoding the result
    /// gives what decoding ``data(from:only:except:redacting:)-(Model,_,_,_)`` gives. If the model writes the same, the result is the
    /// document.
    ///
    /// - Throws: ``ModelError`` as ``model(from:)`` for the document and as ``data(from:only:except:redacting:)-(Model,_,_,_)`` for the
    ///   model; with the code `notConvertible` if the text cannot be edited to say what the model says, or has another value
    ///   of a property that is never written.
    /// - Complexity: O(*n* log *n*) in the size of the document and the model.
    public func data(from model: Model, editing document: Data) throws(ModelError) -> Data {
        // It refuses models that hold themselves.
        let new = try written(model)
        if model.hasUnwrittenProperties, let old = try? self.model(from: document),
            let property = model.unwrittenDifference(from: old)
        {
            throw ModelError(
                .notConvertible, property,
                expected: "the value that the document has, as the property is never written",
                found: "another one")
        }
        return try edit(document, to: new) { document throws(ModelError) in
            try self.document(of: self.model(from: document), isPartial: true, marking: .all)
        }
    }

    /// Writes models into the document with an array that they were read from, as ``data(from:editing:)-(Model,_)``.
    ///
    /// - Throws: ``ModelError`` as for one model.
    public func data(from models: [Model], editing document: Data) throws(ModelError) -> Data {
        try edit(document, to: Self.array(of: models) { model throws(ModelError) in try written(model) }) {
            document throws(ModelError) in
            try Self.array(of: self.models(from: document)) { model throws(ModelError) in
                try self.document(of: model, isPartial: true, marking: .all)
            }
        }
    }

    private func written(_ model: Model) throws(ModelError) -> MarkedDocument {
        try document(of: model, isPartial: false, marking: .all)
    }

    private static func array(
        of models: [Model], _ document: (Model) throws(ModelError) -> MarkedDocument
    ) throws(ModelError) -> MarkedDocument {
        var documents: [MarkedDocument] = []
        for (index, model) in models.enumerated() {
            do throws(ModelError) { documents.append(try document(model)) } catch { throw error.under(index: index) }
        }
        return MarkedDocument(documents, of: models)
    }

    /// Edits a document; `rewrite` decodes one and writes what was decoded.
    private func edit(
        _ original: Data, to new: MarkedDocument,
        _ rewrite: (JSONDocumentSource) throws(ModelError) -> MarkedDocument
    ) throws(ModelError) -> Data {
        var values = NumberedValues()
        let roots = (old: values.add(try rewrite(.bytes(original))), new: values.add(new))
        if values.areEqual(roots.old, roots.new) { return original }
        let text: TextOutline
        do throws(JSONSyntaxError) { text = try TextOutline(Array(original), options.reading) } catch {
            throw ModelError(error)
        }
        var edit = TextEdit(text, values: values, writing: options.writing)
        let edited = Data(edit.edited(old: roots.old, new: roots.new))
        if says(edited, new, rewrite) { return edited }
        // Something else in the text decides over what was written, such as another path of a property. So members that
        // are known must go.
        var thorough = TextEdit(
            text, values: values, writing: options.writing, keeping: text.nodes(at: unknownMembers(of: original)))
        let rewritten = Data(thorough.edited(old: roots.old, new: roots.new))
        if says(rewritten, new, rewrite) { return rewritten }
        throw ModelError(
            .notConvertible, expected: "a document that can say what the model says by a change of its values",
            found: "one that says something else then", schema: schema.name)
    }

    /// The members of a document that no property maps.
    private func unknownMembers(of document: Data) -> [JSONPointer] {
        let strict = with {
            $0.unknownMembers = .refuse
            $0.maximumProblems = .max
        }
        return strict.report(from: document).problems.filter { $0.code == .unknownMember }.compactMap(\.wholePointer)
    }

    /// Whether a text says the same as a document. Where that cannot be decoded itself, nothing can be said.
    private func says(
        _ text: Data, _ document: MarkedDocument,
        _ rewrite: (JSONDocumentSource) throws(ModelError) -> MarkedDocument
    ) -> Bool {
        let found = try? rewrite(.bytes(text))
        if let found, Self.areEqual(found, document) { return true }
        guard let expected = try? rewrite(.value(document.value)) else { return true }
        return found.map { Self.areEqual($0, expected) } ?? false
    }

    private static func areEqual(_ left: MarkedDocument, _ right: MarkedDocument) -> Bool {
        var values = NumberedValues()
        let roots = (values.add(left), values.add(right))
        return values.areEqual(roots.0, roots.1)
    }
}

/// A document as bytes or as a tree.
private enum JSONDocumentSource: JSONInput {
    case bytes(Data)
    case value(JSONValue)

    func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        switch self {
        case .bytes(let bytes): try bytes._withJSONDocument(body)
        case .value(let value): try value._withJSONDocument(body)
        }
    }
}
