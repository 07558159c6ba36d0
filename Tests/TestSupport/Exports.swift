// Tests import one module of support.
@_exported public import RunSupport
