// Users write `import Pallium` and have everything.
@_exported public import PalliumCore
@_exported public import PalliumJSON
