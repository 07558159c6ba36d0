public import Foundation
public import PalliumCore
public import PalliumJSON

// Safety: the memory of a buffer comes from malloc, which is what `.free` gives back.
extension JSONAdapter {
    /// Writes a model as JSON text.
    ///
    /// - Parameters:
    ///   - model: The model; a model of a subclass is written by its own schema.
    ///   - only: The keys of the properties to write; all that are mapped unless given. Nested models are not concerned.
    ///   - except: The keys of properties not to write.
    /// - Throws: ``ModelError`` with the JSON Pointer of what cannot be written: a value that JSON does not have, a
    ///   transformer without a reverse, a cycle, nesting beyond the limit, an unknown key.
    /// - Complexity: O(*n*) in the size of the text.
    public func data(from model: Model, only: Set<String>? = nil, except: Set<String> = []) throws(ModelError) -> Data {
        try write(selection(only: only, except: except)) { encoder throws(ModelError) in try encoder.encode(model) }
    }

    /// Writes models as a JSON array.
    ///
    /// - Throws: ``ModelError`` as for one model; the pointer begins with the position in the array.
    public func data(
        from models: [Model], only: Set<String>? = nil, except: Set<String> = []
    ) throws(ModelError) -> Data {
        try write(selection(only: only, except: except)) { encoder throws(ModelError) in
            encoder.buffer.append(byte: UInt8(ascii: "["))
            for index in models.indices {
                let model = models[index]
                if index > 0 { encoder.buffer.append(byte: UInt8(ascii: ",")) }
                do throws(ModelError) { try encoder.encode(model) } catch { throw error.under(index: index) }
            }
            encoder.buffer.append(byte: UInt8(ascii: "]"))
        }
    }

    /// Writes a model as a tree.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:)-(Model,_,_)``.
    public func jsonValue(
        from model: Model, only: Set<String>? = nil, except: Set<String> = []
    ) throws(ModelError) -> JSONValue {
        var encoder = ModelEncoder(
            programs: programs, options: options, selection: try selection(only: only, except: except), capacity: 1024)
        try encoder.encode(model)
        return try Self.parse(encoder.buffer, options)
    }

    /// Writes a model as a dictionary of Foundation's JSON types: `String`, `NSNumber`, `NSNull`, arrays and dictionaries.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:)-(Model,_,_)``.
    public func jsonObject(
        from model: Model, only: Set<String>? = nil, except: Set<String> = []
    ) throws(ModelError) -> [String: Any] {
        try members(of: model, only: only, except: except).foundationDictionary
    }

    // MARK: How

    /// What is written of a model, which is always an object.
    func members(
        of model: Model, only: Set<String>? = nil, except: Set<String> = []
    ) throws(ModelError) -> JSONObject {
        try jsonValue(from: model, only: only, except: except).objectValue ?? JSONObject()
    }

    private func write(
        _ selection: PropertySelection?, _ body: (inout ModelEncoder) throws(ModelError) -> Void
    ) throws(ModelError) -> Data {
        var encoder = ModelEncoder(programs: programs, options: options, selection: selection, capacity: 4096)
        try body(&encoder)
        let style = options.writing
        if style.pretty || style.sortedKeys || style.escapesSlashes {
            // Rare and for people, so it may cost a second pass.
            let value = try Self.parse(encoder.buffer, options)
            do throws(JSONSyntaxError) { return Data(try value.bytes(options: style)) } catch {
                throw ModelError(error)
            }
        }
        return encoder.takeData()
    }

    private static func parse(
        _ buffer: borrowing JSONByteBuffer, _ options: JSONAdapterOptions
    ) throws(ModelError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONValue(
                parsing: buffer.bytes, options: .unlimited(maximumDepth: options.writing.maximumDepth))
        } catch { throw ModelError(error) }
    }

    /// Which properties of the first model are written; nil for all.
    private func selection(only: Set<String>?, except: Set<String>) throws(ModelError) -> PropertySelection? {
        if only == nil, except.isEmpty { return nil }
        for key in (only ?? []).union(except).sorted(by: UTF8Text.precedes) where !programs.knows(key, below: layout) {
            throw layout.unknownKeyError(key)
        }
        return PropertySelection(
            only: only.map { Set($0.map { UTF8Key($0) }) }, except: Set(except.map { UTF8Key($0) }))
    }
}

extension ModelEncoder {
    /// The text as data that owns the buffer's memory.
    consuming func takeData() -> Data {
        let (memory, count) = unsafe takeText()
        // The buffer was allocated with malloc, which is what `.free` releases.
        return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }
}
