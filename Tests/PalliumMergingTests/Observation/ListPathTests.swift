import Pallium
import TestSupport
import Testing

/// Paths lead through all elements of arrays and sets.
struct ListPathTests {
    private typealias Guest = ObservedScene.Guest

    private let scene: ObservedScene
    private let room: ObservedScene.Room
    private let notices = Notices()
    private let guests: [Guest]

    init() throws {
        scene = try ObservedScene()
        room = scene.room
        guests = room.guests
    }

    @Test func theEndOfAPathIsTheListItself() throws {
        let observation = try room.observe(["guests"], notices)
        guests[0].name = "Ben"
        #expect(notices.take() == [])
        let dee = try scene.guest(3, "Dee")
        room.guests = guests + [dee]
        #expect(notices.take() == [#"/guests/2: nothing → Guest(id: 3, name: "Dee")"#])
        room.guests = [guests[1], dee]
        #expect(notices.take() == [#"/guests/0: Guest(id: 1, name: "Ben") → nothing"#])
        room.guests = [dee, guests[1]]
        #expect(notices.texts.count == 1 && notices.take()[0].hasPrefix("/guests"))
        room.guests = room.guests
        #expect(notices.take() == [])
        withExtendedLifetime(observation) {}
    }

    @Test func elementsComeAndGo() throws {
        let observation = try room.observe(["guests.name"], notices)
        let dee = try scene.guest(3, "Dee")
        guests[1].name = "Cleo"
        #expect(notices.take() == [#"/guests/1/name: "Cy" → "Cleo""#])
        dee.name = "Di"
        #expect(notices.take() == [])
        room.guests = [dee] + guests
        #expect(notices.take() == [#"/guests/0: nothing → Guest(id: 3, name: "Di")"#])
        dee.name = "Dora"
        #expect(notices.take() == [#"/guests/0/name: "Di" → "Dora""#])
        guests[1].name = "Cy"
        #expect(notices.take() == [#"/guests/2/name: "Cleo" → "Cy""#])
        room.guests = guests
        #expect(notices.take() == [#"/guests/0: Guest(id: 3, name: "Dora") → nothing"#])
        dee.name = "Eve"
        #expect(notices.take() == [])
        room.guests = guests.reversed()
        #expect(notices.texts.count == 1 && notices.take()[0].hasPrefix("/guests"))
        guests[1].name = "Cleo"
        #expect(notices.take() == [#"/guests/0/name: "Cy" → "Cleo""#])
        room.guests = []
        #expect(
            notices.take().map { Set($0.split(separator: "\n").map(String.init)) } == [
                [
                    #"/guests/0: Guest(id: 2, name: "Cleo") → nothing"#,
                    #"/guests/1: Guest(id: 1, name: "Bob") → nothing"#,
                ]
            ])
        guests[0].name = "Ben"
        #expect(notices.take() == [])
        withExtendedLifetime(observation) {}
    }

    @Test func anElementChangesAndAnotherComesInOneTransaction() throws {
        let observation = try room.observe(["guests.name"], notices)
        try scene.rooms.merge(
            #"{"guests": [{"id": 2, "name": "Cleo"}, {"id": 3, "name": "Dee"}]}"#, into: room)
        #expect(room.guests[0] === guests[1])
        #expect(
            notices.take().map { Set($0.split(separator: "\n").map(String.init)) } == [
                [
                    #"/guests/0: Guest(id: 1, name: "Bob") → nothing"#, #"/guests/0/name: "Cy" → "Cleo""#,
                    #"/guests/1: nothing → Guest(id: 3, name: "Dee")"#,
                ]
            ])
        withExtendedLifetime(observation) {}
    }

    /// With the same identity it is the same guest; whoever stands in the list is heard.
    @Test func anEqualCopyTakesAPlace() throws {
        let copy = guests[0].copy()
        let observation = try room.observe(["guests.name"], notices)
        room.guests = [copy, guests[1]]
        #expect(room.guests[0] === copy)
        notices.take().forEach { #expect($0.hasPrefix("/guests/0")) }
        guests[0].name = "Eve"
        #expect(notices.take() == [])
        copy.name = "Ben"
        #expect(notices.take() == [#"/guests/0/name: "Bob" → "Ben""#])
        // With another name, that is a change.
        room.guests = [guests[0], guests[1]]
        #expect(notices.texts.count == 1 && notices.take()[0].hasPrefix("/guests/0"))
        withExtendedLifetime(observation) {}
    }

    @Test func aModelMayStandInAListTwice() throws {
        let bob = guests[0]
        room.guests = [bob, bob, guests[1]]
        let observation = try room.observe(["guests.name"], notices)
        bob.name = "Ben"
        #expect(notices.texts.count == 1 && notices.take()[0].hasPrefix(#"/guests/0/name: "Bob" → "Ben""#))
        room.guests = [guests[1], bob]
        #expect(notices.take().count == 1)
        bob.name = "Bob"
        #expect(notices.take() == [#"/guests/1/name: "Ben" → "Bob""#])
        room.guests = [guests[1]]
        #expect(notices.take() == [#"/guests/1: Guest(id: 1, name: "Bob") → nothing"#])
        bob.name = "Ben"
        #expect(notices.take() == [])
        withExtendedLifetime(observation) {}
    }

    @Test func aModelMayStandInTwoLists() throws {
        let bob = guests[0]
        room["circle"] = [bob]
        let observation = try room.observe(["guests.name", "circle.name"], notices)
        bob.name = "Ben"
        #expect(
            notices.take().map { Set($0.split(separator: "\n").map(String.init)) } == [
                [#"/guests/0/name: "Bob" → "Ben""#, #"/circle/0/name: "Bob" → "Ben""#]
            ])
        room.guests = [guests[1]]
        #expect(notices.take() == [#"/guests/0: Guest(id: 1, name: "Ben") → nothing"#])
        bob.name = "Bob"
        #expect(notices.take() == [#"/circle/0/name: "Ben" → "Bob""#])
        room["circle"] = [] as [Guest]
        #expect(notices.take().count == 1)
        bob.name = "Ben"
        #expect(notices.take() == [])
        withExtendedLifetime(observation) {}
    }

    @Test func listsInListsAreFollowed() throws {
        let house = scene.house
        let den = try scene.rooms.model(from: #"{"id": 2, "guests": [{"id": 5, "name": "Eve"}]}"#)
        house.rooms = [room, den]
        let observation = try house.observe(["rooms.guests.name"], notices)
        den.guests[0].name = "Ève"
        #expect(notices.take() == [#"/rooms/1/guests/0/name: "Eve" → "Ève""#])
        room.guests = [guests[0]]
        #expect(notices.take() == [#"/rooms/0/guests/1: Guest(id: 2, name: "Cy") → nothing"#])
        den.title = "Den"
        room.title = nil
        #expect(notices.take() == [])
        let eve = den.guests[0]
        house.rooms = [room]
        #expect(notices.texts.count == 1 && notices.take()[0].hasPrefix("/rooms/1: Room("))
        eve.name = "Eve"
        den.guests = []
        #expect(notices.take() == [])
        guests[0].name = "Ben"
        #expect(notices.take() == [#"/rooms/0/guests/0/name: "Bob" → "Ben""#])
        withExtendedLifetime(observation) {}
    }

    @Test func dictionariesAreObservedAsAWhole() throws {
        let observation = try room.observe(["people"], notices)
        let ada = try scene.person("Ada")
        room["people"] = ["a": ada]
        #expect(notices.take().count == 1)
        ada.name = "Ann"
        #expect(notices.take() == [])
        room["people"] = ["a": ada, "b": ada]
        #expect(notices.texts.count == 1 && notices.take()[0].hasPrefix("/people"))
        withExtendedLifetime(observation) {}
    }

    @Test func manyElementsComeInOneMerge() throws {
        let observation = try room.observe(["guests.name"], notices)
        let list = (1...500).map { #"{"id": \#($0), "name": "\#($0)"}"# }.joined(separator: ",")
        try scene.rooms.merge(#"{"guests": [\#(list)]}"#, into: room)
        #expect(notices.take().map { $0.split(separator: "\n").count } == [500])
        room.guests[499].name = "last"
        #expect(notices.take() == [#"/guests/499/name: "500" → "last""#])
        room.guests[0].name = "first"
        #expect(notices.take() == [#"/guests/0/name: "1" → "first""#])
        withExtendedLifetime(observation) {}
    }
}
