// The enumerations of trait values are part of TraitKit.

@_exported public import CTraitEnumerations
