/// The numbers of objects by address: open addressing over two plain arrays, at most half full.
///
/// Addresses come from the allocator and not from input, so nobody can choose them to collide.
struct ObjectNumbers {
    private var addresses: [UInt] = Array(repeating: 0, count: 64)
    private var numbers: [Int] = Array(repeating: 0, count: 64)
    private var count = 0

    /// The number of an object, or nil.
    func number(of address: UnsafeRawPointer) -> Int? {
        let place = place(of: UInt(bitPattern: address))
        return addresses[place] == 0 ? nil : numbers[place]
    }

    /// Gives an object a number; does nothing when it has one.
    mutating func insert(_ address: UnsafeRawPointer, _ number: Int) {
        let address = UInt(bitPattern: address)
        var place = place(of: address)
        guard addresses[place] == 0 else { return }
        if count * 2 >= addresses.count {
            grow()
            place = self.place(of: address)
        }
        addresses[place] = address
        numbers[place] = number
        count += 1
    }

    /// Where an address stands, or the empty place where it belongs.
    private func place(of address: UInt) -> Int {
        let mask = UInt(addresses.count - 1)
        // Multiplication spreads the low bits, which are alike, into the high ones.
        var place = (address &* 0x9E37_79B9_7F4A_7C15) >> 20 & mask
        while addresses[Int(place)] != 0, addresses[Int(place)] != address { place = (place + 1) & mask }
        return Int(place)
    }

    private mutating func grow() {
        let (oldAddresses, oldNumbers) = (addresses, numbers)
        addresses = Array(repeating: 0, count: oldAddresses.count * 2)
        numbers = Array(repeating: 0, count: oldAddresses.count * 2)
        for (address, number) in zip(oldAddresses, oldNumbers) where address != 0 {
            let place = place(of: address)
            addresses[place] = address
            numbers[place] = number
        }
    }
}
