"""The operations of a transaction, the records of a stream, and the answers. Made by .ci/client-types from
openapi.yaml."""
from __future__ import annotations
from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Value = Union[None, bool, int, float, str, Sequence["Value"], Mapping[str, "Value"]]

class _BeginRecord(TypedDict):
    type: Literal["begin"]; revision: int; token: str; session: str; uid: str; oldestRevision: int; headRevision: int
    heartbeatMs: int
class BeginRecord(_BeginRecord, total=False):
    maxLifetimeMs: int; subtree: str; registrations: Sequence[str]; watches: Sequence[WatchedNode]
class _BookmarkRecord(TypedDict):
    type: Literal["bookmark"]; revision: int; token: str
class BookmarkRecord(_BookmarkRecord, total=False):
    lagMs: int; digest: str
Cause = TypedDict("Cause", {
    "requestId": "str",
    "manager": "str",
    "expired": "bool",
    "traceparent": "str",
    "caller": "CauseCaller",
    "reason": "str",
    "revert": "CauseRevert",
    "apply": "CauseApply",
    "copy": "CauseCopy",
    "import": "CauseImport",
}, total=False)
class CauseApply(TypedDict, total=False):
    manager: str
class _CauseCaller(TypedDict):
    id: str
class CauseCaller(_CauseCaller, total=False):
    name: str
class CauseCopy(TypedDict, total=False):
    node: str; to: str; count: int
class CauseImport(TypedDict):
    session: str
class CauseRevert(TypedDict, total=False):
    revision: int; commit: int
class _ChainEntry(TypedDict):
    layer: Literal["override", "supplied", "kept", "default"]; status: Literal["winner", "shadowed", "absent"]
class ChainEntry(_ChainEntry, total=False):
    node: str; deleted: bool; value: Value; deprecated: bool; revision: int; assumed: bool; setBy: str; expiresAt: str
    under: CoveredValue
class _ChangeRecord(TypedDict):
    type: Literal["change"]; revision: int; token: str; node: str; changes: Sequence[TraitChange]; part: int; last: bool
    time: str
class ChangeRecord(_ChangeRecord, total=False):
    registration: str; colors: Sequence[ColorChange]; images: Sequence[ImageChange]; cause: Cause
class ChosenVariant(TypedDict):
    index: int; when: Mapping[str, Value]
class ClearOverrides(TypedDict):
    op: Literal["clearOverrides"]; node: str
class ColorChange(TypedDict):
    color: str; previous: Any; current: Any
class _Commit(TypedDict):
    session: str; uid: str; revision: int; notified: int
class Commit(_Commit, total=False):
    ended: EndedParts; changes: Sequence[Notification]; invalidations: Sequence[Invalidation]; truncated: bool
    unchanged: bool; dryRun: bool
class _CommitRecord(TypedDict):
    type: Literal["commit"]; revision: int; token: str; operations: Union[OperationCounts, Sequence[CommittedOperation]]
    notified: int; part: int; last: bool; time: str
class CommitRecord(_CommitRecord, total=False):
    cause: Cause
class _CommittedOperation(TypedDict):
    op: str
class CommittedOperation(_CommittedOperation, total=False):
    previous: Any
class _CopyNode(TypedDict):
    op: Literal["copyNode"]; node: str
class CopyNode(_CopyNode, total=False):
    to: str; prefix: Sequence[str]; parent: Union[str, None]; before: str; after: str; registrations: bool; depth: int
class CoveredTuples(TypedDict):
    all: int; covered: int; impossible: int
class _CoveredValue(TypedDict):
    value: Value
class CoveredValue(_CoveredValue, total=False):
    expiresAt: str; setBy: str
class _CreateNode(TypedDict):
    kind: Literal["windowScene", "window", "presentationController", "viewController", "view", "environment"]
    op: Literal["createNode"]; node: str
class CreateNode(_CreateNode, total=False):
    parent: Union[str, None]; controller: Union[str, None]; label: Union[str, None]; overrides: Mapping[str, Value]
    supplied: Mapping[str, Value]
