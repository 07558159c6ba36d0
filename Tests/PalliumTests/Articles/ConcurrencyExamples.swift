import Foundation
import Pallium

// The examples of the article about concurrency, word for word, like those in `ArticleExamples.swift`.

enum ConcurrencyExamples {
    final class Job: DynamicModel, Identifiable {
        var number: Int { value() }
        var title: String? {
            get { value() }
            set { set(newValue) }
        }

        static let schema = ModelSchema(
            Job.self, ["number": .integer.required, "title": .string],
            identity: ["number"])
    }

    actor Desk {
        private var jobs: [Int: Job] = [:]

        func add(_ job: sending Job) { jobs[job.number] = job }
        func rename(_ number: Int, to title: String) {
            jobs[number]?.title = title
        }
        func job(_ number: Int) -> Frozen<Job>? { jobs[number]?.frozen() }
    }

    static func run() async throws -> [String] {
        try SchemaRegistry.shared.register(Job.schema)
        let adapter = JSONAdapter(Job.self)
        let data = Data(#"{"number": 7, "title": "Crash"}"#.utf8)

        @concurrent func decode(
            _ data: Data, by adapter: JSONAdapter<Job>
        ) async throws(ModelError) -> sending Job {
            try adapter.model(from: data)
        }

        let job = try await decode(data, by: adapter)
        job.title = "Crash on launch"

        async let first = decode(data, by: adapter)
        async let second = decode(data, by: adapter)
        let titles = try await [first.title, second.title]

        let lines = "{\"number\": 3}\n{\"number\": 4}"
        let all = try adapter.models(fromLines: lines, concurrently: 2)

        let view = try await Task {
            try adapter.model(from: data).frozen()
        }.value
        let views = try await withThrowingTaskGroup(
            of: Frozen<Job>.self
        ) { group in
            for _ in 0..<3 {
                group.addTask { try adapter.model(from: data).frozen() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        let box = try await Task {
            Transferred(try adapter.models(from: [["number": 8]]))
        }.value
        let jobs = box.take() ?? []
        jobs[0].title = "Slow"

        let desk = Desk()
        await desk.add(try adapter.model(from: data))
        await desk.rename(7, to: "Crash at start")
        let title = await desk.job(7)?.title  // "Crash at start"

        let list = Data(#"[{"number": 1}, {"number": 2}]"#.utf8)
        let shown = try adapter.models(from: list).map { $0.frozen() }
        let selection = shown[1].id  // Job 2
        let newer = try adapter.model(from: ["number": 2, "title": "Slow"])
        let isSelected = newer.id == selection  // true

        async let page = adapter.data(from: shown)
        async let row = adapter.data(from: shown[0], only: ["number"])
        let sizes = try await [page.count, row.count]

        let (arriving, network) = AsyncStream.makeStream(of: Data.self)
        network.yield(Data(#"[{"number": 1}, {"number": 2}]"#.utf8))
        network.finish()
        var numbers: [Int] = []
        for try await job in adapter.models(fromArray: arriving) {
            numbers.append(job.number)
        }

        let describe: @Sendable (Data) -> String = { data in
            do throws(ModelError) {
                return try adapter.model(from: data).title ?? "no title"
            } catch {
                let path = error.pointer?.description ?? "the root"
                return "\(error.code) at \(path)"
            }
        }
        let problem = describe(Data(#"{"number": "7"}"#.utf8))
        // typeMismatch at /number

        return [
            job.title ?? "", "\(titles.count)", view.title ?? "", "\(views.count)", "\(jobs[0])", title ?? "",
            "\(numbers)", "\(all.map(\.number))", problem, "\(box.take() == nil)",
            "\(selection) \(isSelected) \(sizes)",
        ]
    }
}
