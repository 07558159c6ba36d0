#if canImport(CoreData)
    public import CoreData
    import PalliumCore

    // The bridge to Core Data. It was never compiled against Core Data where the library is developed, since there is none on
    // Linux. So it only passes on what `RecordAdapter` asks for. Core Data raises exceptions, which Swift cannot catch, for
    // keys that do not exist and values of another type; these are errors here before it sees them.

    extension NSManagedObject: ModelRecord {
        /// The name of the object's entity.
        public var recordEntity: String { entity.name ?? "" }

        /// Returns the value of an attribute; nil if it has none.
        ///
        /// - Throws: ``ModelError`` for an attribute that does not exist, or whose type records do not have.
        public func recordValue(_ key: String) throws -> RecordValue? {
            let attribute = try entity.attribute(key)
            switch value(forKey: key) {
            case nil: return nil
            case let value as NSDecimalNumber: return .decimal(value.decimalValue)
            case let value as NSNumber:
                switch attribute.attributeType {
                case .booleanAttributeType: return .bool(value.boolValue)
                case .doubleAttributeType, .floatAttributeType: return .double(value.doubleValue)
                default: return .integer(value.int64Value)
                }
            case let value as String: return .string(value)
            case let value as Date: return .date(value)
            case let value as Data: return .data(value)
            case let value as UUID: return .uuid(value)
            case let value as URL: return .url(value)
            default: throw entity.mismatch(key, expected: "an attribute of a type that records have", found: "another")
            }
        }

        /// Sets an attribute; nil clears it. URLs and UUIDs become text where the attribute is text.
        ///
        /// - Throws: ``ModelError`` for an attribute that does not exist, or has another type.
        public func setRecordValue(_ value: RecordValue?, for key: String) throws {
            setValue(try value.map { try entity.object($0, key) }, forKey: key)
        }

        /// Returns the objects of a relationship.
        ///
        /// - Throws: ``ModelError`` for a relationship that does not exist.
        public func relatedRecords(_ key: String) throws -> [any ModelRecord] {
            _ = try entity.relationship(key)
            switch value(forKey: key) {
            case let object as NSManagedObject: return [object]
            case let objects as NSOrderedSet: return objects.array.compactMap { $0 as? NSManagedObject }
            case let objects as NSSet: return objects.allObjects.compactMap { $0 as? NSManagedObject }
            default: return []
            }
        }

        /// Replaces the objects of a relationship.
        ///
        /// - Throws: ``ModelError`` for a relationship that does not exist, that leads to another entity, or that has one
        ///   object and shall have more.
        public func setRelatedRecords(_ records: [any ModelRecord], for key: String) throws {
            let relationship = try entity.relationship(key)
            // The property itself is unsafe in Swift, since it holds no reference.
            let destination = relationship.value(forKey: "destinationEntity") as? NSEntityDescription
            var objects: [NSManagedObject] = []
            for record in records {
                guard let object = record as? NSManagedObject,
                    destination.map({ object.entity.isKindOf(entity: $0) }) ?? true
                else {
                    throw entity.mismatch(
                        key, expected: "an object of \(destination?.name ?? "Core Data")",
                        found: "one of \(record.recordEntity)")
                }
                objects.append(object)
            }
            guard relationship.isToMany || objects.count <= 1 else {
                throw entity.mismatch(key, expected: "at most one object", found: "\(objects.count)")
            }
            if !relationship.isToMany {
                setValue(objects.first, forKey: key)
            } else if relationship.isOrdered {
                setValue(NSOrderedSet(array: objects), forKey: key)
            } else {
                setValue(NSSet(array: objects), forKey: key)
            }
        }

        /// Runs the object's validation for insertion or update.
        public func validateRecord(isNew: Bool) throws {
            if isNew { try validateForInsert() } else { try validateForUpdate() }
        }
    }

    extension NSManagedObjectContext: ModelRecordContext {
        /// Calls a function on the queue of the context, and waits for it.
        public func performWithRecords(_ body: () -> Void) { performAndWait { body() } }

        /// Inserts an object of an entity.
        ///
        /// - Throws: ``ModelError`` with the code `unknownModel` if the model of the context has no such entity.
        public func insertRecord(of entity: String) throws -> any ModelRecord {
            _ = try description(of: entity)
            return NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        }

        /// Finds objects by one fetch request: those whose every key has a value of the rows.
        public func findRecords(
            of entity: String, where keys: [String], in rows: [[RecordValue]], relationships: [String]
        ) throws -> [any ModelRecord] {
            let description = try description(of: entity)
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSCompoundPredicate(
                andPredicateWithSubpredicates: try keys.enumerated().map { number, key in
                    let values = try rows.map { try description.object($0[number], key) }
                    return NSComparisonPredicate(
                        leftExpression: NSExpression(forKeyPath: key),
                        rightExpression: NSExpression(forConstantValue: values), modifier: .direct, type: .in,
                        options: [])
                })
            for key in relationships { _ = try description.relationship(key) }
            request.relationshipKeyPathsForPrefetching = relationships
            return try fetch(request)
        }

        /// Deletes an object.
        public func deleteRecord(_ record: any ModelRecord) {
            if let object = record as? NSManagedObject { delete(object) }
        }

        private func description(of entity: String) throws -> NSEntityDescription {
            guard let description = NSEntityDescription.entity(forEntityName: entity, in: self) else {
                throw ModelError(
                    .unknownModel, expected: "an entity of the managed object model", found: entity, schema: entity)
            }
            return description
        }
    }

    extension NSEntityDescription {
        fileprivate func attribute(_ key: String) throws -> NSAttributeDescription {
            if let attribute = attributesByName[key] { return attribute }
            throw ModelError(
                .unknownKey, expected: "an attribute of the entity \(name ?? "")", found: key, property: key)
        }

        fileprivate func relationship(_ key: String) throws -> NSRelationshipDescription {
            if let relationship = relationshipsByName[key] { return relationship }
            throw ModelError(
                .unknownKey, expected: "a relationship of the entity \(name ?? "")", found: key, property: key)
        }

        fileprivate func mismatch(_ key: String, expected: String, found: String) -> ModelError {
            ModelError(.typeMismatch, expected: "\(expected) for \(name ?? "").\(key)", found: found, property: key)
        }

        /// Returns a value as the attribute holds it. Swift makes objects of numbers and texts when it passes them on.
        fileprivate func object(_ value: RecordValue, _ key: String) throws -> Any {
            let type = try attribute(key).attributeType
            switch (value, type) {
            case (.bool(let value), .booleanAttributeType): return value
            case (.integer(let value), .integer64AttributeType): return value
            case (.integer(let value), .integer32AttributeType) where Int32(exactly: value) != nil: return value
            case (.integer(let value), .integer16AttributeType) where Int16(exactly: value) != nil: return value
            case (.double(let value), .doubleAttributeType), (.double(let value), .floatAttributeType): return value
            case (.decimal(let value), .decimalAttributeType): return NSDecimalNumber(decimal: value)
            case (.string(let value), .stringAttributeType): return value
            case (.date(let value), .dateAttributeType): return value
            case (.data(let value), .binaryDataAttributeType): return value
            case (.uuid(let value), .UUIDAttributeType): return value
            case (.uuid(let value), .stringAttributeType): return value.uuidString
            case (.url(let value), .URIAttributeType): return value
            case (.url(let value), .stringAttributeType): return value.absoluteString
            default:
                throw mismatch(
                    key, expected: "a value of the attribute's type, or a transformer to it,", found: "another")
            }
        }
    }
#endif
