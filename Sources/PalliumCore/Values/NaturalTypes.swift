import Foundation
import PalliumJSON

/// The Swift types of values where no accessor names one, except plain types of the standard library.
enum NaturalTypes {
    // `Int` where it holds every 64-bit integer, which it does not on 32-bit watches.
    #if _pointerBitWidth(_32)
        static var integer: any PropertyValue.Type { Int64.self }
        static var unsigned: any PropertyValue.Type { UInt64.self }
    #else
        static var integer: any PropertyValue.Type { Int.self }
        static var unsigned: any PropertyValue.Type { UInt.self }
    #endif
    static var decimal: any PropertyValue.Type { Decimal.self }
    static var date: any PropertyValue.Type { Date.self }
    static var url: any PropertyValue.Type { URL.self }
    static var uuid: any PropertyValue.Type { UUID.self }
    static var data: any PropertyValue.Type { Data.self }
    static var json: any PropertyValue.Type { JSONValue.self }
}
