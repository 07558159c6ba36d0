// Tests of models import one module of support.
@_exported public import TestSupport