class DefineColor(TypedDict):
    op: Literal["defineColor"]; color: str; definition: NewDynamic
class DefineEnvironmentKey(TypedDict):
    op: Literal["defineEnvironmentKey"]; key: str; definition: NewEnvironmentKey
class DefineImage(TypedDict):
    op: Literal["defineImage"]; image: str; definition: NewDynamic
class DefineTrait(TypedDict):
    op: Literal["defineTrait"]; trait: str; definition: NewTraitDefinition
class DeleteColor(TypedDict):
    op: Literal["deleteColor"]; color: str
class DeleteEnvironmentKey(TypedDict):
    op: Literal["deleteEnvironmentKey"]; key: str
class DeleteImage(TypedDict):
    op: Literal["deleteImage"]; image: str
class DeleteNode(TypedDict):
    op: Literal["deleteNode"]; node: str
class DeleteTrait(TypedDict):
    op: Literal["deleteTrait"]; trait: str
class _DeviceAxis(TypedDict):
    name: str; devices: Sequence[str]; at: str
class DeviceAxis(_DeviceAxis, total=False):
    orientation: str; split: str; settings: Sequence[str]
class _EndRecord(TypedDict):
    type: Literal["end"]; revision: int; token: str; reason: EndReason
class EndRecord(_EndRecord, total=False):
    resume: bool; retryAfterMs: int; problem: Problem
class _EndedParts(TypedDict):
    nodes: int; overrides: int; scopes: int; registrations: Sequence[str]
class EndedParts(_EndedParts, total=False):
    truncated: bool
class EnvironmentPair(TypedDict):
    environment: Value; trait: Value
class ExplainedValue(TypedDict):
    value: Value; source: Source; chain: Sequence[ChainEntry]
class GapRecord(TypedDict):
    type: Literal["gap"]; revision: int; token: str; fromRevision: int; toRevision: int
class ImageChange(TypedDict):
    image: str; previous: Any; current: Any
class _InvalidateRecord(TypedDict):
    type: Literal["invalidate"]; revision: int; token: str; node: str; scope: str; invalidation: str
    changed: Sequence[str]; part: int; last: bool; time: str
class InvalidateRecord(_InvalidateRecord, total=False):
    cause: Cause
class Invalidation(TypedDict):
    node: str; scope: str; invalidation: str; changed: Sequence[str]
class _ManagedField(TypedDict):
    pointer: str
class ManagedField(_ManagedField, total=False):
    manager: str
class _MoveNode(TypedDict):
    op: Literal["moveNode"]; node: str
class MoveNode(_MoveNode, total=False):
    parent: Union[str, None]; before: str; after: str
class NewDynamic(TypedDict):
    variants: Sequence[Variant]
class _NewEnvironmentKey(TypedDict):
    type: Literal["bool", "int", "double", "string", "enum", "struct", "json"]; default: Value
class NewEnvironmentKey(_NewEnvironmentKey, total=False):
    key: str; cases: Mapping[str, int]; fields: Mapping[str, Literal["bool", "int", "double", "string", "json"]]
    nullable: bool; bridgedTrait: str; map: Union[Mapping[str, Value], Sequence[EnvironmentPair]]
class _NewTraitDefinition(TypedDict):
    type: Literal["bool", "int", "double", "string", "enum", "struct", "json"]; default: Value
class NewTraitDefinition(_NewTraitDefinition, total=False):
    key: str; identifier: str; name: str; cases: Mapping[str, int]
    fields: Mapping[str, Literal["bool", "int", "double", "string", "json"]]; nullable: bool
    deprecated: Union[bool, Sequence[str]]; affectsColorAppearance: bool; unit: Unit; css: bool
    since: Mapping[str, str]
class _Notification(TypedDict):
    registration: str; node: str; changes: Sequence[TraitChange]
class Notification(_Notification, total=False):
    colors: Sequence[ColorChange]; images: Sequence[ImageChange]
class OperationAxis(TypedDict):
    name: str; values: Mapping[str, Sequence[Operation]]
