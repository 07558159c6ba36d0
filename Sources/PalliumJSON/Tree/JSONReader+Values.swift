/// Reads whole values as trees, with work lists instead of recursion.
///
///     values   [ 1, "x", true, … ]     children of all open containers, outermost first
///     names    [ "a", "b", … ]         names of the members of all open objects
///     frames   [ array from 0, object from 2 with names from 0 ]
extension JSONReader {
    /// Reads the next value of any kind. No recursion; O(bytes).
    package mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
        var builder = JSONTreeBuilder(duplicates: options.duplicateMembers)
        try read(into: &builder)
        return builder.takeRoot()
    }

    /// Reads the next value, and returns every object in it with its offset. No recursion; O(bytes).
    package mutating func readObjects() throws(JSONSyntaxError) -> LocatedObjects {
        var builder = JSONTreeBuilder(duplicates: options.duplicateMembers, recordingObjects: true)
        try read(into: &builder)
        return builder.objects ?? LocatedObjects()
    }

    private mutating func read(into builder: inout JSONTreeBuilder) throws(JSONSyntaxError) {
        while true {
            var isFirst = false
            switch try peekKind() {
            case .string: builder.add(.string(try readString()))
            case .number:
                if let integer = try readPlainInteger() {
                    builder.add(.number(JSONNumber(integer)))
                } else {
                    builder.add(.number(try readNumberValue()))
                }
            case .true, .false: builder.add(.bool(try readBool()))
            case .null:
                try readNull()
                builder.add(.null)
            case .array:
                try enterArray()
                builder.openArray()
                isFirst = true
            case .object:
                builder.openObject(at: offset)
                try enterObject()
                isFirst = true
            }
            // Go on to the next value, closing the containers that end before it.
            while let frame = builder.frames.last {
                if frame.isObject {
                    if try nextMember(first: isFirst) {
                        let offset = offset
                        try builder.addName(readNameString(), offset: offset)
                        break
                    }
                    try builder.closeObject()
                } else {
                    if try nextElement(first: isFirst) { break }
                    builder.closeArray()
                }
                isFirst = false
            }
            if builder.frames.isEmpty { return }
        }
    }
}
