/// The cases that a test tries of many: all of them in a release build, every seventh in a debug build, which takes ten
/// times as long for each.
///
/// Seven is prime, so that no pattern of the cases decides which are left out. `swift test -c release` tries all.
package func sampled<Cases: Collection>(_ cases: Cases) -> [Cases.Element] {
    #if DEBUG
        cases.enumerated().filter { $0.offset % 7 == 0 }.map(\.element)
    #else
        Array(cases)
    #endif
}
