import PalliumCore

/// Which properties of a root model are written, by key: the schemas of a cluster have different slots.
struct PropertySelection {
    /// The only keys that are written; nil for all.
    let only: Set<UTF8Key>?
    /// Keys that are not written.
    let except: Set<UTF8Key>

    /// Which slots of a layout are written.
    func slots(of layout: ModelLayout) -> [Bool] {
        layout.properties.map { property in
            let key = UTF8Key(property.key)
            return (only?.contains(key) ?? true) && !except.contains(key)
        }
    }
}
