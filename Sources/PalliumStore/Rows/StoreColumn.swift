import PalliumAdapter
import PalliumCore
import PalliumJSON

extension StoreTable {
    /// A column that repeats a property.
    ///
    /// The columns of a row are those of its document: what a program of the row's versions reads. Programs of other
    /// versions do not use them.
    struct Column: Sendable {
        let key: String
        /// The key; a former one for a property of the identity that a step has renamed. Behind an underscore the type and the
        /// key, if another column has the key: `_TEXT level`; `_folded title` for a text without the difference of case; the
        /// version and the key, if a step has changed the values of the identity: `_2 id`.
        let rawName: String
        let type: String
        let index: PropertySchema.Index?
        /// Nil for a column of another program, whose property the schemas do not have.
        let descriptor: ValueDescriptor?
        /// Whether it has the text without the difference of case.
        let isFolded: Bool

        init(_ property: ModelLayout.Property, isFolded: Bool = false) {
            key = property.key
            rawName = isFolded ? Found.foldedPrefix + property.key : StoredFormat.member(of: property.key)
            type = property.descriptor.columnType
            index = isFolded == (property.schema.index == .caseInsensitive) ? property.schema.index : nil
            descriptor = property.descriptor
            self.isFolded = isFolded
        }

        /// Describes a column that the database has and no index of the schemas asks for.
        private init(_ found: Found, _ property: ModelLayout.Property?) {
            key = found.key ?? found.name
            rawName = found.name
            type = found.type
            index = nil
            descriptor = property?.descriptor
            isFolded = found.isFolded
        }

        init(_ property: ModelLayout.Property, named rawName: String) {
            self.init(Column(property), named: rawName)
        }

        private init(_ other: Column, named rawName: String) {
            key = other.key
            self.rawName = rawName
            type = other.type
            index = other.index
            descriptor = other.descriptor
            isFolded = other.isFolded
        }

        /// The name in SQL, quoted.
        var name: String { rawName.quotedForSQL }

        /// Whether the column is one of the database, whatever its name.
        func isSame(as found: Found) -> Bool {
            guard let foundKey = found.key else { return false }
            return type == found.type && isFolded == found.isFolded && UTF8Text.equal(key, foundKey)
        }

        /// Returns an expression of a value in JSON as the column has it.
        func value(of json: String) -> String { SQLiteValue.expression(of: json, inColumnOf: type) }

        /// Returns the slot of the property in a layout; nil if it has none that the column repeats.
        func slot(in layout: ModelLayout) -> Int? {
            guard descriptor != nil, let slot = layout.index(of: key),
                layout.properties[slot].descriptor.columnType == type
            else { return nil }
            return slot
        }

        /// Returns the value of a document of any version.
        func value(in document: JSONObject) -> SQLiteValue { unfoldedValue(in: document).folded(if: isFolded) }

        private func unfoldedValue(in document: JSONObject) -> SQLiteValue {
            switch (document[StoredFormat.member(of: key)], type) {
            case (.number(let number)?, "INTEGER"): number.int64.map { .integer($0) } ?? .null
            case (.bool(let value)?, "INTEGER"): SQLiteValue(value)
            case (.number(let number)?, "REAL"): .real(number.double)
            // A date with a spelling of its own.
            case (.string(let text)?, "REAL"): SpelledDate(storedText: text).map { .real($0.seconds) } ?? .null
            case (.string(let text)?, "TEXT"): .text(text)
            case (.number(let number)?, "TEXT"):
                DecimalText.value(in: number.text).map { .text(OrderedNumber($0).text) } ?? .null
            default: .null
            }
        }

        /// Returns the columns of the identity, those that the database has, and those that it lacks.
        ///
        /// - Parameters:
        ///   - wanted: The columns that schemas ask for, behind the identity.
        ///   - layouts: Those of the rows.
        static func merge(
            _ wanted: some Sequence<Column>, with found: [Found], behind identity: [Column],
            of layouts: [ModelLayout]
        ) -> [Column] {
            var (merged, wanted) = (identity, Array(wanted))
            for found in found {
                guard let key = found.key else { continue }
                if let index = wanted.firstIndex(where: { $0.isSame(as: found) }) {
                    merged.append(Column(wanted.remove(at: index), named: found.name))
                    continue
                }
                let properties = layouts.lazy.compactMap { layout in
                    layout.index(of: key).map { layout.properties[$0] }
                }
                let property = properties.first {
                    $0.schema.kind.hasColumn && $0.isStored && $0.descriptor.columnType == found.type
                        && (!found.isFolded || $0.schema.kind == .string)
                }
                merged.append(Column(found, property))
            }
            for column in wanted {
                let isTaken = merged.contains { UTF8Text.equal($0.rawName, column.rawName) }
                merged.append(isTaken ? Column(column, named: "_\(column.type) \(column.key)") : column)
            }
            return merged
        }

        /// A column that the database has.
        struct Found: Sendable {
            let name: String
            let type: String
            /// Begins the name of a column of text without the difference of case.
            static let foldedPrefix = "_folded "

            // A key may begin with a mark that joins the space.
            var isFolded: Bool { name.utf8.starts(with: Self.foldedPrefix.utf8) }

            /// The key of the property; nil for a column of the store.
            var key: String? {
                if let key = StoredFormat.key(of: name) { return key }
                let prefix = isFolded ? Self.foldedPrefix : "_\(type) "
                return name.utf8.starts(with: prefix.utf8) ? String(name.utf8.dropFirst(prefix.utf8.count)) : nil
            }
        }
    }
}
