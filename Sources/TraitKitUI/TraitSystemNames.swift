// UIKit's names of the trait system: definitions, collections, registrations.

/// The protocol of traits: ``TraitDefinition``.
public typealias UITraitDefinition = TraitDefinition

/// A trait as a key, such as `UITraitUserInterfaceStyle.self`: ``TraitKey``.
public typealias UITrait = TraitKey

/// The traits of an environment: ``TraitCollection``. A structure, where UIKit has a class.
public typealias UITraitCollection = TraitCollection

/// A mutable container of traits: ``MutableTraits``.
public typealias UIMutableTraits = MutableTraits

/// The overrides of an environment: ``TraitOverrides``.
public typealias UITraitOverrides = TraitOverrides

/// An object that has traits: ``TraitEnvironment``.
public typealias UITraitEnvironment = TraitEnvironment

/// An object that takes registrations for trait changes: ``TraitChangeObservable``.
public typealias UITraitChangeObservable = TraitChangeObservable

/// The token of a registration: ``TraitChangeRegistration``.
public typealias UITraitChangeRegistration = TraitChangeRegistration

/// A key of SwiftUI's environment that stands for traits: ``TraitBridgedEnvironmentKey``.
public typealias UITraitBridgedEnvironmentKey = TraitBridgedEnvironmentKey
