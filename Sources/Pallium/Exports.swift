// Users write `import Pallium` and have everything.
@_exported public import PalliumAdapter
@_exported public import PalliumArchive
@_exported public import PalliumCore
@_exported public import PalliumDocuments
@_exported public import PalliumJSON
@_exported public import PalliumMerging
