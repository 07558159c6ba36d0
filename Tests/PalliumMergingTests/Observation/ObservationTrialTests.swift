import ModelTestSupport
import Observation
import Pallium
import Testing

/// Random writes in every way, told as a slow reference says that they must be.
struct ObservationTrialTests {
    private static let paths = [
        "", "a", "b", "link", "plain", "parent", "link.a", "near.a", "list", "list.a", "soft.a", "kids.a",
        "link.near.b", "list.link.a", "parent.list", "near.near.near.a", "kids.parent.a",
    ]

    /// An observer of a model, and what it was told of the last write.
    private final class Observer {
        let model: DynamicModel
        let path: String
        var notices: [ModelChanges] = []
        private var observation: ModelObservation?

        init(_ model: DynamicModel, _ path: String) throws {
            (self.model, self.path) = (model, path)
            let body: (ModelChanges) -> Void = { [unowned self] in notices.append($0) }
            observation = try path.isEmpty ? model.observe(onChange: body) : model.observe(path, onChange: body)
        }

        /// Compares what was told with the verdict of the reference.
        func check(_ reference: ObservedReference, _ comment: @autoclosure () -> String) {
            defer { notices = [] }
            let name = ObjectIdentifier(model)
            let verdicts =
                path.isEmpty
                ? reference.verdicts(of: name)
                : [
                    String(path.prefix { $0 != "." }): reference.verdict(
                        name, path.split(separator: ".").map(String.init))
                ]
            let verdict = verdicts.values.max() ?? .no
            let isRight =
                switch verdict {
                case .no: notices.isEmpty
                case .maybe: notices.count <= 1
                case .yes: notices.count == 1
                }
            #expect(isRight, "\(comment()): \(path) of \(model["id"] ?? "") is \(verdict) but \(notices)")
            guard let changes = notices.first else { return }
            let keys = Set(changes.keys)
            let must = Set(verdicts.filter { $0.value == .yes }.keys)
            let may = Set(verdicts.filter { $0.value != .no }.keys)
            #expect(must.isSubset(of: keys) && keys.isSubset(of: may), "\(comment()): \(path) has \(changes)")
            for change in changes where change.pointer.tokens.count == 1 && ["a", "b", "t"].contains(change.key) {
                func text(_ picture: ObservedPicture) -> ObservedPicture.Value? { picture.models[name]?[change.key] }
                #expect(
                    change.old.map { .text("\($0)") } == text(reference.before)
                        && change.new.map { .text("\($0)") } == text(reference.after), "\(comment()): \(change)")
            }
        }
    }

    @Test(.trials) func observersHearWhatTheReferenceSays() throws {
        for seed in Trials(2) {
            let world = try ObservedWorld(seed: seed)
            let observers = try world.nodes.flatMap { node in try Self.paths.map { try Observer(node, $0) } }
            var before = world.picture()
            for number in 0..<30 {
                try world.write()
                let after = world.picture()
                let reference = ObservedReference(before: before, after: after)
                for observer in observers { observer.check(reference, "\(seed), \(number), \(world.log)") }
                before = after
            }
            world.end()
        }
    }

    /// Loops ask now and then, and are told the sum of what happened.
    @Test(.trials, .timeLimit(.patient)) func sequencesTellWhatTheReferenceSays() async throws {
        for seed in Trials(2) {
            let world = try ObservedWorld(seed: seed + 10_000)
            var random = SeededGenerator(seed: seed + 1_000_000)
            var loops = try world.nodes.map { node in
                (node: node, iterator: try node.changes().makeAsyncIterator(), before: world.picture())
            }
            for number in 0..<30 {
                try world.write()
                guard random.once(in: 4) else { continue }
                let index = random.below(loops.count)
                let (node, before) = (loops[index].node, loops[index].before)
                // There is a change in any case.
                node["t"] = 100 + number
                let after = world.picture()
                loops[index].before = after
                let verdicts = ObservedReference(before: before, after: after).verdicts(of: ObjectIdentifier(node))
                let changes = try #require(await loops[index].iterator.next())
                let keys = Set(changes.keys)
                let must = Set(verdicts.filter { $0.value == .yes }.keys)
                let may = Set(verdicts.filter { $0.value != .no }.keys)
                #expect(must.isSubset(of: keys) && keys.isSubset(of: may), "\(seed), \(number): \(changes)")
            }
            world.end()
        }
    }

    @Test(.trials) func trackedCodeHearsWhatTheReferenceSays() throws {
        for seed in Trials(2) {
            let world = try ObservedWorld(seed: seed + 20_000)
            var before = world.picture()
            for number in 0..<30 {
                let journal = Journal()
                let states = try world.states()
                for node in world.nodes {
                    for key in ObservedWorld.keys {
                        withObservationTracking {
                            _ = node[key]
                        } onChange: {
                            journal.add("\(key)")
                        }
                    }
                }
                try world.write()
                let after = world.picture()
                let reference = ObservedReference(before: before, after: after)
                let newStates = try world.states()
                for (index, key) in ObservedWorld.keys.enumerated() {
                    let verdicts = world.nodes.map { reference.verdict(ObjectIdentifier($0), [key]) }
                    // From unset to null, say: `state(of:)` reads it.
                    let hasOtherState = zip(states, newStates).map { $0[index] != $1[index] }
                    let least = zip(verdicts, hasOtherState).count { $0 == .yes || $1 }
                    let most = zip(verdicts, hasOtherState).count { $0 != .no || $1 }
                    let told = journal.all.count { $0 == key }
                    #expect(least <= told && told <= most, "\(seed), \(number), \(world.log): \(key)")
                }
                before = after
            }
            world.end()
        }
    }
}
