import PalliumCore
import PalliumJSON

/// Reads the index, which follows the records: conditional values, preserved members and roots.
///
/// Safety: numbers of objects are read below `count` and positions of properties below those of their plan, so every
/// index into the memory of the reader is inside of it.
extension GraphReader {
    /// Reads the index up to its end.
    ///
    /// Conditional values wait until it is known which models are in the graph for another reason. Those of upgraded
    /// objects were read before.
    ///
    /// - Returns: The beginning of the preserved members, which are kept for objects that are read, and the numbers of the
    ///   roots.
    mutating func readIndex() throws(ModelError) -> (members: ArchiveCursor, roots: [Int]) {
        // A copy of the cursor, because values are read by methods that change the reader.
        var index = index
        for value in try index.readConditionalValues(objects: count, in: stored, { plan(of: $0).schema }) {
            let plan = plan(of: value.object)
            guard plan.layout != nil, plan.upgrade == nil else { continue }
            let slot = plan.entries[value.position].slot
            if slot >= 0 { waiting.append((value.object, slot, value.stored)) }
        }
        let members = index
        for _ in 0..<(try index.readCount()) {
            _ = try index.readNumber(below: count, "an object")
            _ = try index.readBytes()
        }
        var roots: [Int] = []
        for _ in 0..<(try index.readCount()) { roots.append(try index.readNumber(below: count, "an object")) }
        try index.expectEnd()
        return (members, roots)
    }

    mutating func readPreservedMembers(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let number = try cursor.readNumber(below: count, "an object")
            let members = try cursor.readMembers()
            requestedObject(number)?.unknownMembers = members
        }
    }
}

/// A conditional value, which is in the index.
struct ConditionalValue {
    let object: Int
    /// The position of the property in the archived schema.
    let position: Int
    let key: String
    let stored: FormerModel.Entry
}

extension ArchiveCursor {
    /// Reads the conditional values.
    ///
    /// - Parameters:
    ///   - source: The source of referenced models; nil if they are not needed.
    ///   - schema: Returns the schema of an object.
    mutating func readConditionalValues(
        objects count: Int, in source: StoredRecords?, _ schema: (Int) -> ArchivedSchema
    ) throws(ModelError) -> [ConditionalValue] {
        var values: [ConditionalValue] = []
        for _ in 0..<(try readCount()) {
            let object = try readNumber(below: count, "an object")
            let properties = schema(object).properties
            let position = try readNumber(below: properties.count, "a property")
            let isDefaulted = try readIsDefaulted()
            let property = properties[position]
            do throws(ModelError) {
                let value = try readValue(property.type, objects: count, in: source)
                values.append(
                    ConditionalValue(
                        object: object, position: position, key: property.key,
                        stored: FormerModel.Entry(
                            value, isDefaulted: isDefaulted, isSensitive: property.isSensitive)))
            } catch {
                throw error.under(property: property.key, isSensitive: property.isSensitive)
                    .at(["objects", "\(object)"]).located()
            }
        }
        return values
    }
}