class OperationCounts(TypedDict):
    count: int; kinds: Mapping[str, int]
class _Plan(TypedDict):
    session: str; uid: str; revision: int; dryRun: bool; planToken: str; counts: Mapping[str, int]
    operations: Sequence[Operation]; notified: int; changes: Sequence[Mapping[str, Any]]
class Plan(_Plan, total=False):
    unchanged: bool; operationsTruncated: bool; ended: EndedParts; invalidations: Sequence[Mapping[str, Any]]
    truncated: bool
class _Problem(TypedDict):
    type: str; title: str; status: int; detail: str; instance: str; code: ProblemCode
class Problem(_Problem, total=False):
    pointer: str; parameter: str; didYouMean: str; names: Sequence[str]; errors: Sequence[ProblemPart]
    fields: Sequence[ManagedField]; places: Sequence[TraitPlace]; count: int; limit: str; value: int; current: int
    option: str; retryAfter: int; minRevision: int; offset: int; line: int; column: int; id: str; currentRevision: int
    oldestRevision: int; oldestTime: str; operation: Mapping[str, Any]; restart: str
class _ProblemPart(TypedDict):
    code: ProblemCode; detail: str
class ProblemPart(_ProblemPart, total=False):
    pointer: str; didYouMean: str; line: int; column: int; id: str
class _PutNode(TypedDict):
    op: Literal["putNode"]; node: str
class PutNode(_PutNode, total=False):
    kind: Literal["windowScene", "window", "presentationController", "viewController", "view", "environment"]
    parent: Union[str, None]; controller: Union[str, None]; label: Union[str, None]; overrides: Mapping[str, Value]
    supplied: Mapping[str, Value]
class PutTrait(TypedDict):
    op: Literal["putTrait"]; trait: str; definition: NewTraitDefinition
class _Register(TypedDict):
    op: Literal["register"]; registration: str; node: str
class Register(_Register, total=False):
    traits: Sequence[str]; set: str; colors: Sequence[str]; images: Sequence[str]; label: str; ttl: int
class RemoveEnvironment(TypedDict):
    op: Literal["removeEnvironment"]; node: str; key: str
class _RemoveOverride(TypedDict):
    op: Literal["removeOverride"]; node: str; trait: str
class RemoveOverride(_RemoveOverride, total=False):
    under: bool
class RemoveScope(TypedDict):
    op: Literal["removeScope"]; node: str; scope: str
class RemoveSupplied(TypedDict):
    op: Literal["removeSupplied"]; node: str; trait: str
class RenameNode(TypedDict):
    op: Literal["renameNode"]; node: str; to: str
class RenameTrait(TypedDict):
    op: Literal["renameTrait"]; trait: str; to: str
class _RenamedRecord(TypedDict):
    type: Literal["renamed"]; revision: int; token: str; to: str; part: int; last: bool; time: str
class RenamedRecord(_RenamedRecord, total=False):
    node: str; trait: str; cause: Cause
class _ResetRecord(TypedDict):
    type: Literal["reset"]; revision: int; token: str
    reason: Literal["sessionReplaced", "historyGone", "revisionAhead", "filterChanged", "setChanged"]; uid: str
class ResetRecord(_ResetRecord, total=False):
    previousUid: str
class _ResolvedNode(TypedDict):
    node: str; state: Literal["current", "pending", "detached"]
    traits: Union[Mapping[str, ExplainedValue], Mapping[str, Value]]
class ResolvedNode(_ResolvedNode, total=False):
    colors: Mapping[str, ResolvedValue]; images: Mapping[str, ResolvedValue]; environment: Mapping[str, Any]
    previous: Union[Mapping[str, ExplainedValue], Mapping[str, Value]]; new: bool
class ResolvedValue(TypedDict):
    value: Any; variant: ChosenVariant; dependsOn: Sequence[str]
class RunLayout(TypedDict):
    op: Literal["layout"]
class _SetDevice(TypedDict):
    op: Literal["setDevice"]; node: str; device: str
