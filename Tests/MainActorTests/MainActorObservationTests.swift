import Observation
import Pallium
import TestSupport
import Testing

/// A model that a screen shows and listens to.
nonisolated final class Player: DynamicModel, Observable {
    var name: String? {
        get { value() }
        set { set(newValue) }
    }
    var points: Int {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(Player.self, ["name": .string, "points": .integer.default(0)])
}

/// Listens without a word about actors: loops and closures run where the model is, on the main actor.
final class ScoreScreen {
    private let player: Player
    private var tasks: [Task<Void, any Error>] = []
    private var observation: ModelObservation?
    var lines: [String] = []
    var names: [String?] = []
    var points = 0

    init(_ player: Player) throws {
        self.player = player
        let changes = try player.changes()
        let values = try player.values(of: "name", as: String.self)
        tasks = [
            Task { [weak self] in
                for await changes in changes { self?.lines.append(changes.description) }
            },
            Task { [weak self] in
                for await name in values { self?.names.append(name) }
            },
        ]
        observation = try player.observe("points") { [unowned self] _ in points = player.points }
    }

    func close() async throws {
        observation?.cancel()
        for task in tasks {
            task.cancel()
            try await task.value
        }
    }
}

struct MainActorObservationTests {
    /// Lets other tasks run until a condition holds.
    private func wait(until condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    @Test(.timeLimit(.patient)) func aScreenListensToItsModel() async throws {
        let registry = SchemaRegistry()
        try registry.register(Player.schema)
        let player = try JSONAdapter(Player.self, registry: registry).model(from: #"{"name": "Ada"}"#)
        let screen = try ScoreScreen(player)
        player.transaction {
            player.name = "Grace"
            player.points = 3
        }
        #expect(screen.points == 3)
        await wait { !screen.lines.isEmpty && !screen.names.isEmpty }
        #expect(screen.lines == ["/name: \"Ada\" → \"Grace\"\n/points: 0 → 3"])
        #expect(screen.names == ["Grace"])
        player.name = nil
        await wait { screen.lines.count == 2 && screen.names.count == 2 }
        #expect(screen.lines.last == #"/name: "Grace" → null"# && screen.names == ["Grace", nil])
        try await screen.close()
        player.points = 5
        #expect(screen.points == 3)
    }

    @Test func trackedCodeIsToldOnTheMainActor() throws {
        let registry = SchemaRegistry()
        try registry.register(Player.schema)
        let player = Player(registry: registry)
        withObservationTracking {
            _ = player.name
        } onChange: {
            MainActor.assumeIsolated { Self.told += 1 }
        }
        let count = Self.told
        player.points = 1
        #expect(Self.told == count)
        player.name = "Ada"
        #expect(Self.told == count + 1)
    }

    private static var told = 0
}
