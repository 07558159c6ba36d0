import Foundation
import Pallium
import PalliumStore

extension Run {
    /// Opens a store that exists, calls a function with it, and returns its status; reports what fails.
    func withStore(
        _ path: String, _ registry: SchemaRegistry, isReadOnly: Bool = true,
        _ body: (ModelStore) throws(ModelError) -> ExitStatus
    ) throws(Interruption) -> ExitStatus {
        // A store that is opened to be written would be made.
        _ = try InputFile(path: path)
        do throws(ModelError) {
            var options = ModelStoreOptions()
            options.isReadOnly = isReadOnly
            return try body(ModelStore(at: URL(fileURLWithPath: path), registry: registry, options: options))
        } catch { return status(of: error, file: path) }
    }

    /// Writes the models that a function of a store passes on, and returns the status.
    ///
    /// - Parameters:
    ///   - total: The number of models; nil if it is unknown.
    ///   - text: Returns the text of a model.
    /// - Throws: ``ModelError`` of the store or of a text; the models before it were written, unless the output is a file.
    func write(
        _ models: ((DynamicModel) throws -> Void) throws -> Void, of path: String, total: Int? = nil,
        to output: ByteOutput, _ text: @escaping (DynamicModel) throws(ModelError) -> Data
    ) throws(ModelError) -> ExitStatus {
        var progress = Progress(
            activity: "reading \(InputFile.displayName(of: path))", total: total, of: "model", run: self)
        defer { progress.end() }
        do {
            try models { model in
                progress.advance()
                try output.append(text(model))
                try output.append("\n")
            }
            try output.flush()
            return .success
        } catch let error as Interruption {
            return status(of: error)
        } catch {
            try? output.flush()
            output.discard()
            // Nothing else is thrown.
            throw error as? ModelError ?? ModelError(.unreadableFile, expected: "models", found: "\(error)")
        }
    }
}

extension SchemaCatalog {
    /// Checks options that name keys with a store without rows, so that mistakes are known from those of a file.
    ///
    /// - Throws: ``Interruption`` with the first mistake.
    func accept(
        _ options: [(name: String, query: ModelQuery<DynamicModel>)], columns: [QueryArguments.Column] = []
    ) throws(Interruption) {
        var name = "--model"
        do throws(ModelError) {
            let empty = try ModelStore(at: nil, registry: registry)
            for option in options {
                name = option.name
                _ = try empty.fetch(option.query)
            }
            guard !columns.isEmpty, let all = options.first?.query, let query = options.last?.query else { return }
            for (option, column) in columns {
                name = option.name
                _ = try empty.rows(of: all, only: [column])
            }
            name = Option.order.name
            _ = try empty.rows(of: query, only: columns.map(\.column))
        } catch { throw .refused(ModelError.shorten("\(name): \(error.sentence)", to: 4096)) }
    }
}