class SetDevice(_SetDevice, total=False):
    orientation: Literal["portrait", "landscape"]; split: Literal["full", "1/2", "1/3", "2/3", "slideOver"]
    settings: Sequence[str]
class SetEnvironment(TypedDict):
    op: Literal["setEnvironment"]; node: str; key: str; value: Value
class _SetOverride(TypedDict):
    op: Literal["setOverride"]; node: str; trait: str; value: Value
class SetOverride(_SetOverride, total=False):
    expiresAt: str; ttl: int; over: bool; under: bool
class SetScope(TypedDict):
    op: Literal["setScope"]; node: str; scope: str; reads: Sequence[str]
class SetSupplied(TypedDict):
    op: Literal["setSupplied"]; node: str; trait: str; value: Value
class ShownAxis(TypedDict):
    name: str; values: Sequence[Value]
class _Source(TypedDict):
    kind: Literal["override", "supplied", "kept", "default"]
class Source(_Source, total=False):
    node: str; deleted: bool; revision: int; assumed: bool
class _StateRecord(TypedDict):
    type: Literal["state"]; revision: int; token: str; node: str; traits: Mapping[str, Value]
class StateRecord(_StateRecord, total=False):
    registration: str; colors: Mapping[str, Any]; images: Mapping[str, Any]
class SyncRecord(TypedDict):
    type: Literal["sync"]; revision: int; token: str; count: int; digest: str
class _TraitAxis(TypedDict):
    name: str; trait: str; at: str
class TraitAxis(_TraitAxis, total=False):
    cases: Sequence[Value]
class TraitChange(TypedDict):
    trait: str; previous: Value; current: Value; source: Source
class TraitPatch(TypedDict, total=False):
    name: Union[str, None]; type: Literal["bool", "int", "double", "string", "enum", "struct", "json"]; default: Value
    cases: Union[Mapping[str, Union[int, None]], None]
    fields: Union[Mapping[str, Union[Literal["bool", "int", "double", "string", "json"], None]], None]
    nullable: Union[bool, None]; affectsColorAppearance: Union[bool, None]; unit: Union[Unit, None]
    css: Union[bool, None]; since: Union[Mapping[str, Union[str, None]], None]
    deprecated: Union[Union[bool, Sequence[str]], None]
class TraitPlace(TypedDict, total=False):
    node: str; trait: str; member: Literal["parent", "controller", "label", "order", "name"]; under: bool; revision: int
    layer: Literal["override", "supplied", "kept", "default"]; shown: bool; parent: Union[str, None]
    environmentKey: str; color: str; image: str; variant: int; default: bool
class Unregister(TypedDict):
    op: Literal["unregister"]; registration: str
class _UpdateNode(TypedDict):
    op: Literal["updateNode"]; node: str
class UpdateNode(_UpdateNode, total=False):
    parent: Union[str, None]; controller: Union[str, None]; label: Union[str, None]
class UpdateTrait(TypedDict):
    op: Literal["updateTrait"]; trait: str; patch: TraitPatch
class UpdateTraits(TypedDict):
    op: Literal["updateTraitsIfNeeded"]; node: str
class _Variant(TypedDict):
    value: Any
class Variant(_Variant, total=False):
    when: Mapping[str, Value]
class _VariantRow(TypedDict):
    row: int; labels: Mapping[str, Value]; nodes: Sequence[ResolvedNode]
class VariantRow(_VariantRow, total=False):
    combinations: int
class _VariantsEnd(TypedDict):
    end: bool; rows: int; combinations: int
class VariantsEnd(_VariantsEnd, total=False):
    pairs: CoveredTuples; triples: CoveredTuples
class _VariantsHead(TypedDict):
    uid: str; revision: int; assumed: bool; axes: Sequence[ShownAxis]; strength: Literal[0, 2, 3]; rows: int
class VariantsHead(_VariantsHead, total=False):
    combinations: int
