import Foundation
import PalliumCore
import Synchronization
import TestSupport
import Testing

@Suite("Accessors on several threads", .threat(.registryRaces))
struct ConcurrentAccessTests {
    /// Every round has a new layout, so that eight threads fill its accessor table at the same time.
    @Test(.row("C018"), arguments: 0..<20)
    func eightThreadsReadDifferentModelsThroughOneLayout(round: Int) throws {
        let registry = try SchemaRegistry.ofFixtures()
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let model = SubTestModel(registry: registry)
            for pass in 0..<50 {
                let number = thread * 1000 + pass
                model.name = "n\(number)"
                model.count = UInt(number)
                model.role = "r\(number)"
                model.generation = number
                let isRight =
                    model.name == "n\(number)" && model.count == UInt(number) && model.role == "r\(number)"
                    && model.generation == number && model.nestedName == nil
                if !isRight { failures.withLock { $0.append("thread \(thread), pass \(pass): \(model)") } }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
    }

    @Test(.row("C018"))
    func eightThreadsRegisterTheSameSchemas() throws {
        let registry = SchemaRegistry()
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            do {
                try registry.register(ModelSchema(EmptyModel.self, [:]), TestModel.schema, SubTestModel.subSchema)
                let model = SubTestModel(registry: registry)
                if model.count != 1 { failures.withLock { $0.append("no default") } }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        #expect(registry.schemas.map(\.name) == ["EmptyModel", "TestModel", "SubTestModel"])
    }
}
