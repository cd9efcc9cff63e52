// Made from openapi.yaml by `make openapi`; a test compares the two. Do not edit.
// swift-format-ignore-file

enum OpenAPIDocument {
    static let text = #"""
openapi: 3.1.0
info:
  title: traitd
  version: 0.1.0
  summary: Trait resolution as a service
  description: |
    Named sessions hold hierarchies of trait environments. Clients set overrides anywhere in a
    hierarchy, read what every environment resolves to and where each value comes from, and hear
    when a resolved value changes.

    **Bodies** are JSON in UTF-8. `PATCH` is a merge patch (RFC 7396). A body with an unknown or
    repeated member is refused, and so is a request with an unknown or repeated query parameter.

    **Revisions.** Everything that changes a session is a commit and takes it from revision N to
    N+1; 1 is its creation. A write without a net effect makes no commit and answers with
    `"unchanged": true`. Every answer about a session carries `Traitd-Revision`.

    **Errors** are problem details (RFC 9457). An error means that nothing changed.

    `HEAD` works wherever `GET` does, but not on streams; `OPTIONS` answers with `Allow`.
  license:
    name: Apache-2.0
    identifier: Apache-2.0
servers:
  - url: http://127.0.0.1:8080
    description: where `traitd` serves unless told otherwise
tags:
  - name: collections
    description: Trait collections as values, without a session.
  - name: sessions
    description: Named hierarchies, each with its own revision counter.
  - name: traits
    description: Definitions of system traits and of a session's custom ones.
  - name: nodes
    description: Trait environments and how they hang together.
  - name: inputs
    description: Overrides, and values supplied by the system or a container.
  - name: resolution
    description: What a node's traits resolve to, and why.
  - name: updates
    description: Update passes of sessions in which writes only mark.
  - name: tracking
    description: What methods read, and when they have to run again.
  - name: bridging
    description: Environment keys in the manner of SwiftUI.
  - name: dynamics
    description: Colours and images whose value depends on traits.
  - name: transactions
    description: Several operations as one commit.
  - name: registrations
    description: Who wants to hear of which traits at which node.
  - name: streams
    description: |
      Changes as they happen, as NDJSON (one object a line) or server-sent events, or a page at a
      time with `wait`.
  - name: operation
    description: Probes, the version, and these documents.

paths:
  /v1/traits:
    get:
      operationId: listSystemTraits
      summary: The system traits and the named sets
      description: |
        The 22 public system traits in catalogue order, then the private members of the system
        sets, which can be neither set nor watched by themselves.
      tags: [traits]
      responses:
        "200":
          description: The catalogue.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/TraitCatalogue"}
        "400": {$ref: "#/components/responses/BadRequest"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/collections:
    post:
      operationId: makeCollection
      summary: A trait collection as a value, merged and modified
      description: |
        Merges the collections of `from` as `init(traitsFrom:)` does, then writes the values of
        `modify` as `modifyingTraits` does. Of each system trait the last collection that specifies
        it wins; custom traits are not merged but come from the first collection alone. Nothing is
        kept: no session is involved, and custom traits are defined in `traits`.
      tags: [collections]
      requestBody:
        required: false
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewCollection"}
            examples:
              empty: {value: {}}
              merged:
                value:
                  from:
                    - {userInterfaceStyle: light, theme: 1}
                    - {userInterfaceStyle: dark, theme: 2}
                  modify: {displayScale: 3}
                  traits:
                    theme: {type: int, default: 0}
      responses:
        "200":
          description: The collection.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/CollectionAnswer"}
              examples:
                merged: {value: {traits: {userInterfaceStyle: dark, displayScale: 3, theme: 1}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "409": {$ref: "#/components/responses/Conflict"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/collections/compare:
    post:
      operationId: compareCollections
      summary: Compare two trait collections
      description: |
        Answers `changedTraits(from:)`, `hasDifferentColorAppearance(comparedTo:)`,
        `containsTraits(in:)` and equality of `a` against `b`. Absent and unspecified are the same;
        null counts as the empty collection. `contains` looks at system traits only.
      tags: [collections]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/CollectionComparison"}
            examples:
              styles: {value: {a: {userInterfaceStyle: dark}, b: {userInterfaceStyle: light}}}
              nothing: {value: {a: {userInterfaceStyle: unspecified}, b: null}}
      responses:
        "200":
          description: How `a` differs from `b`.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/CollectionDifference"}
              examples:
                styles:
                  value:
                    changedTraits: [userInterfaceStyle]
                    hasDifferentColorAppearance: true
                    contains: false
                    equal: false
        "400": {$ref: "#/components/responses/BadRequest"}
        "409": {$ref: "#/components/responses/Conflict"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions:
    get:
      operationId: listSessions
      summary: List the sessions by name
      tags: [sessions]
      parameters:
        - {$ref: "#/components/parameters/PageSize"}
        - {$ref: "#/components/parameters/PageToken"}
      responses:
        "200":
          description: One page of sessions.
          headers:
            Link: {$ref: "#/components/headers/Link"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/SessionPage"}
        "400": {$ref: "#/components/responses/BadRequest"}
        default: {$ref: "#/components/responses/AnyProblem"}
    post:
      operationId: createSession
      summary: Create a session, with the given name or a server-made one
      tags: [sessions]
      parameters:
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: false
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewSession"}
            examples:
              named: {value: {name: mail}}
              serverMade: {value: {}}
      responses:
        "201":
          description: The new session, or the one that a dry run would have made.
          headers:
            Location: {$ref: "#/components/headers/Location"}
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/NewRevision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Session"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "409": {$ref: "#/components/responses/Conflict"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    put:
      operationId: putSession
      summary: Create a session, or find the one that is there
      description: |
        Finds the session when `propagation`, `updates` and `limits` agree with it, and answers
        409 `session-differs` when they do not. A body with `traits` or `nodes` only creates: it
        sets up a whole hierarchy in one commit, and answers 409 `exists` when the session does.
      tags: [sessions]
      parameters:
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/CreateOnly"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: false
        content:
          application/json:
            schema: {$ref: "#/components/schemas/SessionSettings"}
            examples:
              empty: {value: {}}
              hierarchy:
                value:
                  traits:
                    isContainedInSettings: {type: bool, default: false}
                  nodes:
                    - id: scene
                      kind: windowScene
                      parent: null
                      supplied: {userInterfaceIdiom: pad}
                    - {id: window, kind: window, parent: scene}
      responses:
        "200": {$ref: "#/components/responses/SessionFound"}
        "201": {$ref: "#/components/responses/SessionCreated"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    get:
      operationId: getSession
      summary: Look at a session
      tags: [sessions]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200": {$ref: "#/components/responses/SessionFound"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteSession
      summary: End a session
      description: Its streams get `end` with the reason `sessionDeleted`.
      tags: [sessions]
      parameters:
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
      responses:
        "204":
          description: The session is gone, or would be.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/traits:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: listTraits
      summary: The session's definitions, system and custom, and its named sets
      tags: [traits]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The definitions.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/TraitCatalogue"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/traits/{trait}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Trait"}
    get:
      operationId: getTrait
      summary: One definition, by key or identifier
      tags: [traits]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The definition.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/TraitDefinition"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putTrait
      summary: Define a custom trait
      description: |
        Definitions are immutable: the same again, its cases, fields or members in any order, is
        `unchanged`, anything different is 409
        `trait-immutable`.
      tags: [traits]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewTraitDefinition"}
            examples:
              theme:
                value:
                  type: enum
                  cases: {standard: 0, pastel: 1, bold: 2, monochrome: 3}
                  default: standard
                  identifier: com.myapp.theme
                  name: Theme
                  affectsColorAppearance: true
              isContainedInSettings: {value: {type: bool, default: false}}
              retryPolicy:
                value:
                  type: struct
                  fields: {attempts: int, backoffSeconds: double}
                  default: {attempts: 3, backoffSeconds: 0.5}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "201": {$ref: "#/components/responses/CommittedNew"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteTrait
      summary: Remove a custom trait that nothing refers to
      description: |
        409 `in-use` while a node sets it or something names it, a detached node keeps a value of it,
        or a pending one still shows one.
      tags: [traits]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: listNodes
      summary: List nodes in tree order
      description: |
        Depth first, parents before children, by the trait tree; siblings stand in the order in
        which they got their trait parent.
      tags: [nodes]
      parameters:
        - {$ref: "#/components/parameters/Under"}
        - {$ref: "#/components/parameters/Kind"}
        - {$ref: "#/components/parameters/Depth"}
        - {$ref: "#/components/parameters/PageSize"}
        - {$ref: "#/components/parameters/PageToken"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: One page of nodes.
          headers:
            Link: {$ref: "#/components/headers/Link"}
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/NodePage"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        default: {$ref: "#/components/responses/AnyProblem"}
    post:
      operationId: createNode
      summary: Create a node, with the given id or a server-made one
      tags: [nodes]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewNode"}
            examples:
              view: {value: {kind: view, parent: window}}
              settings:
                value:
                  id: settings
                  kind: viewController
                  parent: window
                  overrides: {isContainedInSettings: true}
      responses:
        "201":
          description: The node, and the revision that made it.
          headers:
            Location: {$ref: "#/components/headers/Location"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/CreatedNode"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    get:
      operationId: getNode
      summary: One node
      tags: [nodes]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The node.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Node"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putNode
      summary: Create a node, or replace what it is
      description: |
        Replaces `parent`, `controller` and `label`, and `overrides` and `supplied` when they are
        given. The kind stays: another one is 409 `kind-immutable`.
      tags: [nodes]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/CreateOnly"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NodeContent"}
            examples:
              scene:
                value:
                  kind: windowScene
                  parent: null
                  supplied: {userInterfaceIdiom: pad, displayScale: 2}
              ownedView: {value: {kind: view, parent: window, controller: settings}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "201": {$ref: "#/components/responses/CommittedNew"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    patch:
      operationId: patchNode
      summary: Move a node, give it another controller or label
      description: A merge patch of `parent`, `controller` and `label`; null clears a member.
      tags: [nodes]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            schema: {$ref: "#/components/schemas/NodePatch"}
            examples:
              move: {value: {parent: window}}
              detach: {value: {parent: null}}
          application/json:
            schema: {$ref: "#/components/schemas/NodePatch"}
            examples:
              move: {value: {parent: window}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedPatchType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteNode
      summary: Delete a node and its structural subtree
      description: |
        Registrations in it end. A view whose controller goes stays as a plain view; a controller
        whose view goes stays without one. Refused with `cycle` when one of those that stay would then
        come to inherit from itself.
      tags: [nodes]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/overrides:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    get:
      operationId: listOverrides
      summary: All overrides of a node
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The overrides by trait key; empty when there are none.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Overrides"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    patch:
      operationId: patchOverrides
      summary: Set and remove several overrides in one commit
      description: |
        A merge patch one level deep: null removes, anything else sets, and a value is replaced
        whole. A nullable trait is set to null with `PUT` or a transaction.
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            schema: {$ref: "#/components/schemas/ValuesPatch"}
            examples:
              dark: {value: {userInterfaceStyle: dark, displayScale: null}}
          application/json:
            schema: {$ref: "#/components/schemas/ValuesPatch"}
            examples:
              dark: {value: {userInterfaceStyle: dark, displayScale: null}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedPatchType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/overrides/{trait}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
      - {$ref: "#/components/parameters/Trait"}
    get:
      operationId: getOverride
      summary: The override of one trait at this node
      description: |
        Looks at this node alone, never at its ancestors; 404 `no-override` when unset. `HEAD` asks
        whether it is set.
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The override.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/NodeValue"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putOverride
      summary: Set the override of one trait
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewValue"}
            examples:
              byName: {value: {value: dark}}
              byRawValue: {value: {value: 2}}
              pinUnspecified: {value: {value: unspecified}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteOverride
      summary: Remove it, so that the trait is inherited again
      description: Quiet when it was not set.
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/supplied:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    get:
      operationId: listSupplied
      summary: All supplied values of a node
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The supplied values by trait key; empty when there are none.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Supplied"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    patch:
      operationId: patchSupplied
      summary: Set and remove several supplied values in one commit
      description: |
        A merge patch one level deep: null removes, anything else sets, and a value is replaced
        whole. A nullable trait is set to null with `PUT` or a transaction.
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            schema: {$ref: "#/components/schemas/ValuesPatch"}
            examples:
              dark: {value: {userInterfaceStyle: dark, displayScale: null}}
          application/json:
            schema: {$ref: "#/components/schemas/ValuesPatch"}
            examples:
              dark: {value: {userInterfaceStyle: dark, displayScale: null}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedPatchType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/supplied/{trait}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
      - {$ref: "#/components/parameters/Trait"}
    get:
      operationId: getSupplied
      summary: The supplied value of one trait at this node
      description: |
        Looks at this node alone, never at its ancestors; 404 `no-override` when unset. `HEAD` asks
        whether it is set.
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The supplied value.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/NodeValue"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putSupplied
      summary: Set the supplied value of one trait
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewValue"}
            examples:
              byName: {value: {value: dark}}
              byRawValue: {value: {value: 2}}
              pinUnspecified: {value: {value: unspecified}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteSupplied
      summary: Remove it, so that the trait is inherited again
      description: Quiet when it was not set.
      tags: [inputs]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/traits:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    get:
      operationId: getNodeTraits
      summary: A node's trait collection
      description: All traits of the session, defaults included, unless the query says otherwise.
      tags: [resolution]
      parameters:
        - {$ref: "#/components/parameters/TraitsFilter"}
        - {$ref: "#/components/parameters/Specified"}
        - {$ref: "#/components/parameters/Explain"}
        - {$ref: "#/components/parameters/Absent"}
        - {$ref: "#/components/parameters/Pending"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The resolved values, all at one revision.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/TraitCollection"}
              examples:
                plain:
                  value:
                    node: message-001
                    revision: 7
                    state: current
                    traits: {theme: bold, isContainedInSettings: false}
                explained:
                  value:
                    node: message-001
                    revision: 7
                    state: current
                    traits:
                      theme:
                        value: bold
                        source: {kind: override, node: scene, revision: 7}
                        chain:
                          - layer: override
                            status: winner
                            node: scene
                            value: bold
                            revision: 7
                          - {layer: default, status: shadowed, value: standard}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/traits/{trait}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
      - {$ref: "#/components/parameters/Trait"}
    get:
      operationId: getNodeTrait
      summary: What one trait resolves to at a node, and where the value comes from
      tags: [resolution]
      parameters:
        - {$ref: "#/components/parameters/Explain"}
        - {$ref: "#/components/parameters/Absent"}
        - {$ref: "#/components/parameters/Pending"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The resolved value.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/ResolvedTrait"}
              examples:
                inherited:
                  value:
                    node: message-001
                    revision: 7
                    state: current
                    trait: theme
                    value: bold
                    source: {kind: override, node: scene, revision: 7}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/compare:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    get:
      operationId: compareNodes
      summary: In what a node's traits differ from another node's
      tags: [resolution]
      parameters:
        - {$ref: "#/components/parameters/With"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The difference.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/NodeDifference"}
              examples:
                presented:
                  value:
                    node: sheet
                    with: inbox
                    revision: 7
                    changedTraits: [userInterfaceLevel, theme]
                    hasDifferentColorAppearance: true
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/transactions:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    post:
      operationId: runTransaction
      summary: Several operations, all or none
      description: |
        One revision and one update pass, so that each registration hears at most once. An error
        names the operation by its pointer, such as `/operations/3/value`.
      tags: [transactions]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Transaction"}
            examples:
              themes:
                value:
                  operations:
                    - {op: setOverride, node: scene, trait: userInterfaceStyle, value: dark}
                    - {op: createNode, node: settings, kind: viewController, parent: window}
                    - {op: removeOverride, node: window, trait: userInterfaceStyle}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/resolve:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    post:
      operationId: resolve
      summary: What the traits of many nodes resolve to, all at one revision
      description: |
        Name the nodes, or the node `under` which all are meant, itself included; those come in tree
        order. As NDJSON, when `Accept` asks for it, each line is what the node's `…/traits` answers.
        At most `resolvedNodesMax` (20,000) nodes, and `resolvedValuesMax` (200,000) nodes times
        traits: 429 `quota`.
      tags: [resolution]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ResolveRequest"}
            examples:
              named:
                value: {nodes: [message-001, message-002], traits: [theme, displayScale]}
              subtree:
                value: {under: inbox, traits: [systemTraitsAffectingColorAppearance]}
      responses:
        "200":
          description: The nodes, in the order in which they were named or in tree order.
          headers:
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/ResolvedNodes"}
              examples:
                two:
                  value:
                    revision: 7
                    nodes:
                      - {node: message-001, state: current, traits: {theme: bold}}
                      - {node: message-002, state: current, traits: {theme: bold}}
            application/x-ndjson:
              schema: {$ref: "#/components/schemas/ResolvedNodeLine"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "406": {$ref: "#/components/responses/NotAcceptable"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/history:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: getHistory
      summary: The commits that are still retained, newest first
      tags: [sessions]
      parameters:
        - {$ref: "#/components/parameters/PageSize"}
        - {$ref: "#/components/parameters/PageToken"}
        - {$ref: "#/components/parameters/Operations"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: One page of commits.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Link: {$ref: "#/components/headers/Link"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/History"}
              examples:
                one:
                  value:
                    commits:
                      - revision: 7
                        time: "2026-01-02T03:04:05.678Z"
                        operations: {count: 1, kinds: {setOverride: 1}}
                        cause: {requestId: 01jgh2v5}
                        notified: 1
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/stats:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: getStatistics
      summary: Counters of a session, those included that change without a commit
      tags: [sessions]
      responses:
        "200":
          description: The counters.
          headers:
            Cache-Control: {$ref: "#/components/headers/NoStore"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/SessionStatistics"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/layout:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    post:
      operationId: layout
      summary: Run the update pass of everything attached
      description: |
        For sessions with `updates: layout`, in which writes only mark: what is marked, and what inherits
        from it, takes its new collection, from the top down. The pass is a commit of its own and carries
        the changes; when nothing is marked it is `unchanged`, as always in `immediate` sessions.
      tags: [updates]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: false
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Nothing"}
            examples:
              none: {value: {}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/updateTraitsIfNeeded:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    post:
      operationId: updateTraitsIfNeeded
      summary: Bring one node and its subtree up to date
      description: |
        What the node inherits from is brought up to date first, with the changes that brings, then the
        node and its whole subtree, controllers included, in both propagations. A controller and its root
        view have the same subtree. A detached node is computed from what its tree inherited last.
      tags: [updates]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: false
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Nothing"}
            examples:
              none: {value: {}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/scopes:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    get:
      operationId: listScopes
      summary: What methods of a node are tracked
      tags: [tracking]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: In the order in which they were first set.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Scopes"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/scopes/{method}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
      - {$ref: "#/components/parameters/Method"}
    put:
      operationId: putScope
      summary: Say what a method read in its last run
      description: |
        Automatic trait tracking: when one of the traits changes, streams that watch the node or have a
        registration on it get one `invalidate` record that says what UIKit would call, and none again
        until the next PUT. A scope of a controller or presentation controller covers its own collection
        and its (container) view's. Plain environments take any name, with `invalidate`.
      tags: [tracking]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewScope"}
            examples:
              layout: {value: {reads: [horizontalSizeClass, displayScale]}}
      responses:
        "200":
          description: What those traits are now.
          headers:
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/ScopeSet"}
              examples:
                layout: {value: {revision: 7, traits: {horizontalSizeClass: compact, displayScale: 3}}}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    get:
      operationId: getScope
      summary: Look at a tracked scope
      tags: [tracking]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: What it read, and whether that changed since.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Scope"}
              examples:
                layout: {value: {node: cell, scope: layoutSubviews, invalidation: setNeedsLayout, reads: [displayScale], stale: false, revision: 7}}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteScope
      summary: Track a method no longer
      description: |
        Quiet when it was not tracked.
      tags: [tracking]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/environmentKeys:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: listEnvironmentKeys
      summary: The environment keys, in the order in which they were defined
      tags: [bridging]
      parameters:
        - {$ref: "#/components/parameters/PageSize"}
        - {$ref: "#/components/parameters/PageToken"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: One page of keys.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/EnvironmentKeys"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/environmentKeys/{key}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/EnvironmentKey"}
    get:
      operationId: getEnvironmentKey
      summary: One environment key
      tags: [bridging]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The key.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/EnvironmentKey"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putEnvironmentKey
      summary: Define an environment key
      description: |
        With `bridgedTrait` key and trait share one storage: reading goes through the trait, writing sets
        its override, and `map` translates the values both ways. Without it the key has inherited values of
        its own. Keys are immutable: the same again, its map, cases or fields in any order, is
        `unchanged`, anything different is 409
        `environment-key-immutable`.
      tags: [bridging]
      parameters:
        - {$ref: "#/components/parameters/CreateOnly"}
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewEnvironmentKey"}
            examples:
              bridged: {value: {type: string, default: plain, bridgedTrait: theme, map: {plain: standard, loud: bold}}}
              own: {value: {type: int, default: 0}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "201": {$ref: "#/components/responses/CommittedNew"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteEnvironmentKey
      summary: Delete an environment key
      description: |
        409 `in-use` while a node sets an unbridged key, a detached one keeps a value of it, or a
        pending one still shows one; what a bridged one set stays the trait's.
      tags: [bridging]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/environment:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    get:
      operationId: getEnvironment
      summary: What every environment key reads at a node
      tags: [bridging]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The values.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Environment"}
              examples:
                cell: {value: {node: cell, revision: 7, state: current, environment: {themeEnv: loud}}}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/environment/{key}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
      - {$ref: "#/components/parameters/EnvironmentKey"}
    get:
      operationId: getEnvironmentValue
      summary: What an environment key reads at a node, and where that comes from
      tags: [bridging]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The value.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/EnvironmentValue"}
              examples:
                cell: {value: {node: cell, revision: 7, state: current, key: themeEnv, value: loud, source: {kind: override, node: scene, revision: 7}}}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putEnvironmentValue
      summary: Set an environment value; of a bridged key the trait's override
      tags: [bridging]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewValue"}
            examples:
              loud: {value: {value: loud}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteEnvironmentValue
      summary: Remove an environment value
      description: |
        Quiet when it was not set.
      tags: [bridging]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/colors:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: listColors
      summary: The dynamic colors, in the order in which they were defined
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/PageSize"}
        - {$ref: "#/components/parameters/PageToken"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: One page of colors.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Colors"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/colors/{color}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Color"}
    get:
      operationId: getColor
      summary: One dynamic color
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The color.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Color"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putColor
      summary: Define a dynamic color
      description: |
        The same again is `unchanged`, however its JSON is spelled: members in any order, 2 or 2.0.
        Another definition replaces it, and is 409 `in-use` while a
        registration names the color. What a value stands for is yours to know: any JSON.
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/CreateOnly"}
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewDynamic"}
            examples:
              styles: {value: {variants: [{when: {userInterfaceStyle: light}, value: "#fff"}, {when: {userInterfaceStyle: dark}, value: "#000"}]}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "201": {$ref: "#/components/responses/CommittedNew"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteColor
      summary: Delete a dynamic color
      description: |
        409 `in-use` while a registration names it.
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/colors/{color}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
      - {$ref: "#/components/parameters/Color"}
    get:
      operationId: getNodeColor
      summary: What a dynamic color is at a node
      description: |
        A variant is a candidate when each of its conditions equals the node's value; the candidate with
        the most conditions wins, then the one declared first. Without any the first variant is taken.
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The value, the variant it is from, and the traits that can make a difference.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/ResolvedColor"}
              examples:
                dark: {value: {node: cell, revision: 7, state: current, color: background, value: "#000", variant: {index: 1, when: {userInterfaceStyle: dark}}, dependsOn: [userInterfaceStyle]}}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/images:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: listImages
      summary: The dynamic images, in the order in which they were defined
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/PageSize"}
        - {$ref: "#/components/parameters/PageToken"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: One page of images.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Images"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/images/{image}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Image"}
    get:
      operationId: getImage
      summary: One dynamic image
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The image.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Image"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putImage
      summary: Define a dynamic image
      description: |
        The same again is `unchanged`, however its JSON is spelled: members in any order, 2 or 2.0.
        Another definition replaces it, and is 409 `in-use` while a
        registration names the image. What a value stands for is yours to know: any JSON.
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/CreateOnly"}
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewDynamic"}
            examples:
              styles: {value: {variants: [{when: {userInterfaceStyle: light}, value: "#fff"}, {when: {userInterfaceStyle: dark}, value: "#000"}]}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "201": {$ref: "#/components/responses/CommittedNew"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteImage
      summary: Delete a dynamic image
      description: |
        409 `in-use` while a registration names it.
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/images/{image}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
      - {$ref: "#/components/parameters/Image"}
    get:
      operationId: getNodeImage
      summary: What a dynamic image is at a node
      description: |
        Of the traits of the image list, in a fixed order, the variants stay that fit best; at last the
        scale decides: the exact one, else the smallest larger one, else the largest. A variant without a
        scale has scale 1; one for another idiom or size class is out of the question.
      tags: [dynamics]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The value, the variant it is from, and the traits that can make a difference.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/ResolvedImage"}
              examples:
                dark: {value: {node: cell, revision: 7, state: current, image: background, value: "#000", variant: {index: 1, when: {userInterfaceStyle: dark}}, dependsOn: [userInterfaceStyle]}}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/registrations:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: listRegistrations
      summary: List registrations in the order in which they were made
      tags: [registrations]
      parameters:
        - {$ref: "#/components/parameters/PageSize"}
        - {$ref: "#/components/parameters/PageToken"}
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: One page of registrations.
          headers:
            Link: {$ref: "#/components/headers/Link"}
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/RegistrationPage"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    post:
      operationId: createRegistration
      summary: Register for changes of traits at a node
      description: |
        There is no initial call. The registration lasts until it is deleted or its node is, and
        asking twice makes two.
      tags: [registrations]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewRegistration"}
            examples:
              traits: {value: {node: window, traits: [userInterfaceStyle, displayScale]}}
              set: {value: {node: window, set: systemTraitsAffectingColorAppearance}}
      responses:
        "201":
          description: The registration, and the revision that made it.
          headers:
            Location: {$ref: "#/components/headers/Location"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/CreatedRegistration"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/registrations/{registration}:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Registration"}
    get:
      operationId: getRegistration
      summary: One registration
      tags: [registrations]
      parameters:
        - {$ref: "#/components/parameters/IfNoneMatch"}
      responses:
        "200":
          description: The registration.
          headers:
            ETag: {$ref: "#/components/headers/ETag"}
            Traitd-Revision: {$ref: "#/components/headers/Revision"}
            Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Registration"}
        "304": {$ref: "#/components/responses/NotModified"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}
    put:
      operationId: putRegistration
      summary: Register under a name of your own
      description: |
        The same again is `unchanged`; another node, traits or label is 409 `exists`. A named set is
        expanded when the registration is made, so the same name stays the same whatever is defined
        later.
      tags: [registrations]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/CreateOnly"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/RegistrationContent"}
            examples:
              traits: {value: {node: window, traits: [userInterfaceStyle]}}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "201": {$ref: "#/components/responses/CommittedNew"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "409": {$ref: "#/components/responses/Conflict"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        "413": {$ref: "#/components/responses/BodyTooLarge"}
        "415": {$ref: "#/components/responses/UnsupportedMediaType"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}
    delete:
      operationId: deleteRegistration
      summary: Unregister
      description: Quiet when it is gone already.
      tags: [registrations]
      parameters:
        - {$ref: "#/components/parameters/Changes"}
        - {$ref: "#/components/parameters/DryRun"}
        - {$ref: "#/components/parameters/IfMatch"}
        - {$ref: "#/components/parameters/Prefer"}
        - {$ref: "#/components/parameters/Traceparent"}
      responses:
        "200": {$ref: "#/components/responses/Committed"}
        "204": {$ref: "#/components/responses/Minimal"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "412": {$ref: "#/components/responses/PreconditionFailed"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/registrations/{registration}/events:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Registration"}
    get:
      operationId: streamRegistrationEvents
      summary: The changes that one registration hears
      tags: [streams]
      parameters:
        - {$ref: "#/components/parameters/From"}
        - {$ref: "#/components/parameters/LastEventID"}
        - {$ref: "#/components/parameters/Initial"}
        - {$ref: "#/components/parameters/Wait"}
        - {$ref: "#/components/parameters/Limit"}
      responses:
        "200": {$ref: "#/components/responses/Events"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "406": {$ref: "#/components/responses/NotAcceptable"}
        "409": {$ref: "#/components/responses/Conflict"}
        "410": {$ref: "#/components/responses/Gone"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/nodes/{node}/events:
    parameters:
      - {$ref: "#/components/parameters/Session"}
      - {$ref: "#/components/parameters/Node"}
    get:
      operationId: streamNodeEvents
      summary: Watch traits of a node without registering
      description: |
        A watch is no part of the session's state: it makes no commit. It lives while a stream of
        the same node and traits is connected and 60 s longer, so that a token resumes without a
        gap; after that a token of it is answered 410 and `initial=true` starts afresh.
      tags: [streams]
      parameters:
        - {$ref: "#/components/parameters/WatchedTraits"}
        - {$ref: "#/components/parameters/From"}
        - {$ref: "#/components/parameters/LastEventID"}
        - {$ref: "#/components/parameters/Initial"}
        - {$ref: "#/components/parameters/Wait"}
        - {$ref: "#/components/parameters/Limit"}
      responses:
        "200": {$ref: "#/components/responses/Events"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "406": {$ref: "#/components/responses/NotAcceptable"}
        "409": {$ref: "#/components/responses/Conflict"}
        "410": {$ref: "#/components/responses/Gone"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /v1/sessions/{session}/events:
    parameters:
      - {$ref: "#/components/parameters/Session"}
    get:
      operationId: streamSessionEvents
      summary: Every commit of a session with the changes of all its registrations, or of some
      description: |
        With `registrations` only the changes of those, without `commit` records; without it a
        `commit` record for each commit, followed by its changes.
      tags: [streams]
      parameters:
        - {$ref: "#/components/parameters/Registrations"}
        - {$ref: "#/components/parameters/Operations"}
        - {$ref: "#/components/parameters/From"}
        - {$ref: "#/components/parameters/LastEventID"}
        - {$ref: "#/components/parameters/Initial"}
        - {$ref: "#/components/parameters/Wait"}
        - {$ref: "#/components/parameters/Limit"}
      responses:
        "200": {$ref: "#/components/responses/Events"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "404": {$ref: "#/components/responses/NotFound"}
        "406": {$ref: "#/components/responses/NotAcceptable"}
        "409": {$ref: "#/components/responses/Conflict"}
        "410": {$ref: "#/components/responses/Gone"}
        "422": {$ref: "#/components/responses/Unprocessable"}
        "429": {$ref: "#/components/responses/OverLimit"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /livez:
    get:
      operationId: getLive
      summary: The process turns
      tags: [operation]
      responses:
        "200":
          description: It does.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Health"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /readyz:
    get:
      operationId: getReady
      summary: Whether to send traffic here
      tags: [operation]
      responses:
        "200":
          description: Ready.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Health"}
        "503": {$ref: "#/components/responses/Unavailable"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /version:
    get:
      operationId: getVersion
      summary: What is running
      tags: [operation]
      responses:
        "200":
          description: The version.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Version"}
        default: {$ref: "#/components/responses/AnyProblem"}

  /openapi.yaml:
    get:
      operationId: getOpenAPI
      summary: This document
      tags: [operation]
      responses:
        "200":
          description: OpenAPI 3.1 in YAML.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
          content:
            application/yaml:
              schema: true
        default: {$ref: "#/components/responses/AnyProblem"}

  /problems/{code}:
    parameters:
      - {$ref: "#/components/parameters/ProblemCode"}
    get:
      operationId: getProblem
      summary: What a problem code means and what to do about it
      tags: [operation]
      responses:
        "200":
          description: A short text.
          headers: {Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/ProblemText"}
        "404": {$ref: "#/components/responses/NotFound"}
        default: {$ref: "#/components/responses/AnyProblem"}

components:
  parameters:
    Session:
      name: session
      in: path
      required: true
      description: The session's name.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: mail
    Node:
      name: node
      in: path
      required: true
      description: The node's id.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: window
    Trait:
      name: trait
      in: path
      required: true
      description: The trait's key, or its identifier.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: userInterfaceStyle
    Registration:
      name: registration
      in: path
      required: true
      description: The registration's id.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: r1
    Method:
      name: method
      in: path
      required: true
      description: The method's name.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: layoutSubviews
    EnvironmentKey:
      name: key
      in: path
      required: true
      description: The environment key.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: themeEnv
    Color:
      name: color
      in: path
      required: true
      description: The color's name.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: background
    Image:
      name: image
      in: path
      required: true
      description: The image's name.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: logo
    ProblemCode:
      name: code
      in: path
      required: true
      description: One of the codes that problems carry.
      schema: {$ref: "#/components/schemas/ProblemCode"}
      example: no-override
    With:
      name: with
      in: query
      required: true
      description: The node to compare with.
      schema: {$ref: "#/components/schemas/Identifier"}
      example: scene
    PageSize:
      name: pageSize
      in: query
      description: How many to list at most.
      schema: {type: integer, minimum: 1, maximum: 1000, default: 100}
    PageToken:
      name: pageToken
      in: query
      description: The `nextPageToken` of the page before.
      schema: {type: string}
    DryRun:
      name: dryRun
      in: query
      description: |
        Take the same path up to the commit and give the same answer, marked `"dryRun": true`;
        nothing changes.
      schema: {type: boolean, default: false}
    Changes:
      name: changes
      in: query
      description: Answer with the changes that registrations hear of, at most 1,000.
      schema: {type: boolean, default: false}
    Under:
      name: under
      in: query
      description: Only this node and its descendants in the trait tree.
      schema: {$ref: "#/components/schemas/Identifier"}
    Kind:
      name: kind
      in: query
      description: Only nodes of this kind.
      schema: {$ref: "#/components/schemas/NodeKind"}
    Depth:
      name: depth
      in: query
      description: How many levels below `under`, or below the roots, to go; 0 lists only those.
      schema: {type: integer, minimum: 0}
    TraitsFilter:
      name: traits
      in: query
      description: Only these traits, by key, identifier or named set.
      style: form
      explode: false
      schema:
        type: array
        minItems: 1
        items: {$ref: "#/components/schemas/Identifier"}
      example: [userInterfaceStyle, displayScale]
    WatchedTraits:
      name: traits
      in: query
      required: true
      description: The traits to watch, by key, identifier or named set.
      style: form
      explode: false
      schema:
        type: array
        minItems: 1
        items: {$ref: "#/components/schemas/Identifier"}
      example: [userInterfaceStyle]
    Specified:
      name: specified
      in: query
      description: Only traits whose value is not the default.
      schema: {type: boolean, default: false}
    Explain:
      name: explain
      in: query
      description: Say with each value where it comes from and what it shadows.
      schema: {type: boolean, default: false}
    Absent:
      name: absent
      in: query
      description: With `explain`, list the nodes of the chain that set nothing, too.
      schema: {type: boolean, default: false}
    Pending:
      name: pending
      in: query
      description: |
        With `explain`, explain what a pending node will show when it is brought up to date, instead
        of what it shows.
      schema: {type: boolean, default: false}
    IfMatch:
      name: If-Match
      in: header
      description: |
        Write only if the session has not moved on: the `ETag` of an answer without a query. Else
        412.
      schema: {type: string}
      example: '"k3v9q0m2x7ab.7"'
    IfNoneMatch:
      name: If-None-Match
      in: header
      description: Answer 304 when the client has this representation already.
      schema: {type: string}
      example: '"k3v9q0m2x7ab.7"'
    CreateOnly:
      name: If-None-Match
      in: header
      description: With `*`, create only; 412 when it exists.
      schema: {type: string}
      example: "*"
    Prefer:
      name: Prefer
      in: header
      description: With `return=minimal`, answer with 204 and no body.
      schema: {type: string}
      example: return=minimal
    Traceparent:
      name: traceparent
      in: header
      description: The trace that the commit belongs to (W3C trace context); records carry it.
      schema: {type: string}
    From:
      name: from
      in: query
      description: |
        Where to start: a token or a revision to continue after, `now`, or `start` for the oldest
        retained. `Last-Event-ID` wins over it.
      schema: {type: string, default: now}
      example: start
    LastEventID:
      name: Last-Event-ID
      in: header
      description: The token of the last record seen; browsers send it by themselves.
      schema: {type: string}
    Initial:
      name: initial
      in: query
      description: |
        Begin with a `state` record for each node concerned and a `sync` record. Not with `wait`.
      schema: {type: boolean, default: false}
    Operations:
      name: operations
      in: query
      description: Give the operations of each commit in full.
      schema: {type: boolean, default: false}
    Registrations:
      name: registrations
      in: query
      description: Only the changes of these registrations.
      style: form
      explode: false
      schema:
        type: array
        minItems: 1
        items: {$ref: "#/components/schemas/Identifier"}
    Wait:
      name: wait
      in: query
      description: |
        Answer with one finite page, as soon as there is a record or when this time is up: a
        number of seconds, such as `30s`, or `0` to answer at once.
      schema: {type: string, pattern: "^[0-9]+(ms|s)?$"}
      example: "0"
    Limit:
      name: limit
      in: query
      description: With `wait`, how many records a page holds at most.
      schema: {type: integer, minimum: 1, maximum: 1000, default: 100}

  headers:
    RequestId:
      required: true
      description: The request's id, echoed when the client sent one. Problems name it too.
      schema: {type: string}
    Revision:
      required: true
      description: The session's revision that the answer saw or made.
      schema: {$ref: "#/components/schemas/Revision"}
    Location:
      description: Where the new resource is.
      schema: {type: string, format: uri-reference}
    ETag:
      description: |
        The session's uid and revision, with a query what depends on it, and when it is compressed
        `gzip`: `"uid.revision"`, `"uid.revision-variant"`, `"uid.revision-gzip"`. `If-Match`
        compares uid and revision alone.
      schema: {type: string}
    NewRevision:
      description: The session's revision, 1; absent from a dry run.
      schema: {$ref: "#/components/schemas/Revision"}
    Link:
      description: The next page, as `rel="next"`, when there is one.
      schema: {type: string}
    Accept:
      required: true
      description: The media types that this resource takes.
      schema: {type: string}
    NoStore:
      required: true
      description: Always `no-store`.
      schema: {const: no-store}
    NoBuffering:
      description: On streams `no`, so that proxies pass records on at once.
      schema: {const: "no"}

  responses:
    SessionFound:
      description: The session.
      headers:
        ETag: {$ref: "#/components/headers/ETag"}
        Traitd-Revision: {$ref: "#/components/headers/Revision"}
        Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
      content:
        application/json:
          schema: {$ref: "#/components/schemas/Session"}
    SessionCreated:
      description: The new session, or the one that a dry run would have made.
      headers:
        ETag: {$ref: "#/components/headers/ETag"}
        Traitd-Revision: {$ref: "#/components/headers/NewRevision"}
        Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
      content:
        application/json:
          schema: {$ref: "#/components/schemas/Session"}
          examples:
            created:
              value:
                name: mail
                uid: k3v9q0m2x7ab
                revision: 1
                createdAt: "2025-01-01T12:00:00.000Z"
                propagation: unified
                updates: immediate
                nodes: 0
                durability: memory
    NotModified:
      description: The client has this representation.
      headers:
        ETag: {$ref: "#/components/headers/ETag"}
        Traitd-Revision: {$ref: "#/components/headers/Revision"}
        Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
    Minimal:
      description: Done; `Prefer` asked for no more.
      headers:
        Traitd-Revision: {$ref: "#/components/headers/Revision"}
        Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
    Committed:
      description: The commit, or word that there was nothing to commit.
      headers:
        Traitd-Revision: {$ref: "#/components/headers/Revision"}
        Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
      content:
        application/json:
          schema: {$ref: "#/components/schemas/Commit"}
          examples:
            commit: {value: {session: mail, revision: 7, notified: 1}}
            unchanged: {value: {session: mail, revision: 7, notified: 0, unchanged: true}}
    CommittedNew:
      description: The commit that made the resource, or that a dry run would have made.
      headers:
        Traitd-Revision: {$ref: "#/components/headers/Revision"}
        Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
      content:
        application/json:
          schema: {$ref: "#/components/schemas/Commit"}
    Events:
      description: |
        A stream of records, or with `wait` one page of them. The media type follows `Accept`:
        NDJSON unless server-sent events are asked for.
      headers:
        Cache-Control: {$ref: "#/components/headers/NoStore"}
        X-Accel-Buffering: {$ref: "#/components/headers/NoBuffering"}
        Traitd-Revision: {$ref: "#/components/headers/Revision"}
        Traitd-Request-Id: {$ref: "#/components/headers/RequestId"}
      content:
        application/x-ndjson:
          schema: {$ref: "#/components/schemas/StreamRecord"}
        text/event-stream:
          schema: {type: string}
          examples:
            change:
              value: |
                id: k3v9q0m2x7ab.7
                event: change
                data: {"type":"change","revision":7}

        application/json:
          schema: {$ref: "#/components/schemas/EventPage"}
    BadRequest:
      description: The request is malformed.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
          examples:
            misspelt:
              value:
                type: /problems/unknown-parameter
                title: Unknown query parameter
                status: 400
                detail: There is no query parameter 'dryrun' here; did you mean 'dryRun'?
                instance: 01jgh2v5
                code: unknown-parameter
                parameter: dryrun
                didYouMean: dryRun
    NotFound:
      description: What the path names does not exist.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    NotAcceptable:
      description: The stream exists in none of the accepted media types.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    Conflict:
      description: The state forbids it.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    Gone:
      description: The records after this position are no longer there.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    PreconditionFailed:
      description: The session has moved on from `If-Match` or `ifRevision`, or the new is there.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    BodyTooLarge:
      description: The body is larger than the limit, which the problem names.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    UnsupportedMediaType:
      description: The body is of a media type that this resource does not take.
      headers:
        Accept: {$ref: "#/components/headers/Accept"}
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    UnsupportedPatchType:
      description: The body is neither a merge patch nor JSON.
      headers:
        Accept-Patch: {$ref: "#/components/headers/Accept"}
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    Unprocessable:
      description: A value is wrong.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    OverLimit:
      description: A limit is reached, which the problem names with its value.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    AnyProblem:
      description: |
        What any request may meet: 405 with `Allow`, limits of HTTP itself (408, 413, 414, 431),
        a message that is not valid HTTP, or a failure of the server's own.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}
    Unavailable:
      description: The server is on its way out.
      content:
        application/problem+json:
          schema: {$ref: "#/components/schemas/Problem"}

  schemas:
    Identifier:
      description: Compared as bytes; neither `.` nor `..`.
      type: string
      pattern: "^[A-Za-z0-9._~-]{1,128}$"
    Revision:
      description: Plus one for each commit of a session, from 1; below 2^53.
      type: integer
      minimum: 1
      maximum: 9007199254740991
    Token:
      description: A position in a session's commits. Opaque.
      type: string
    Time:
      type: string
      format: date-time

    # --- values and definitions
    Value:
      description: |
        A trait's value. An enumeration travels as the name of its case (a raw value without a
        name as the number) and is accepted as name or raw value; a structure is an object of its
        fields. `"unspecified"` is accepted for every system trait.
      type: ["null", boolean, number, string, object]
    ScalarType:
      enum: [bool, int, double, string]
    NewTraitDefinition:
      type: object
      required: [type, default]
      additionalProperties: false
      properties:
        key:
          description: Must be the one in the path, if given.
          $ref: "#/components/schemas/Identifier"
        type: {enum: [bool, int, double, string, enum, struct]}
        default: {$ref: "#/components/schemas/Value"}
        identifier:
          description: Finds the same trait; unique in the session, disjoint from keys and sets.
          $ref: "#/components/schemas/Identifier"
        name:
          description: For people; the key unless given.
          type: string
        cases:
          description: "`enum` only: case names and their raw values."
          type: object
          minProperties: 1
          additionalProperties: {type: integer}
        fields:
          description: "`struct` only: field names and their types."
          type: object
          minProperties: 1
          additionalProperties: {$ref: "#/components/schemas/ScalarType"}
        nullable:
          description: Whether null is a value.
          type: boolean
          default: false
        affectsColorAppearance:
          description: Whether colours have to be resolved again when it changes.
          type: boolean
          default: false
    TraitDefinition:
      type: object
      required: [key, name]
      additionalProperties: false
      properties:
        key: {$ref: "#/components/schemas/Identifier"}
        identifier: {$ref: "#/components/schemas/Identifier"}
        name: {type: string}
        type: {enum: [bool, int, double, string, enum, struct]}
        default: {$ref: "#/components/schemas/Value"}
        cases:
          description: Content size categories are the only cases with strings.
          type: object
          additionalProperties: {type: [integer, string]}
        fields:
          type: object
          additionalProperties: {$ref: "#/components/schemas/ScalarType"}
        nullable: {type: boolean}
        affectsColorAppearance: {type: boolean}
        private:
          description: A member of a printed system list that can be neither set nor read.
          type: boolean
    TraitCatalogue:
      type: object
      required: [traits, sets]
      additionalProperties: false
      properties:
        session:
          description: Absent from the system's own catalogue, like the revision.
          $ref: "#/components/schemas/Identifier"
        revision: {$ref: "#/components/schemas/Revision"}
        traits:
          type: array
          items: {$ref: "#/components/schemas/TraitDefinition"}
        sets:
          description: The named sets and the keys of their members.
          type: object
          additionalProperties:
            type: array
            items: {$ref: "#/components/schemas/Identifier"}

    # --- collections
    Collection:
      description: |
        A trait collection: values by trait key, of the traits that it specifies. Unspecified values
        are left out, and null is a value only of a nullable trait.
      type: object
      additionalProperties: {$ref: "#/components/schemas/Value"}
    CustomTraits:
      description: Custom traits by key.
      type: object
      additionalProperties: {$ref: "#/components/schemas/NewTraitDefinition"}
    NewCollection:
      type: object
      additionalProperties: false
      properties:
        from:
          description: Merged in this order; none give the empty collection.
          type: array
          items:
            oneOf:
              - {$ref: "#/components/schemas/Collection"}
              - {type: "null"}
        modify: {$ref: "#/components/schemas/Collection"}
        traits: {$ref: "#/components/schemas/CustomTraits"}
    CollectionAnswer:
      type: object
      required: [traits]
      additionalProperties: false
      properties:
        traits: {$ref: "#/components/schemas/Collection"}
    CollectionComparison:
      type: object
      required: [a, b]
      additionalProperties: false
      properties:
        a:
          oneOf:
            - {$ref: "#/components/schemas/Collection"}
            - {type: "null"}
        b:
          oneOf:
            - {$ref: "#/components/schemas/Collection"}
            - {type: "null"}
        traits: {$ref: "#/components/schemas/CustomTraits"}
    ChangedTraits:
      description: The keys of the traits that differ, sorted; custom ones are among them.
      type: array
      items: {$ref: "#/components/schemas/Identifier"}
    CollectionDifference:
      type: object
      required: [changedTraits, hasDifferentColorAppearance, contains, equal]
      additionalProperties: false
      properties:
        changedTraits: {$ref: "#/components/schemas/ChangedTraits"}
        hasDifferentColorAppearance:
          description: Whether a trait that can influence colours differs, custom ones included.
          type: boolean
        contains:
          description: Whether `a` has every system trait that `b` specifies, with that value.
          type: boolean
        equal: {type: boolean}
    NodeDifference:
      type: object
      required: [node, with, revision, changedTraits, hasDifferentColorAppearance]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        with: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        changedTraits: {$ref: "#/components/schemas/ChangedTraits"}
        hasDifferentColorAppearance: {type: boolean}

    # --- sessions
    Propagation:
      description: How traits reach a view controller, in iOS 17 and later or before.
      enum: [unified, legacy]
    Updates:
      description: |
        `immediate`: every commit ends with an update pass. `layout`: as in UIKit, writes only mark;
        what is shown changes in update passes, which `…/layout` and `…/updateTraitsIfNeeded` run.
      enum: [immediate, layout]
    SessionLimits:
      description: Limits of this session, below the server's own.
      type: object
      additionalProperties: false
      properties:
        nodesMax: {type: integer, minimum: 1}
        depthMax: {type: integer, minimum: 1}
        registrationsMax: {type: integer, minimum: 1}
        customTraitsMax: {type: integer, minimum: 1}
    SessionSettings:
      type: object
      additionalProperties: false
      properties:
        name:
          description: Must be the one in the path, if given.
          $ref: "#/components/schemas/Identifier"
        propagation: {$ref: "#/components/schemas/Propagation", default: unified}
        updates: {$ref: "#/components/schemas/Updates", default: immediate}
        limits: {$ref: "#/components/schemas/SessionLimits"}
        traits:
          description: Defined before the nodes are made.
          $ref: "#/components/schemas/CustomTraits"
        nodes:
          description: The nodes, parents and controllers before those that name them.
          type: array
          items: {$ref: "#/components/schemas/LoadedNode"}
    NewSession:
      type: object
      additionalProperties: false
      properties:
        propagation: {$ref: "#/components/schemas/Propagation", default: unified}
        updates: {$ref: "#/components/schemas/Updates", default: immediate}
        limits: {$ref: "#/components/schemas/SessionLimits"}
        traits:
          description: Custom traits by key, defined before the nodes are made.
          type: object
          additionalProperties: {$ref: "#/components/schemas/NewTraitDefinition"}
        nodes:
          description: The nodes, parents and controllers before those that name them.
          type: array
          items: {$ref: "#/components/schemas/LoadedNode"}
        name: {$ref: "#/components/schemas/Identifier"}
    Session:
      type: object
      required:
        [name, uid, revision, createdAt, propagation, updates, nodes, durability]
      additionalProperties: false
      properties:
        name: {$ref: "#/components/schemas/Identifier"}
        uid:
          description: New at every creation, also under the same name.
          type: string
          pattern: "^[a-z0-9]{12}$"
        revision: {$ref: "#/components/schemas/Revision"}
        createdAt: {$ref: "#/components/schemas/Time"}
        propagation: {$ref: "#/components/schemas/Propagation"}
        updates: {$ref: "#/components/schemas/Updates"}
        nodes:
          description: How many nodes it has.
          type: integer
          minimum: 0
        durability:
          description: Where its commits are kept.
          enum: [memory]
        limits: {$ref: "#/components/schemas/SessionLimits"}
        dryRun: {const: true}
    SessionPage:
      type: object
      required: [sessions]
      additionalProperties: false
      properties:
        sessions:
          type: array
          items: {$ref: "#/components/schemas/Session"}
        nextPageToken: {type: string}

    # --- nodes and their inputs
    NodeKind:
      description: |
        What a node is, and so where it may stand. Every kind may be without a parent.

        | kind | its parent may be |
        |---|---|
        | `windowScene` | environment |
        | `window` | windowScene, environment |
        | `presentationController` | window |
        | `viewController` | window, viewController, presentationController, environment |
        | `view` | view, window, presentationController, environment |
        | `environment` | any |
      enum: [windowScene, window, presentationController, viewController, view, environment]
    ValuesByTrait:
      description: Values by trait key.
      type: object
      additionalProperties: {$ref: "#/components/schemas/Value"}
    ValuesPatch:
      description: Values by trait; null removes.
      type: object
      additionalProperties: {$ref: "#/components/schemas/Value"}
    Parent:
      description: The structural parent; null has none.
      oneOf:
        - {$ref: "#/components/schemas/Identifier"}
        - {type: "null"}
    NodeContent:
      type: object
      required: [kind]
      additionalProperties: false
      properties:
        kind: {$ref: "#/components/schemas/NodeKind"}
        parent: {$ref: "#/components/schemas/Parent"}
        controller:
          description: Views only; the view controller that owns the view.
          oneOf:
            - {$ref: "#/components/schemas/Identifier"}
            - {type: "null"}
        label:
          description: For people.
          type: [string, "null"]
        overrides: {$ref: "#/components/schemas/ValuesByTrait"}
        supplied: {$ref: "#/components/schemas/ValuesByTrait"}
    NewNode:
      type: object
      required: [kind]
      additionalProperties: false
      properties:
        kind: {$ref: "#/components/schemas/NodeKind"}
        parent: {$ref: "#/components/schemas/Parent"}
        controller:
          description: Views only; the view controller that owns the view.
          oneOf:
            - {$ref: "#/components/schemas/Identifier"}
            - {type: "null"}
        label:
          description: For people.
          type: [string, "null"]
        overrides: {$ref: "#/components/schemas/ValuesByTrait"}
        supplied: {$ref: "#/components/schemas/ValuesByTrait"}
        id: {$ref: "#/components/schemas/Identifier"}
    LoadedNode:
      type: object
      required: [id, kind]
      additionalProperties: false
      properties:
        kind: {$ref: "#/components/schemas/NodeKind"}
        parent: {$ref: "#/components/schemas/Parent"}
        controller:
          description: Views only; the view controller that owns the view.
          oneOf:
            - {$ref: "#/components/schemas/Identifier"}
            - {type: "null"}
        label:
          description: For people.
          type: [string, "null"]
        overrides: {$ref: "#/components/schemas/ValuesByTrait"}
        supplied: {$ref: "#/components/schemas/ValuesByTrait"}
        id: {$ref: "#/components/schemas/Identifier"}
    NodePatch:
      type: object
      additionalProperties: false
      properties:
        parent: {$ref: "#/components/schemas/Parent"}
        controller:
          oneOf:
            - {$ref: "#/components/schemas/Identifier"}
            - {type: "null"}
        label: {type: [string, "null"]}
    Node:
      type: object
      required: [id, kind, parent]
      additionalProperties: false
      properties:
        id: {$ref: "#/components/schemas/Identifier"}
        kind: {$ref: "#/components/schemas/NodeKind"}
        parent: {$ref: "#/components/schemas/Parent"}
        controller: {$ref: "#/components/schemas/Identifier"}
        colors: {$ref: "#/components/schemas/Names"}
        images: {$ref: "#/components/schemas/Names"}
        label: {type: string}
        overrides: {$ref: "#/components/schemas/ValuesByTrait"}
        supplied: {$ref: "#/components/schemas/ValuesByTrait"}
    CreatedNode:
      type: object
      required: [id, kind, parent, revision]
      additionalProperties: false
      properties:
        id: {$ref: "#/components/schemas/Identifier"}
        kind: {$ref: "#/components/schemas/NodeKind"}
        parent: {$ref: "#/components/schemas/Parent"}
        controller: {$ref: "#/components/schemas/Identifier"}
        label: {type: string}
        overrides: {$ref: "#/components/schemas/ValuesByTrait"}
        supplied: {$ref: "#/components/schemas/ValuesByTrait"}
        revision: {$ref: "#/components/schemas/Revision"}
        dryRun: {const: true}
    NodePage:
      type: object
      required: [nodes]
      additionalProperties: false
      properties:
        nodes:
          type: array
          items: {$ref: "#/components/schemas/Node"}
        nextPageToken: {type: string}
    NewValue:
      type: object
      required: [value]
      additionalProperties: false
      properties:
        value: {$ref: "#/components/schemas/Value"}
    NodeValue:
      type: object
      required: [node, trait, value]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        trait: {$ref: "#/components/schemas/Identifier"}
        value: {$ref: "#/components/schemas/Value"}
    Overrides:
      type: object
      required: [node, revision, overrides]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        overrides: {$ref: "#/components/schemas/ValuesByTrait"}
    Supplied:
      type: object
      required: [node, revision, supplied]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        supplied: {$ref: "#/components/schemas/ValuesByTrait"}

    # --- resolution
    NodeState:
      description: |
        `current`; `pending`: an update pass is due (`updates: layout`); `detached`: not connected
        to a scene or to a root environment, so that it shows what it last inherited.
      enum: [current, pending, detached]
    Layer:
      enum: [override, supplied, kept, default]
    Source:
      type: object
      required: [kind]
      additionalProperties: false
      properties:
        kind:
          description: "`kept` is what a detached node last inherited."
          $ref: "#/components/schemas/Layer"
        node:
          description: Where it is set; absent for a default.
          $ref: "#/components/schemas/Identifier"
        deleted:
          description: The node was deleted, but what it set is still shown until the next update.
          const: true
        revision:
          description: The commit that set it.
          $ref: "#/components/schemas/Revision"
    ChainEntry:
      type: object
      required: [layer, status]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        deleted:
          description: As in `source`.
          const: true
        layer: {$ref: "#/components/schemas/Layer"}
        value: {$ref: "#/components/schemas/Value"}
        status:
          description: "`absent` only when asked for."
          enum: [winner, shadowed, absent]
        revision: {$ref: "#/components/schemas/Revision"}
    Chain:
      description: From the node up, nearest first; the default comes last.
      type: array
      items: {$ref: "#/components/schemas/ChainEntry"}
    ExplainedValue:
      type: object
      required: [value, source, chain]
      additionalProperties: false
      properties:
        value: {$ref: "#/components/schemas/Value"}
        source: {$ref: "#/components/schemas/Source"}
        chain: {$ref: "#/components/schemas/Chain"}
    TraitCollection:
      type: object
      required: [node, revision, state, traits]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        state: {$ref: "#/components/schemas/NodeState"}
        traits:
          description: Values by trait key, or with `explain` a value with its source and chain.
          anyOf:
            - type: object
              additionalProperties: {$ref: "#/components/schemas/ExplainedValue"}
            - {$ref: "#/components/schemas/ValuesByTrait"}
    ResolvedTrait:
      type: object
      required: [node, revision, state, trait, value, source]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        state: {$ref: "#/components/schemas/NodeState"}
        trait: {$ref: "#/components/schemas/Identifier"}
        value: {$ref: "#/components/schemas/Value"}
        source: {$ref: "#/components/schemas/Source"}
        chain: {$ref: "#/components/schemas/Chain"}

    # --- commits and transactions
    TraitChange:
      type: object
      required: [trait, previous, current, source]
      additionalProperties: false
      properties:
        trait: {$ref: "#/components/schemas/Identifier"}
        previous: {$ref: "#/components/schemas/Value"}
        current: {$ref: "#/components/schemas/Value"}
        source:
          description: Where the current value comes from.
          $ref: "#/components/schemas/Source"
    Notification:
      type: object
      required: [registration, node, changes]
      additionalProperties: false
      properties:
        registration: {$ref: "#/components/schemas/Identifier"}
        node: {$ref: "#/components/schemas/Identifier"}
        changes:
          description: Empty when only a color or image changed.
          type: array
          items: {$ref: "#/components/schemas/TraitChange"}
        colors:
          type: array
          minItems: 1
          items: {$ref: "#/components/schemas/ColorChange"}
        images:
          type: array
          minItems: 1
          items: {$ref: "#/components/schemas/ImageChange"}
    Changes:
      description: |
        In the order of delivery: an ancestor before its descendants, at equal depth in the order
        in which the registrations were made.
      type: array
      maxItems: 1000
      items: {$ref: "#/components/schemas/Notification"}
    Commit:
      type: object
      required: [session, revision, notified]
      additionalProperties: false
      properties:
        session: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        notified:
          description: How many registrations hear of it.
          type: integer
          minimum: 0
        changes: {$ref: "#/components/schemas/Changes"}
        invalidations:
          description: Tracked scopes that went stale; with the changes, and only when there are some.
          type: array
          minItems: 1
          items: {$ref: "#/components/schemas/Invalidation"}
        truncated:
          description: There were more than 1,000 changes.
          const: true
        unchanged:
          description: The net effect was nothing, so there was no commit.
          const: true
        dryRun: {const: true}
    Transaction:
      type: object
      required: [operations]
      additionalProperties: false
      properties:
        operations:
          type: array
          items: {$ref: "#/components/schemas/Operation"}
        ifRevision:
          description: Commit only if the session is at this revision; else 412.
          $ref: "#/components/schemas/Revision"
    Operation:
      oneOf:
        - {$ref: "#/components/schemas/CreateNode"}
        - {$ref: "#/components/schemas/UpdateNode"}
        - {$ref: "#/components/schemas/DeleteNode"}
        - {$ref: "#/components/schemas/SetValue"}
        - {$ref: "#/components/schemas/RemoveValue"}
        - {$ref: "#/components/schemas/DefineTrait"}
        - {$ref: "#/components/schemas/DeleteTrait"}
        - {$ref: "#/components/schemas/Register"}
        - {$ref: "#/components/schemas/Unregister"}
        - {$ref: "#/components/schemas/UpdateTraits"}
        - {$ref: "#/components/schemas/DeleteImage"}
        - {$ref: "#/components/schemas/DefineImage"}
        - {$ref: "#/components/schemas/DeleteColor"}
        - {$ref: "#/components/schemas/DefineColor"}
        - {$ref: "#/components/schemas/RemoveEnvironment"}
        - {$ref: "#/components/schemas/SetEnvironment"}
        - {$ref: "#/components/schemas/DeleteEnvironmentKey"}
        - {$ref: "#/components/schemas/DefineEnvironmentKey"}
        - {$ref: "#/components/schemas/RemoveScope"}
        - {$ref: "#/components/schemas/SetScope"}
        - {$ref: "#/components/schemas/RunLayout"}
      discriminator:
        propertyName: op
        mapping:
          createNode: "#/components/schemas/CreateNode"
          updateNode: "#/components/schemas/UpdateNode"
          deleteNode: "#/components/schemas/DeleteNode"
          setOverride: "#/components/schemas/SetValue"
          setSupplied: "#/components/schemas/SetValue"
          removeOverride: "#/components/schemas/RemoveValue"
          removeSupplied: "#/components/schemas/RemoveValue"
          defineTrait: "#/components/schemas/DefineTrait"
          deleteTrait: "#/components/schemas/DeleteTrait"
          register: "#/components/schemas/Register"
          unregister: "#/components/schemas/Unregister"
          updateTraitsIfNeeded: "#/components/schemas/UpdateTraits"
          deleteImage: "#/components/schemas/DeleteImage"
          defineImage: "#/components/schemas/DefineImage"
          deleteColor: "#/components/schemas/DeleteColor"
          defineColor: "#/components/schemas/DefineColor"
          removeEnvironment: "#/components/schemas/RemoveEnvironment"
          setEnvironment: "#/components/schemas/SetEnvironment"
          deleteEnvironmentKey: "#/components/schemas/DeleteEnvironmentKey"
          defineEnvironmentKey: "#/components/schemas/DefineEnvironmentKey"
          removeScope: "#/components/schemas/RemoveScope"
          setScope: "#/components/schemas/SetScope"
          layout: "#/components/schemas/RunLayout"
    CreateNode:
      type: object
      required: [op, node, kind]
      additionalProperties: false
      properties:
        kind: {$ref: "#/components/schemas/NodeKind"}
        parent: {$ref: "#/components/schemas/Parent"}
        controller:
          description: Views only; the view controller that owns the view.
          oneOf:
            - {$ref: "#/components/schemas/Identifier"}
            - {type: "null"}
        label:
          description: For people.
          type: [string, "null"]
        overrides: {$ref: "#/components/schemas/ValuesByTrait"}
        supplied: {$ref: "#/components/schemas/ValuesByTrait"}
        op: {const: createNode}
        node: {$ref: "#/components/schemas/Identifier"}
    UpdateNode:
      description: What is absent stays; null clears, and for `parent` detaches.
      type: object
      required: [op, node]
      additionalProperties: false
      properties:
        op: {const: updateNode}
        node: {$ref: "#/components/schemas/Identifier"}
        parent: {$ref: "#/components/schemas/Parent"}
        controller:
          oneOf:
            - {$ref: "#/components/schemas/Identifier"}
            - {type: "null"}
        label: {type: [string, "null"]}
    DeleteNode:
      type: object
      required: [op, node]
      additionalProperties: false
      properties:
        op: {const: deleteNode}
        node: {$ref: "#/components/schemas/Identifier"}
    SetValue:
      type: object
      required: [op, node, trait, value]
      additionalProperties: false
      properties:
        op: {enum: [setOverride, setSupplied]}
        node: {$ref: "#/components/schemas/Identifier"}
        trait: {$ref: "#/components/schemas/Identifier"}
        value: {$ref: "#/components/schemas/Value"}
    RemoveValue:
      type: object
      required: [op, node, trait]
      additionalProperties: false
      properties:
        op: {enum: [removeOverride, removeSupplied]}
        node: {$ref: "#/components/schemas/Identifier"}
        trait: {$ref: "#/components/schemas/Identifier"}
    DefineTrait:
      type: object
      required: [op, trait, definition]
      additionalProperties: false
      properties:
        op: {const: defineTrait}
        trait: {$ref: "#/components/schemas/Identifier"}
        definition: {$ref: "#/components/schemas/NewTraitDefinition"}
    DeleteTrait:
      type: object
      required: [op, trait]
      additionalProperties: false
      properties:
        op: {const: deleteTrait}
        trait: {$ref: "#/components/schemas/Identifier"}
    Register:
      type: object
      required: [op, registration, node]
      additionalProperties: false
      properties:
        op: {const: register}
        registration: {$ref: "#/components/schemas/Identifier"}
        node: {$ref: "#/components/schemas/Identifier"}
        traits: {$ref: "#/components/schemas/TraitList"}
        set: {$ref: "#/components/schemas/Identifier"}
        colors: {$ref: "#/components/schemas/Names"}
        images: {$ref: "#/components/schemas/Names"}
        label: {type: string}
    Unregister:
      type: object
      required: [op, registration]
      additionalProperties: false
      properties:
        op: {const: unregister}
        registration: {$ref: "#/components/schemas/Identifier"}

    RunLayout:
      type: object
      required: [op]
      additionalProperties: false
      properties:
        op: {const: layout}
    UpdateTraits:
      type: object
      required: [op, node]
      additionalProperties: false
      properties:
        op: {const: updateTraitsIfNeeded}
        node: {$ref: "#/components/schemas/Identifier"}
    SetScope:
      type: object
      required: [op, node, scope, reads]
      additionalProperties: false
      properties:
        op: {const: setScope}
        node: {$ref: "#/components/schemas/Identifier"}
        scope: {$ref: "#/components/schemas/Identifier"}
        reads: {type: array, items: {$ref: "#/components/schemas/Identifier"}}
    RemoveScope:
      type: object
      required: [op, node, scope]
      additionalProperties: false
      properties:
        op: {const: removeScope}
        node: {$ref: "#/components/schemas/Identifier"}
        scope: {$ref: "#/components/schemas/Identifier"}
    DefineEnvironmentKey:
      type: object
      required: [op, key, definition]
      additionalProperties: false
      properties:
        op: {const: defineEnvironmentKey}
        key: {$ref: "#/components/schemas/Identifier"}
        definition: {$ref: "#/components/schemas/NewEnvironmentKey"}
    DeleteEnvironmentKey:
      type: object
      required: [op, key]
      additionalProperties: false
      properties:
        op: {const: deleteEnvironmentKey}
        key: {$ref: "#/components/schemas/Identifier"}
    SetEnvironment:
      type: object
      required: [op, node, key, value]
      additionalProperties: false
      properties:
        op: {const: setEnvironment}
        node: {$ref: "#/components/schemas/Identifier"}
        key: {$ref: "#/components/schemas/Identifier"}
        value: {$ref: "#/components/schemas/Value"}
    RemoveEnvironment:
      type: object
      required: [op, node, key]
      additionalProperties: false
      properties:
        op: {const: removeEnvironment}
        node: {$ref: "#/components/schemas/Identifier"}
        key: {$ref: "#/components/schemas/Identifier"}
    DefineColor:
      type: object
      required: [op, color, definition]
      additionalProperties: false
      properties:
        op: {const: defineColor}
        color: {$ref: "#/components/schemas/Identifier"}
        definition: {$ref: "#/components/schemas/NewDynamic"}
    DeleteColor:
      type: object
      required: [op, color]
      additionalProperties: false
      properties:
        op: {const: deleteColor}
        color: {$ref: "#/components/schemas/Identifier"}
    DefineImage:
      type: object
      required: [op, image, definition]
      additionalProperties: false
      properties:
        op: {const: defineImage}
        image: {$ref: "#/components/schemas/Identifier"}
        definition: {$ref: "#/components/schemas/NewDynamic"}
    DeleteImage:
      type: object
      required: [op, image]
      additionalProperties: false
      properties:
        op: {const: deleteImage}
        image: {$ref: "#/components/schemas/Identifier"}
    Nothing:
      type: object
      additionalProperties: false

    # --- registrations
    TraitList:
      description: Keys, identifiers or named sets.
      type: array
      minItems: 1
      items: {$ref: "#/components/schemas/Identifier"}
    Names:
      description: Names of dynamic colours or images.
      type: array
      items: {$ref: "#/components/schemas/Identifier"}
    RegistrationContent:
      description: With `traits` or `set`, `colors`, `images`; one of them at least.
      type: object
      required: [node]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        traits: {$ref: "#/components/schemas/TraitList"}
        set:
          description: The name of one set.
          $ref: "#/components/schemas/Identifier"
        colors: {$ref: "#/components/schemas/Names"}
        images: {$ref: "#/components/schemas/Names"}
        label: {type: string}
    NewRegistration:
      description: |
        With `traits` or `set`, `colors`, `images`; one of them at least. The id is server-made unless
        given.
      type: object
      required: [node]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        traits: {$ref: "#/components/schemas/TraitList"}
        set:
          description: The name of one set.
          $ref: "#/components/schemas/Identifier"
        colors: {$ref: "#/components/schemas/Names"}
        images: {$ref: "#/components/schemas/Names"}
        label: {type: string}
        id: {$ref: "#/components/schemas/Identifier"}
    Registration:
      type: object
      required: [id, node, traits, createdAt]
      additionalProperties: false
      properties:
        id: {$ref: "#/components/schemas/Identifier"}
        node: {$ref: "#/components/schemas/Identifier"}
        traits:
          description: The keys of the registered traits.
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
        colors: {$ref: "#/components/schemas/Names"}
        images: {$ref: "#/components/schemas/Names"}
        label: {type: string}
        createdAt: {$ref: "#/components/schemas/Time"}
    CreatedRegistration:
      type: object
      required: [id, node, traits, createdAt, revision]
      additionalProperties: false
      properties:
        id: {$ref: "#/components/schemas/Identifier"}
        node: {$ref: "#/components/schemas/Identifier"}
        traits:
          description: The keys of the registered traits.
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
        colors: {$ref: "#/components/schemas/Names"}
        images: {$ref: "#/components/schemas/Names"}
        label: {type: string}
        createdAt: {$ref: "#/components/schemas/Time"}
        revision: {$ref: "#/components/schemas/Revision"}
        dryRun: {const: true}
    RegistrationPage:
      type: object
      required: [registrations]
      additionalProperties: false
      properties:
        registrations:
          type: array
          items: {$ref: "#/components/schemas/Registration"}
        nextPageToken: {type: string}

    # --- streams
    StreamRecord:
      description: |
        One record of a stream. Revisions never go back; all records of one revision are
        contiguous, `part` counts them from 0 and `last` marks the last.
      oneOf:
        - {$ref: "#/components/schemas/BeginRecord"}
        - {$ref: "#/components/schemas/StateRecord"}
        - {$ref: "#/components/schemas/SyncRecord"}
        - {$ref: "#/components/schemas/ChangeRecord"}
        - {$ref: "#/components/schemas/CommitRecord"}
        - {$ref: "#/components/schemas/InvalidateRecord"}
        - {$ref: "#/components/schemas/BookmarkRecord"}
        - {$ref: "#/components/schemas/EndRecord"}
      discriminator:
        propertyName: type
        mapping:
          begin: "#/components/schemas/BeginRecord"
          state: "#/components/schemas/StateRecord"
          sync: "#/components/schemas/SyncRecord"
          change: "#/components/schemas/ChangeRecord"
          commit: "#/components/schemas/CommitRecord"
          invalidate: "#/components/schemas/InvalidateRecord"
          bookmark: "#/components/schemas/BookmarkRecord"
          end: "#/components/schemas/EndRecord"
    BeginRecord:
      description: The first record; to resume from its token loses nothing.
      type: object
      required: [type, revision, token, session, uid, oldestRevision, headRevision, heartbeatMs]
      additionalProperties: false
      properties:
        type: {const: begin}
        revision: {type: integer, minimum: 0}
        token: {$ref: "#/components/schemas/Token"}
        session: {$ref: "#/components/schemas/Identifier"}
        uid: {type: string}
        oldestRevision:
          description: The oldest revision whose records are retained.
          type: integer
          minimum: 0
        headRevision: {$ref: "#/components/schemas/Revision"}
        heartbeatMs: {type: integer}
        maxLifetimeMs: {type: integer}
        registrations:
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
        watches:
          type: array
          items:
            type: object
            required: [node, traits]
            additionalProperties: false
            properties:
              node: {$ref: "#/components/schemas/Identifier"}
              traits:
                type: array
                items: {$ref: "#/components/schemas/Identifier"}
    StateRecord:
      description: With `initial`, the current values of one registration or watch.
      type: object
      required: [type, revision, token, node, traits]
      additionalProperties: false
      properties:
        type: {const: state}
        revision: {$ref: "#/components/schemas/Revision"}
        token: {$ref: "#/components/schemas/Token"}
        registration: {$ref: "#/components/schemas/Identifier"}
        node: {$ref: "#/components/schemas/Identifier"}
        traits: {$ref: "#/components/schemas/ValuesByTrait"}
        colors:
          description: The colours that the registration names, by name.
          type: object
        images:
          description: The images that the registration names, by name.
          type: object
    SyncRecord:
      description: Ends the initial state.
      type: object
      required: [type, revision, token, count]
      additionalProperties: false
      properties:
        type: {const: sync}
        revision: {$ref: "#/components/schemas/Revision"}
        token: {$ref: "#/components/schemas/Token"}
        count:
          description: How many `state` records there were.
          type: integer
          minimum: 0
    ChangeRecord:
      description: A commit changed a registered or watched trait at its node.
      type: object
      required: [type, revision, token, node, changes, part, last, time]
      additionalProperties: false
      properties:
        type: {const: change}
        revision: {$ref: "#/components/schemas/Revision"}
        token: {$ref: "#/components/schemas/Token"}
        registration:
          description: Absent for a watch.
          $ref: "#/components/schemas/Identifier"
        node: {$ref: "#/components/schemas/Identifier"}
        changes:
          description: Empty when only a color or image changed.
          type: array
          items: {$ref: "#/components/schemas/TraitChange"}
        colors:
          type: array
          minItems: 1
          items: {$ref: "#/components/schemas/ColorChange"}
        images:
          type: array
          minItems: 1
          items: {$ref: "#/components/schemas/ImageChange"}
        part: {type: integer, minimum: 0}
        last: {type: boolean}
        cause: {$ref: "#/components/schemas/Cause"}
        time: {$ref: "#/components/schemas/Time"}
    CommitRecord:
      description: Session streams only; before the changes of the commit.
      type: object
      required: [type, revision, token, operations, notified, part, last, time]
      additionalProperties: false
      properties:
        type: {const: commit}
        revision: {$ref: "#/components/schemas/Revision"}
        token: {$ref: "#/components/schemas/Token"}
        operations: {$ref: "#/components/schemas/CommittedOperations"}
        notified: {type: integer, minimum: 0}
        part: {type: integer, minimum: 0}
        last: {type: boolean}
        cause: {$ref: "#/components/schemas/Cause"}
        time: {$ref: "#/components/schemas/Time"}
    InvalidateRecord:
      description: |
        A tracked scope went stale. Streams that watch its node or have a registration on it get it,
        and those of a whole session.
      type: object
      required: [type, revision, token, node, scope, invalidation, changed, part, last, time]
      additionalProperties: false
      properties:
        type: {const: invalidate}
        revision: {$ref: "#/components/schemas/Revision"}
        token: {$ref: "#/components/schemas/Token"}
        node: {$ref: "#/components/schemas/Identifier"}
        scope: {$ref: "#/components/schemas/Identifier"}
        invalidation:
          description: What UIKit would call.
          type: string
        changed:
          description: Which of the traits that it read changed.
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
        part: {type: integer, minimum: 0}
        last: {type: boolean}
        cause: {$ref: "#/components/schemas/Cause"}
        time: {$ref: "#/components/schemas/Time"}
    CommittedOperations:
      description: Their count and kinds, or with `operations=true` the operations.
      oneOf:
        - type: object
          required: [count, kinds]
          additionalProperties: false
          properties:
            count: {type: integer, minimum: 0}
            kinds:
              type: object
              additionalProperties: {type: integer, minimum: 1}
        - type: array
          items: {type: object, required: [op]}
    BookmarkRecord:
      description: Nothing else happened for a while; a position to resume from.
      type: object
      required: [type, revision, token]
      additionalProperties: false
      properties:
        type: {const: bookmark}
        revision: {type: integer, minimum: 0}
        token: {$ref: "#/components/schemas/Token"}
        lagMs:
          description: How far the stream is behind.
          type: integer
          minimum: 0
    EndRecord:
      description: The last record of every deliberate close.
      type: object
      required: [type, revision, token, reason]
      additionalProperties: false
      properties:
        type: {const: end}
        revision: {type: integer, minimum: 0}
        token: {$ref: "#/components/schemas/Token"}
        reason:
          enum:
            - sessionDeleted
            - registrationRemoved
            - nodeDeleted
            - drain
            - slowConsumer
            - timeout
            - limit
            - error
        resume:
          description: Whether the token may be used to go on.
          type: boolean
        retryAfterMs: {type: integer, minimum: 0}
        problem: {$ref: "#/components/schemas/Problem"}
    Cause:
      description: What made the commit.
      type: object
      properties:
        requestId: {type: string}
        traceparent:
          description: The trace that the request belonged to (W3C trace context).
          type: string
    EventPage:
      type: object
      required: [revision, records, next]
      additionalProperties: false
      properties:
        revision:
          description: The last revision that the page holds wholly.
          type: integer
          minimum: 0
        records:
          type: array
          items:
            oneOf:
              - {$ref: "#/components/schemas/ChangeRecord"}
              - {$ref: "#/components/schemas/CommitRecord"}
              - {$ref: "#/components/schemas/InvalidateRecord"}
        next:
          description: The token for the next page's `from`; always there.
          $ref: "#/components/schemas/Token"

    # --- tracked scopes
    NewScope:
      type: object
      required: [reads]
      additionalProperties: false
      properties:
        reads:
          description: Keys, identifiers or named sets; a run may have read nothing.
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
    ScopeSet:
      type: object
      required: [revision, traits]
      additionalProperties: false
      properties:
        revision: {$ref: "#/components/schemas/Revision"}
        unchanged: {const: true}
        dryRun: {const: true}
        traits: {$ref: "#/components/schemas/ValuesByTrait"}
    Scope:
      type: object
      required: [node, scope, invalidation, reads, stale, revision]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        scope: {$ref: "#/components/schemas/Identifier"}
        invalidation:
          description: What UIKit would call.
          type: string
        reads:
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
        stale:
          description: Whether one of them changed since; nothing more is told then.
          type: boolean
        revision:
          description: The commit that set it last.
          $ref: "#/components/schemas/Revision"
    Scopes:
      type: object
      required: [node, revision, scopes]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        scopes:
          type: array
          items: {$ref: "#/components/schemas/Scope"}
    Invalidation:
      type: object
      required: [node, scope, invalidation, changed]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        scope: {$ref: "#/components/schemas/Identifier"}
        invalidation: {type: string}
        changed:
          type: array
          items: {$ref: "#/components/schemas/Identifier"}

    # --- environment keys
    EnvironmentMap:
      description: |
        Which of the trait's values each of the key's values stands for, one to one: an object by
        the key's values, or an array of pairs.
      oneOf:
        - type: object
          additionalProperties: {$ref: "#/components/schemas/Value"}
        - type: array
          items:
            type: object
            required: [environment, trait]
            additionalProperties: false
            properties:
              environment: {$ref: "#/components/schemas/Value"}
              trait: {$ref: "#/components/schemas/Value"}
    NewEnvironmentKey:
      type: object
      required: [type, default]
      additionalProperties: false
      properties:
        key:
          description: Must be the one in the path, if given.
          $ref: "#/components/schemas/Identifier"
        type: {enum: [bool, int, double, string, enum, struct]}
        default: {$ref: "#/components/schemas/Value"}
        cases:
          type: object
          minProperties: 1
          additionalProperties: {type: integer}
        fields:
          type: object
          minProperties: 1
          additionalProperties: {$ref: "#/components/schemas/ScalarType"}
        nullable: {type: boolean, default: false}
        bridgedTrait:
          description: The trait, by key or identifier, that holds the values.
          $ref: "#/components/schemas/Identifier"
        map: {$ref: "#/components/schemas/EnvironmentMap"}
    EnvironmentKey:
      type: object
      required: [key, type, default]
      additionalProperties: false
      properties:
        key: {$ref: "#/components/schemas/Identifier"}
        type: {enum: [bool, int, double, string, enum, struct]}
        default: {$ref: "#/components/schemas/Value"}
        cases:
          type: object
          additionalProperties: {type: integer}
        fields:
          type: object
          additionalProperties: {$ref: "#/components/schemas/ScalarType"}
        nullable: {type: boolean}
        bridgedTrait: {$ref: "#/components/schemas/Identifier"}
        map: {$ref: "#/components/schemas/EnvironmentMap"}
    EnvironmentKeys:
      type: object
      required: [environmentKeys]
      additionalProperties: false
      properties:
        environmentKeys:
          type: array
          items: {$ref: "#/components/schemas/EnvironmentKey"}
        nextPageToken: {type: string}
    Environment:
      type: object
      required: [node, revision, state, environment]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        state: {$ref: "#/components/schemas/NodeState"}
        environment:
          description: Values by key.
          type: object
          additionalProperties: {$ref: "#/components/schemas/Value"}
    EnvironmentValue:
      type: object
      required: [node, revision, state, key, value, source]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        state: {$ref: "#/components/schemas/NodeState"}
        key: {$ref: "#/components/schemas/Identifier"}
        value: {$ref: "#/components/schemas/Value"}
        source: {$ref: "#/components/schemas/Source"}

    # --- dynamic colours and images
    Variants:
      type: array
      minItems: 1
      items:
        type: object
        required: [value]
        additionalProperties: false
        properties:
          when: {$ref: "#/components/schemas/Collection"}
          value: {description: Any JSON; two values are the same when they are written alike.}
    NewDynamic:
      type: object
      required: [variants]
      additionalProperties: false
      properties:
        variants: {$ref: "#/components/schemas/Variants"}
    Colors:
      type: object
      required: [colors]
      additionalProperties: false
      properties:
        colors:
          type: array
          items: {$ref: "#/components/schemas/Color"}
        nextPageToken: {type: string}
    Color:
      type: object
      required: [color, variants]
      additionalProperties: false
      properties:
        color: {$ref: "#/components/schemas/Identifier"}
        variants: {$ref: "#/components/schemas/Variants"}
    ResolvedColor:
      type: object
      required: [node, revision, state, color, value, variant, dependsOn]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        state: {$ref: "#/components/schemas/NodeState"}
        color: {$ref: "#/components/schemas/Identifier"}
        value: {description: As it was defined.}
        variant:
          type: object
          required: [index, when]
          additionalProperties: false
          properties:
            index: {type: integer, minimum: 0}
            when: {$ref: "#/components/schemas/Collection"}
        dependsOn:
          description: The traits that can make a difference, sorted.
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
    ColorChange:
      type: object
      required: [color, previous, current]
      additionalProperties: false
      properties:
        color: {$ref: "#/components/schemas/Identifier"}
        previous: {description: As it was defined.}
        current: {description: As it was defined.}
    Images:
      type: object
      required: [images]
      additionalProperties: false
      properties:
        images:
          type: array
          items: {$ref: "#/components/schemas/Image"}
        nextPageToken: {type: string}
    Image:
      type: object
      required: [image, variants]
      additionalProperties: false
      properties:
        image: {$ref: "#/components/schemas/Identifier"}
        variants: {$ref: "#/components/schemas/Variants"}
    ResolvedImage:
      type: object
      required: [node, revision, state, image, value, variant, dependsOn]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        state: {$ref: "#/components/schemas/NodeState"}
        image: {$ref: "#/components/schemas/Identifier"}
        value: {description: As it was defined.}
        variant:
          type: object
          required: [index, when]
          additionalProperties: false
          properties:
            index: {type: integer, minimum: 0}
            when: {$ref: "#/components/schemas/Collection"}
        dependsOn:
          description: The traits that can make a difference, sorted.
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
    ImageChange:
      type: object
      required: [image, previous, current]
      additionalProperties: false
      properties:
        image: {$ref: "#/components/schemas/Identifier"}
        previous: {description: As it was defined.}
        current: {description: As it was defined.}

    # --- what is asked of many nodes, or of the session itself
    ResolveRequest:
      type: object
      additionalProperties: false
      properties:
        nodes:
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
        under:
          description: Instead of `nodes`, this node and all below it.
          $ref: "#/components/schemas/Identifier"
        traits:
          description: Keys, identifiers and names of sets; all traits when absent.
          type: array
          items: {$ref: "#/components/schemas/Identifier"}
    ResolvedNodes:
      type: object
      required: [revision, nodes]
      additionalProperties: false
      properties:
        revision: {$ref: "#/components/schemas/Revision"}
        nodes:
          type: array
          items:
            type: object
            required: [node, state, traits]
            additionalProperties: false
            properties:
              node: {$ref: "#/components/schemas/Identifier"}
              state: {$ref: "#/components/schemas/NodeState"}
              traits: {$ref: "#/components/schemas/ValuesByTrait"}
    ResolvedNodeLine:
      description: A line of NDJSON.
      type: object
      required: [node, revision, state, traits]
      additionalProperties: false
      properties:
        node: {$ref: "#/components/schemas/Identifier"}
        revision: {$ref: "#/components/schemas/Revision"}
        state: {$ref: "#/components/schemas/NodeState"}
        traits: {$ref: "#/components/schemas/ValuesByTrait"}
    History:
      type: object
      required: [commits]
      additionalProperties: false
      properties:
        commits:
          type: array
          items:
            type: object
            required: [revision, time, operations, notified]
            additionalProperties: false
            properties:
              revision: {$ref: "#/components/schemas/Revision"}
              time: {$ref: "#/components/schemas/Time"}
              operations: {$ref: "#/components/schemas/CommittedOperations"}
              cause: {$ref: "#/components/schemas/Cause"}
              notified:
                description: How many registrations heard of it.
                type: integer
                minimum: 0
        nextPageToken: {type: string}
    SessionStatistics:
      type: object
      required: [session, uid, revision, nodes, registrations]
      additionalProperties: false
      properties:
        session: {$ref: "#/components/schemas/Identifier"}
        uid: {type: string}
        revision: {$ref: "#/components/schemas/Revision"}
        acknowledgedRevision:
          description: The newest revision that the log has acknowledged.
          type: integer
          minimum: 0
        oldestRevision:
          description: The oldest revision that is retained, or the next one when none is.
          $ref: "#/components/schemas/Revision"
        retainedCommits: {type: integer, minimum: 0}
        retainedBytes:
          description: About what the retained commits cost.
          type: integer
          minimum: 0
        nodes: {type: integer, minimum: 0}
        registrations: {type: integer, minimum: 0}
        scopes: {type: integer, minimum: 0}
        customTraits: {type: integer, minimum: 0}
        environmentKeys: {type: integer, minimum: 0}
        colors: {type: integer, minimum: 0}
        images: {type: integer, minimum: 0}
        streams:
          description: Open streams and waiting long polls.
          type: integer
          minimum: 0
        watches:
          description: Watches, those included that outlive their last stream.
          type: integer
          minimum: 0
        waitingAnswers:
          description: Answers that wait for the log.
          type: integer
          minimum: 0

    # --- operation
    Health:
      type: object
      required: [status]
      additionalProperties: false
      properties:
        status: {enum: [ok, ready]}
    Version:
      type: object
      required: [name, version, api]
      additionalProperties: false
      properties:
        name: {const: traitd}
        version: {type: string}
        api: {const: v1}
    ProblemCode:
      description: |
        The closed list of codes. `x-problems` says what each means and with which status it is
        answered; a trait is 404 when the path names it and 422 inside a body or a query.
      enum:
        - malformed-json
        - malformed-body
        - unknown-member
        - missing-member
        - unknown-parameter
        - repeated-parameter
        - malformed-parameter
        - malformed-identifier
        - malformed-token
        - token-mismatch
        - malformed-request
        - unknown-route
        - unknown-session
        - unknown-node
        - unknown-trait
        - unknown-registration
        - unknown-scope
        - unknown-environment-key
        - unknown-color
        - unknown-image
        - unknown-problem
        - no-override
        - method-not-allowed
        - not-acceptable
        - request-timeout
        - unsupported-media-type
        - expectation-failed
        - exists
        - kind-immutable
        - cycle
        - second-root-view
        - in-use
        - trait-immutable
        - environment-key-immutable
        - system-trait
        - duplicate-identifier
        - session-differs
        - revision-ahead
        - history-gone
        - session-replaced
        - revision-mismatch
        - body-too-large
        - target-too-long
        - too-many-streams
        - too-many-connections
        - too-many-connections-from-address
        - too-much-input
        - out-of-memory
        - headers-too-large
        - quota
        - storage-full
        - type-mismatch
        - unknown-parent
        - unknown-controller
        - kind-mismatch
        - empty-trait-list
        - private-trait
        - invalid-definition
        - unsupported-mode
        - internal-error
        - not-implemented
        - log-unavailable
        - draining
        - http-version-not-supported
      x-problems:
        malformed-json: {status: [400], title: "The body is not JSON"}
        malformed-body: {status: [400], title: "The body has the wrong shape"}
        unknown-member: {status: [400], title: "The body has an unknown member"}
        missing-member: {status: [400], title: "A required member is missing"}
        unknown-parameter: {status: [400], title: "The query has an unknown parameter"}
        repeated-parameter: {status: [400], title: "A query parameter is repeated"}
        malformed-parameter: {status: [400], title: "A query parameter has a malformed value"}
        malformed-identifier: {status: [400], title: "An identifier is malformed"}
        malformed-token: {status: [400], title: "A token is malformed"}
        token-mismatch: {status: [400], title: "The token belongs to another filter"}
        malformed-request: {status: [400], title: "The request is not valid HTTP/1.1"}
        unknown-route: {status: [404], title: "There is nothing at this path"}
        unknown-session: {status: [404], title: "The session does not exist"}
        unknown-node: {status: [404], title: "The node does not exist"}
        unknown-trait: {status: [404, 422], title: "The trait is not defined"}
        unknown-registration: {status: [404], title: "The registration does not exist"}
        unknown-scope: {status: [404], title: "Nothing is tracked under this name"}
        unknown-environment-key:
          {status: [404, 422], title: "The environment key does not exist"}
        unknown-color: {status: [404, 422], title: "The color does not exist"}
        unknown-image: {status: [404, 422], title: "The image does not exist"}
        unknown-problem: {status: [404], title: "There is no such problem code"}
        no-override: {status: [404], title: "The node has no such value of its own"}
        method-not-allowed: {status: [405], title: "The method is not allowed here"}
        not-acceptable: {status: [406], title: "No representation is acceptable"}
        request-timeout: {status: [408], title: "The request took too long to arrive"}
        unsupported-media-type: {status: [415], title: "The body's media type is not supported"}
        expectation-failed: {status: [417], title: "The expectation cannot be met"}
        exists: {status: [409], title: "It exists already"}
        kind-immutable: {status: [409], title: "A node's kind cannot change"}
        cycle: {status: [409], title: "The node would become its own ancestor"}
        second-root-view: {status: [409], title: "The controller has a view already"}
        in-use: {status: [409], title: "Something still uses it"}
        trait-immutable: {status: [409], title: "A definition cannot change"}
        environment-key-immutable: {status: [409], title: "An environment key cannot change"}
        system-trait: {status: [409], title: "System traits are fixed"}
        duplicate-identifier: {status: [409], title: "The identifier is taken"}
        session-differs: {status: [409], title: "The session exists with other settings"}
        revision-ahead: {status: [409], title: "The revision has not happened yet"}
        history-gone: {status: [410], title: "The history is no longer retained"}
        session-replaced: {status: [410], title: "The session was replaced"}
        revision-mismatch: {status: [412], title: "The session has moved on"}
        body-too-large: {status: [413], title: "The body is too large"}
        target-too-long: {status: [414], title: "The request target is too long"}
        too-many-streams: {status: [429], title: "Too many streams are open"}
        too-many-connections: {status: [503], title: "Too many connections are open"}
        too-many-connections-from-address:
          {status: [429], title: "Your address has too many connections"}
        too-much-input: {status: [503], title: "Too much is being received"}
        out-of-memory: {status: [503], title: "The request needs more memory than there is"}
        headers-too-large: {status: [431], title: "The header section is too large"}
        quota: {status: [429], title: "A limit of the session or server is reached"}
        storage-full: {status: [507], title: "The log is full"}
        type-mismatch: {status: [422], title: "The value has the wrong type"}
        unknown-parent: {status: [422], title: "The parent does not exist"}
        unknown-controller: {status: [422], title: "The controller does not exist"}
        kind-mismatch: {status: [422], title: "The kinds do not fit"}
        empty-trait-list: {status: [422], title: "The list of traits is empty"}
        private-trait: {status: [422], title: "The trait is private"}
        invalid-definition: {status: [422], title: "The definition is not valid"}
        unsupported-mode: {status: [422], title: "The mode is not supported"}
        internal-error: {status: [500], title: "The server failed"}
        not-implemented: {status: [501], title: "The server does not implement this"}
        log-unavailable: {status: [503], title: "The commit could not be kept"}
        draining: {status: [503], title: "The server is shutting down"}
        http-version-not-supported: {status: [505], title: "The HTTP version is not supported"}
    ProblemText:
      type: object
      required: [code, status, title, explanation]
      additionalProperties: false
      properties:
        code: {$ref: "#/components/schemas/ProblemCode"}
        status: {type: integer, minimum: 400, maximum: 599}
        title: {type: string}
        explanation: {type: string}
    Problem:
      description: A problem detail (RFC 9457). `detail` says what to do.
      type: object
      required: [type, title, status, detail, instance, code]
      additionalProperties: false
      properties:
        type: {type: string, format: uri-reference}
        title: {type: string}
        status: {type: integer, minimum: 400, maximum: 599}
        detail: {type: string}
        instance:
          description: The request's id.
          type: string
        code: {$ref: "#/components/schemas/ProblemCode"}
        pointer:
          description: A JSON pointer (RFC 6901) into the body.
          type: string
        parameter:
          description: The query parameter or header at fault.
          type: string
        didYouMean: {type: string}
        errors:
          description: When there are several.
          type: array
          items: {type: object}
        limit:
          description: The limit that was reached, as `name=value`.
          type: string
          pattern: "^[A-Za-z]+=[0-9]+$"
        retryAfter:
          description: Seconds until it makes sense to try again.
          type: integer
        offset:
          description: The byte of the request or its body where it went wrong.
          type: integer
        line: {type: integer}
        column: {type: integer}
        currentRevision: {$ref: "#/components/schemas/Revision"}
        oldestRevision: {type: integer, minimum: 0}
        restart:
          description: The query to start afresh with.
          type: string

"""#
}
