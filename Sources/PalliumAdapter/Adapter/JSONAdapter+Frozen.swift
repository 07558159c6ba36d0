public import Foundation
public import PalliumCore
public import PalliumJSON

// Encodes frozen models. The encoder only reads, so many tasks may write one view.
extension JSONAdapter {
    /// Writes a frozen model as JSON text.
    ///
    ///     let cached = issue.frozen()
    ///     Task.detached { try adapter.data(from: cached, except: ["token"]) }
    ///
    /// The result is that of the model, and nothing is copied. Transformers, ``JSONAdapterOptions/didWrite`` and
    /// selections by a closure get models of the graph, which they must neither change nor keep.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:redacting:)-(Model,_,_,_)``.
    public func data(
        from view: Frozen<Model>, only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> Data {
        try data(from: view._model, only: only, except: except, redacting: redaction)
    }

    /// Writes frozen models as a JSON array.
    ///
    /// - Throws: ``ModelError`` as for one model; the pointer begins with the position in the array.
    @_disfavoredOverload  // An empty literal is an array of models.
    public func data(
        from views: [Frozen<Model>], only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> Data {
        try data(from: views.map(\._model), only: only, except: except, redacting: redaction)
    }

    /// Writes a frozen model as a tree.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:redacting:)-(Model,_,_,_)``.
    public func jsonValue(
        from view: Frozen<Model>, only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> JSONValue {
        try jsonValue(from: view._model, only: only, except: except, redacting: redaction)
    }
}
