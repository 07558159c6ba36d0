import PalliumCore
import PalliumJSON

/// Reads a text again at an offset, for messages.
extension JSONReader {
    /// Makes a reader of the text from an offset on.
    private func reader(at offset: Int) -> JSONReader? {
        guard text.indices.contains(offset) else { return nil }
        return JSONReader(text.part(from: offset), options: options.forPart)
    }

    /// Copies the text from an offset, which must have been read, to the reader's own.
    func copyText(from start: Int, to buffer: inout JSONByteBuffer) {
        buffer.append(text.part(start..<offset))
    }

    /// The offset of the next value, after white space.
    func startOfValue(at offset: Int) -> Int {
        var offset = offset
        while let byte = text.byte(at: offset), [0x20, 0x0A, 0x0D, 0x09].contains(byte) { offset += 1 }
        return offset
    }

    /// The offset of the value that tokens lead to from the value at an offset, or of the last value on that path.
    func offset(of tokens: [String], from offset: Int) -> Int {
        guard !tokens.isEmpty, text.indices.contains(offset) else { return offset }
        return offset + ModelError.offset(of: tokens, in: text.part(from: offset), options.forPart)
    }

    /// The name of the kind of the value at an offset, as JSON Schema calls it; nil if there is none.
    func kind(at offset: Int) -> String? {
        guard var reader = reader(at: offset), let kind = try? reader.peekKind() else { return nil }
        return switch kind {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .number: "number"
        case .true, .false: "boolean"
        case .null: "null"
        }
    }

    /// A short description of the value at an offset; nil if there is none.
    func summary(at offset: Int) -> String? {
        guard var reader = reader(at: offset) else { return nil }
        do throws(JSONSyntaxError) {
            switch try reader.peekKind() {
            case .object: return "an object"
            case .array: return "an array"
            case .string: return JSONValue.string(try reader.readString()).summary
            case .number: return JSONValue.number(try reader.readNumberValue()).summary
            case .true: return "true"
            case .false: return "false"
            case .null: return "null"
            }
        } catch { return nil }
    }
}
