// A program that imports TraitClient needs TraitValue and the other values, too.

@_exported public import TraitClientCore