_VariantsRequest = TypedDict("_VariantsRequest", {
    "reads": "Union[Literal[\"recorded\"], Sequence[str]]",
    "colors": "Union[Literal[\"all\"], Sequence[str]]",
    "images": "Union[Literal[\"all\"], Sequence[str]]",
    "strength": "Literal[0, 2, 3]",
    "except": "Sequence[Mapping[str, Any]]",
    "distinct": "bool",
}, total=False)
class VariantsRequest(_VariantsRequest):
    nodes: Sequence[str]; axes: Sequence[Union[TraitAxis, DeviceAxis, OperationAxis]]
class WatchedNode(TypedDict):
    node: str; traits: Sequence[str]
EndReason = Literal["sessionDeleted", "registrationRemoved", "nodeDeleted", "drain", "slowConsumer", "timeout", "limit",
    "error", "revoked"]
Operation = Union[CreateNode, UpdateNode, MoveNode, PutNode, PutTrait, ClearOverrides, RenameNode, RenameTrait,
    CopyNode, SetDevice, DeleteNode, SetOverride, SetSupplied, RemoveOverride, RemoveSupplied, DefineTrait, DeleteTrait,
    UpdateTrait, Register, Unregister, UpdateTraits, DeleteImage, DefineImage, DeleteColor, DefineColor,
    RemoveEnvironment, SetEnvironment, DeleteEnvironmentKey, DefineEnvironmentKey, RemoveScope, SetScope, RunLayout]
ProblemCode = Literal["malformed-json", "malformed-body", "unknown-member", "missing-member", "unknown-parameter",
    "repeated-parameter", "malformed-parameter", "malformed-identifier", "malformed-token", "malformed-idempotency-key",
    "malformed-reason", "token-mismatch", "malformed-request", "unknown-route", "unknown-session", "unknown-node",
    "unknown-trait", "unknown-registration", "unknown-scope", "unknown-environment-key", "unknown-device",
    "unknown-color", "unknown-image", "unknown-problem", "no-override", "method-not-allowed", "not-acceptable",
    "request-timeout", "unsupported-media-type", "expectation-failed", "unauthenticated", "forbidden", "cross-origin",
    "unknown-host", "exists", "kind-immutable", "cycle", "second-root-view", "in-use", "changed-since",
    "trait-immutable", "environment-key-immutable", "system-trait", "duplicate-identifier", "session-differs",
    "revision-ahead", "managed", "idempotency-in-flight", "history-gone", "session-replaced", "revision-mismatch",
    "body-too-large", "transaction-too-large", "too-many-variants", "target-too-long", "too-many-streams",
    "too-many-reads", "too-many-connections", "too-many-connections-from-address", "too-much-input", "too-much-output",
    "out-of-memory", "headers-too-large", "quota", "memory-full", "storage-full", "value-too-large", "type-mismatch",
    "unknown-parent", "unknown-controller", "kind-mismatch", "empty-trait-list", "private-trait", "invalid-definition",
    "invalid-variants", "nothing-recorded", "unsupported-mode", "not-siblings", "idempotency-key-reused",
    "internal-error", "not-implemented", "log-unavailable", "outcome-unknown", "log-refused", "session-diverged",
    "starting", "draining", "http-version-not-supported"]
StreamRecord = Union[BeginRecord, StateRecord, SyncRecord, ChangeRecord, CommitRecord, InvalidateRecord, RenamedRecord,
    BookmarkRecord, ResetRecord, GapRecord, EndRecord]
Unit = Literal["px", "rem", "em", "%", "ms", "s", "deg", "rad", "grad", "turn", "ex", "ch", "cap", "ic", "lh", "rex",
    "rch", "rcap", "ric", "rlh", "vw", "vh", "vi", "vb", "vmin", "vmax", "svw", "svh", "svi", "svb", "svmin", "svmax",
    "lvw", "lvh", "lvi", "lvb", "lvmin", "lvmax", "dvw", "dvh", "dvi", "dvb", "dvmin", "dvmax", "cqw", "cqh", "cqi",
    "cqb", "cqmin", "cqmax", "cm", "mm", "Q", "in", "pt", "pc", "Hz", "kHz", "dpi", "dpcm", "dppx", "x", "fr"]
