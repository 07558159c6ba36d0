import Pallium

/// What queries find by the article: conditions are tested on what rows read as, whatever version they have.
struct VersionQueries {
    let reference: VersionReference
    let program: Int

    /// The identities of a query's rows in order. What a later program wrote is known by its identity only.
    func found(_ query: PlainQuery) throws -> Expected<[PlainIdentity]> {
        let plain = reference.family.plain[program]
        var finder = QueryReference(plain)
        for (identity, row) in reference.rows {
            var stub = PlainModel(stub: identity, plain)
            stub.schema = row.model.schema
            finder.rows[identity] = reference.read(identity, as: program) ?? stub
        }
        let all = try finder.fetch(query)
        let later = Set(reference.rows.keys.filter { reference.isUnreadable($0, by: program) })
        let doubtful = later.union(reference.rows.keys.filter { reference.isLater($0, than: program) })
        let path = query.keys.flatMap { keys in keys.contains(".") ? visited(keys, query.schema) : [] }
        // What a reference leads to decides; nobody can say how.
        if !Set(doubtful.map(\.table)).isDisjoint(with: path) {
            return Expected(value: [], codes: [.newerVersion], isOpen: true)
        }
        let family = Set(plain.family(query.schema))
        func isVisited(_ identity: PlainIdentity) -> Bool {
            family.contains(reference.rows[identity]?.model.schema ?? "")
        }
        let codes: Set<ModelError.Code> = doubtful.contains(where: isVisited) ? [.newerVersion] : []
        guard later.contains(where: isVisited) else { return Expected(value: all, codes: codes) }
        let id = reference.family.identityKey(of: query.schema, program)
        let isByIdentity = query.condition.map { $0.keys == [id] } ?? true
        let isPage = query.limit != nil || query.offset > 0
        if isByIdentity, !isPage || query.order.allSatisfy({ $0.key == id }) {
            // A deletion does not read the references of a row.
            let isLater = all.contains { later.contains($0) && reference.isLater($0, than: program) }
            if isLater { return Expected(codes: codes) }
            return Expected(value: all, codes: doubtful.isDisjoint(with: all) ? [] : codes)
        }
        // A comparison that is made for each row is made for those, too, unless no row of another table meets the condition
        // on elements.
        let isForRows = !path.isEmpty && query.condition?.hasElements == true
        if !isPage, !isForRows, let keys = query.condition?.keys, !keys.contains(id), !query.comparesWithNothing {
            return Expected(codes: codes)
        }
        return Expected(value: all.filter { !later.contains($0) }, codes: codes, isOpen: isPage)
    }

    /// What a fetch returns.
    func fetched(_ query: PlainQuery, all: Bool) throws -> Expected<[PlainModel]> {
        let found = try found(query)
        guard let identities = found.value, !found.isOpen else {
            return Expected(value: found.isOpen ? [] : nil, codes: found.codes.union([.missingProperty]), isOpen: true)
        }
        let problems = identities.map { reference.problems($0, program, all: all) }
        let (sure, doubts) = (problems.flatMap(\.found), found.codes.union(problems.flatMap(\.doubts)))
        if !sure.isEmpty { return Expected(codes: doubts.union(sure)) }
        return Expected(value: identities.compactMap { reference.read($0, as: program) }, codes: doubts)
    }

    /// How many a count finds. It reads no row, so that it need not ask for versions.
    func counted(_ query: PlainQuery) throws -> Expected<Int> {
        let found = try found(query)
        if let identities = found.value {
            return Expected(value: identities.count, codes: found.codes, isOpen: !found.codes.isEmpty)
        }
        return Expected(value: 0, codes: [.newerVersion], isOpen: true)
    }

    /// The row of an identity.
    func first(_ identity: PlainIdentity) -> Expected<[PlainModel]> {
        let (problems, doubts) = reference.problems(identity, program)
        guard problems.isEmpty else { return Expected(codes: problems.union(doubts)) }
        return Expected(value: [reference.read(identity, as: program)].compactMap(\.self), codes: doubts)
    }

    /// The tables that a key path leads through.
    private func visited(_ keys: String, _ name: String) -> [String] {
        let plain = reference.family.plain[program]
        var (name, tables): (String, [String]) = (name, [])
        for step in QueryReference.steps(keys) {
            switch plain.kind(step, of: name) {
            case .reference(let next), .list(.reference(let next)): (name, tables) = (next, tables + [next])
            default: continue
            }
        }
        return tables
    }
}

extension PlainQuery {
    fileprivate var keys: [String] { order.map(\.key) + (condition.map { Array($0.keys) } ?? []) }

    /// Whether a part of the condition is an empty list, for which no value has to be read.
    fileprivate var comparesWithNothing: Bool { condition?.hasEmptyList ?? false }
}

extension PlainCondition {
    fileprivate var hasEmptyList: Bool {
        switch self {
        case .isIn(_, let values): values.isEmpty
        case .and(let left, let right), .or(let left, let right): left.hasEmptyList || right.hasEmptyList
        case .not(let inner), .elements(_, _, let inner): inner.hasEmptyList
        case .compare, .contains, .hasPrefix: false
        }
    }

    fileprivate var hasElements: Bool {
        switch self {
        case .elements: true
        case .and(let left, let right), .or(let left, let right): left.hasElements || right.hasElements
        case .not(let inner): inner.hasElements
        case .isIn, .compare, .contains, .hasPrefix: false
        }
    }

    fileprivate var keys: Set<String> {
        switch self {
        case .compare(let key, _, _), .isIn(let key, _), .contains(let key, _), .hasPrefix(let key, _): [key]
        case .and(let left, let right), .or(let left, let right): left.keys.union(right.keys)
        case .not(let inner): inner.keys
        case .elements(let key, _, let inner): Set(inner.keys.map { "\(key).\($0)" })
        }
    }
}
