package import PalliumJSON

/// Where the properties of a schema are in its documents, after inheritance, key strategy and profile were applied.
///
/// This is the one reading of key paths. The plans of adapters copy from it when they are compiled; no shape is asked while
/// bytes are decoded.
package struct DocumentShape: Sendable {
    package let layout: ModelLayout
    /// The properties by their slots, with those that are not in documents.
    package let properties: [Property]

    /// Compiles the shape of a layout.
    ///
    /// - Parameter profile: The alternative mapping, for schemas that have it.
    package init(_ layout: ModelLayout, profile name: String? = nil) {
        self.layout = layout
        let profile = name.flatMap { name in layout.profiles.first { UTF8Text.equal($0.name, name) } }
        properties = layout.properties.map { Property($0, profile?.mappings[UTF8Key($0.key)]) }
    }

    /// The property with a key; nil if there is none.
    package subscript(key: String) -> Property? { layout.index(of: key).map { properties[$0] } }

    /// The members that the schema knows: those in which the paths of properties and clusters begin, and ignored ones.
    package var members: Set<UTF8Key> { Set(knownPaths.map { UTF8Key($0.tokens[0]) }) }

    /// The paths of properties and clusters, and ignored ones.
    package var knownPaths: [JSONKeyPath] {
        // Registration refuses malformed paths.
        let clusters = layout.lineage.compactMap(\.schema.cluster).flatMap(\.paths).compactMap { try? JSONKeyPath($0) }
        return properties.flatMap(\.paths) + layout.ignoredPaths + clusters
    }

    /// Whether a property with a label reads the value at a path, or one around it or inside of it.
    package func isLabelled(at path: JSONKeyPath) -> Bool {
        properties.contains { property in
            property.descriptor.isSensitive
                && property.paths.contains { path.steps.starts(with: $0.steps) || $0.steps.starts(with: path.steps) }
        }
    }
}

extension DocumentShape {
    /// A property, and where it is in documents.
    package struct Property: Sendable {
        package let descriptor: ValueDescriptor
        package let combination: ResolvedMapping.Combination
        /// The paths; none if the property is not in documents, as weak references.
        package var paths: [JSONKeyPath]

        /// - Parameter mapping: The mapping of a profile instead of the property's own.
        package init(_ property: ModelLayout.Property, _ mapping: PropertySchema.JSONMapping? = nil) {
            descriptor = property.descriptor
            let resolved = ResolvedMapping(property.schema, mapping, key: property.key, keys: property.keys)
            combination = resolved.combination
            paths = property.schema.isWeak ? [] : resolved.paths
        }

        package var schema: PropertySchema { descriptor.property }

        /// Whether documents are read for the property.
        package var isRead: Bool { !paths.isEmpty && schema.access != .writeOnly }

        /// The paths to which the property is written.
        package var writtenPaths: [JSONKeyPath] {
            schema.access == .readOnly ? [] : combination.written(of: paths)
        }

        /// The content of an object for a property.
        package enum Content {
            case absent
            /// A value and its path; without a path, an object of the parts at several. After a null on its path a value
            /// is null.
            case value(JSONValue, at: JSONKeyPath?)
            /// The value on a path before the step at a position has no members or elements, which is refused.
            case blocked(on: JSONKeyPath, position: Int)
        }

        /// Finds the value of the property: at the first path that does not end early, or at all of them.
        package func content(in object: JSONObject) -> Content {
            var parts = JSONObject()
            for path in paths {
                let value: JSONValue
                switch path.end(in: object) {
                case .missing: continue
                case .value(let end): value = end
                case .blocked(.null, _): value = .null
                case .blocked(_, let position): return .blocked(on: path, position: position)
                }
                if combination != .allOf { return .value(value, at: path) }
                parts.updateValue(value, forKey: path.description)
            }
            if parts.isEmpty { return .absent }
            return .value(parts.contains { !$0.value.isNull } ? .object(parts) : .null, at: nil)
        }

        /// Returns the value of the property; nil if it is absent or refused.
        package func value(in object: JSONObject) -> JSONValue? {
            if case .value(let value, _) = content(in: object) { value } else { nil }
        }

        /// Returns the path that is read in an object, whether it leads to a value or ends early; nil if the property is
        /// absent or has several.
        package func path(in object: JSONObject) -> JSONKeyPath? {
            switch content(in: object) {
            case .value(_, let path): path
            case .blocked(let path, _): path
            case .absent: nil
            }
        }

        /// Returns the values that stand for a value of the property, with their paths: the parts of one that is made of
        /// several, otherwise the value at one path.
        package func parts(of value: JSONValue, at index: Int = 0) -> [(path: JSONKeyPath, value: JSONValue)] {
            guard combination == .allOf else { return [(paths[index], value)] }
            guard case .object(let parts) = value else { return paths.map { ($0, value) } }
            return paths.compactMap { path in parts[path.description].map { (path, $0) } }
        }

        /// Puts a value, or null, into an object.
        package func place(_ value: JSONValue, at index: Int = 0, in object: inout JSONObject) {
            for part in parts(of: value, at: index) { object.place(part.value, at: part.path) }
        }

        /// Removes the value of the property at all of its paths.
        package func remove(from object: inout JSONObject) {
            for path in paths { object.place(nil, at: path) }
        }
    }
}

extension PropertySchema {
    /// The modifiers that people read about: who sees the property, which direction it has, how it is kept.
    package var modifiersInWords: [String] {
        var words = isWeak ? ["weak"] : []
        words += labels.map { "label \($0)" }
        switch index {
        case .ordinary?: words.append("indexed")
        case .unique?: words.append("unique")
        case .caseInsensitive?: words.append("indexed without case")
        case nil: break
        }
        if access != .readWrite { words.append(access.rawValue) }
        if let only { words.append("only \(only.rawValue)") }
        if storage != .permanent { words.append(storage.rawValue) }
        switch archive {
        case .included?: words.append("archived")
        case .excluded?: words.append("not archived")
        case .conditional?: words.append("archived conditionally")
        case nil: break
        }
        return words
    }
}
