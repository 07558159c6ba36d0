import Foundation
import Pallium

/// An array whose elements are of several classes.
func eventWorkloads(_ context: BenchmarkContext) -> [Workload] {
    [
        Workload(name: "decode events by type", unit: .nanoseconds(per: "event"), goal: .atLeast(10.5, reach: 11)) {
            let registry = SchemaRegistry()
            try registry.register(Event.schemas)
            let adapter = JSONAdapter(Event.self, registry: registry)
            let decoder = context.coders.decoder
            let count = max(10, context.issueCount / 2)
            let document = EventGenerator.document(count).data
            return .timed(
                ours: .operation(units: count) { try adapter.models(from: document) },
                baseline: .operation(units: count) { try decoder.decode([CodableEvent].self, from: document) },
                configuration: Configuration("bytes of events", document: EventGenerator.complete()) { data in
                    blackHole(try adapter.models(from: BenchmarkContext.array(of: data)))
                }
            ) {
                Digest.of(events: try adapter.models(from: document))
                    == Digest.of(events: try decoder.decode([CodableEvent].self, from: document))
            }
        }
    ]
}
