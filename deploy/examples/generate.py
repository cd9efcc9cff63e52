#!/usr/bin/env python3
"""Writes the two example hierarchies that `traitd --load` takes.

They are generated because thousands of nodes are easier to review as rules than as lines, and
committed because a reader should be able to load them without running anything. Nothing here is
random: the same script always writes the same bytes, and `--check` fails when it would not.

usage: generate.py [--check]
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Hierarchy:
    """A load file in the making: the body of `PUT /v1/sessions/{s}` with the session's name."""

    def __init__(self, name, traits):
        self.name = name
        self.traits = traits
        self.nodes = []
        self.identifiers = set()

    def node(self, identifier, kind, parent, **members):
        """Adds a node below one that is there already, and gives back its identifier."""
        assert identifier not in self.identifiers, identifier
        assert parent is None or parent in self.identifiers, (identifier, parent)
        controller = members.get("controller")
        assert controller is None or controller in self.identifiers, (identifier, controller)
        self.identifiers.add(identifier)
        self.nodes.append(
            {"id": identifier, "kind": kind, "parent": parent}
            | {name: value for name, value in members.items() if value}
        )
        return identifier

    def text(self):
        """One line for each trait and each node, so that a change shows as a small diff."""

        def line(value):
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

        traits = ",\n".join(f"    {line(key)}: {line(d)}" for key, d in self.traits.items())
        nodes = ",\n".join(f"    {line(node)}" for node in self.nodes)
        return (
            f'{{\n  "name": {line(self.name)},\n  "propagation": "unified",\n'
            f'  "traits": {{\n{traits}\n  }},\n  "nodes": [\n{nodes}\n  ]\n}}\n'
        )


# --- an iPad mail app -------------------------------------------------------------------------

MAIL_TRAITS = {
    "theme": {
        "type": "enum",
        "cases": {"standard": 0, "pastel": 1, "bold": 2, "monochrome": 3},
        "default": "standard",
        "identifier": "com.myapp.theme",
        "name": "Theme",
        "affectsColorAppearance": True,
    },
    "isContainedInSettings": {"type": "bool", "default": False},
}

# What the system gives a window scene on an iPad held upright, and everything in it inherits.
IPAD = {
    "userInterfaceIdiom": "pad",
    "userInterfaceStyle": "light",
    "layoutDirection": "leftToRight",
    "displayScale": 2,
    "displayGamut": "P3",
    "horizontalSizeClass": "regular",
    "verticalSizeClass": "regular",
    "preferredContentSizeCategory": "large",
    "accessibilityContrast": "normal",
    "legibilityWeight": "regular",
    "userInterfaceLevel": "base",
    "activeAppearance": "active",
    "forceTouchCapability": "unavailable",
    "imageDynamicRange": "constrainedHigh",
    "sceneCaptureState": "inactive",
}

# What a split view controller gives its narrow columns while both stand side by side.
COMPACT_COLUMN = {
    "horizontalSizeClass": "compact",
    "splitViewControllerLayoutEnvironment": "expanded",
}

MAILBOXES = ["inbox", "drafts", "sent", "archive", "junk", "trash", "travel", "receipts"]
MESSAGE_COUNT = 100


def controller(mail, identifier, label, parent, view_parent, **members):
    """A view controller and the view it owns, which stands in `view_parent`."""
    mail.node(identifier, "viewController", parent, label=label, **members)
    return mail.node(f"{identifier}.view", "view", view_parent, controller=identifier)


def navigation(mail, identifier, parent, view_parent, **members):
    """A navigation controller with its bar; gives back the view that holds the content."""
    view = controller(
        mail, identifier, "UINavigationController", parent, view_parent, **members
    )
    bar = mail.node(f"{identifier}.bar", "view", view, label="UINavigationBar")
    mail.node(f"{identifier}.bar.title", "view", bar, label="UILabel")
    return mail.node(f"{identifier}.content", "view", view, label="content container")


def add_mailboxes(mail, split, split_view):
    """The sidebar: a compact column, whose list gives its cells the sidebar's list environment."""
    content = navigation(
        mail,
        "sidebar",
        split,
        split_view,
        supplied=COMPACT_COLUMN,
    )
    view = controller(mail, "mailboxes", "MailboxesViewController", "sidebar", content)
    mailboxes = mail.node("mailboxes.list", "view", view, label="UICollectionView")
    for mailbox in MAILBOXES:
        cell = mail.node(
            f"mailbox-{mailbox}", "view", mailboxes, supplied={"listEnvironment": "sidebar"}
        )
        for part in ("icon", "title", "count"):
            mail.node(f"{cell}.{part}", "view", cell)


def add_messages(mail, split, split_view):
    """The message list: a hundred cells with their subviews; some flagged, some inviting."""
    content = navigation(
        mail,
        "list",
        split,
        split_view,
        supplied=COMPACT_COLUMN,
    )
    view = controller(mail, "messages", "MessagesViewController", "list", content)
    mail.node("messages.search", "view", view, label="UISearchBar")
    messages = mail.node("messages.list", "view", view, label="UICollectionView")
    for number in range(1, MESSAGE_COUNT + 1):
        flagged = {"theme": "bold"} if number % 17 == 4 else None
        cell = mail.node(
            f"message-{number:03}",
            "view",
            messages,
            overrides=flagged,
            supplied={"listEnvironment": "plain"},
        )
        content = mail.node(f"{cell}.content", "view", cell)
        for part in ("unread", "sender", "date", "subject", "preview"):
            mail.node(f"{cell}.{part}", "view", content)
        if number % 10 == 7:
            # An invitation is set in the language it was written in.
            mail.node(
                f"{cell}.invitation", "view", content, overrides={"typesettingLanguage": "fr"}
            )


def add_reader(mail, split, split_view):
    """The open message: the regular-width column, with an attachment shown on black."""
    content = navigation(
        mail,
        "reader",
        split,
        split_view,
        supplied={"splitViewControllerLayoutEnvironment": "expanded"},
    )
    view = controller(mail, "message", "MessageViewController", "reader", content)
    header = mail.node("message.header", "view", view)
    for part in ("avatar", "sender", "recipients", "date", "subject"):
        mail.node(f"message.{part}", "view", header)
    body = mail.node("message.body", "view", view, label="UIScrollView")
    for number in range(1, 7):
        mail.node(f"message.paragraph-{number}", "view", body)
    mail.node(
        "message.quote", "view", body, overrides={"preferredContentSizeCategory": "medium"}
    )
    attachment = controller(
        mail,
        "attachment",
        "AttachmentViewController",
        "message",
        body,
        overrides={"userInterfaceStyle": "dark", "imageDynamicRange": "high"},
    )
    for part in ("photo", "caption", "share"):
        mail.node(f"attachment.{part}", "view", attachment)
    toolbar = mail.node("message.toolbar", "view", view, label="UIToolbar")
    for part in ("reply", "forward", "flag", "move", "delete"):
        mail.node(f"message.toolbar.{part}", "view", toolbar)


def add_settings(mail, window):
    """A presented sheet: it inherits from the window's side, not from the split view below it."""
    sheet = mail.node(
        "settings-sheet",
        "presentationController",
        window,
        label="UISheetPresentationController",
        supplied={"userInterfaceLevel": "elevated", "horizontalSizeClass": "compact"},
    )
    content = navigation(
        mail, "settings", sheet, sheet, overrides={"isContainedInSettings": True}
    )
    view = controller(mail, "appearance", "AppearanceViewController", "settings", content)
    rows = mail.node("appearance.list", "view", view, label="UICollectionView")
    for row in ("theme", "style", "text-size", "density", "sounds", "signature"):
        cell = mail.node(
            f"setting-{row}", "view", rows, supplied={"listEnvironment": "insetGrouped"}
        )
        mail.node(f"setting-{row}.title", "view", cell)
        mail.node(f"setting-{row}.value", "view", cell)
    # Each swatch shows its theme whatever the app's own theme is: an override for one view.
    for theme in MAIL_TRAITS["theme"]["cases"]:
        swatch = mail.node(
            f"swatch-{theme}", "view", "setting-theme", overrides={"theme": theme}
        )
        mail.node(f"swatch-{theme}.name", "view", swatch)


def ipad_mail():
    mail = Hierarchy("ipad-mail", MAIL_TRAITS)
    scene = mail.node(
        "scene", "windowScene", None, label="UIWindowScene",
        overrides={"theme": "pastel"}, supplied=IPAD,
    )
    window = mail.node("window", "window", scene, label="main window")
    split_view = controller(mail, "split", "UISplitViewController", window, window)
    add_mailboxes(mail, "split", split_view)
    add_messages(mail, "split", split_view)
    add_reader(mail, "split", split_view)
    add_settings(mail, window)

    # A second window above the first: it hears of the scene's theme, never of the split view's.
    toasts = mail.node("toast-window", "window", scene, label="window for banners")
    banner = controller(mail, "toasts", "BannerViewController", toasts, toasts)
    for part in ("icon", "text", "undo"):
        mail.node(f"toast.{part}", "view", banner)
    return mail


# --- configuration of a company ---------------------------------------------------------------

ACME_TRAITS = {
    "logLevel": {
        "type": "enum",
        "cases": {"debug": 10, "info": 20, "notice": 30, "warning": 40, "error": 50},
        "default": "notice",
        "identifier": "com.acme.logLevel",
    },
    "dataResidency": {
        "type": "enum",
        "cases": {"unitedStates": 1, "europe": 2, "asiaPacific": 3},
        "default": "unitedStates",
        "identifier": "com.acme.dataResidency",
        "name": "Data residency",
    },
    "brand": {
        "type": "enum",
        "cases": {"classic": 0, "night": 1, "highContrast": 2, "festival": 3},
        "default": "classic",
        "identifier": "com.acme.brand",
        "name": "Brand",
        "affectsColorAppearance": True,
    },
    "apiEndpoint": {
        "type": "string",
        "default": "https://api.acme.example",
        "identifier": "com.acme.apiEndpoint",
    },
    "supportContact": {"type": "string", "nullable": True, "default": None},
    "betaFeatures": {"type": "bool", "default": False},
    "singleSignOnRequired": {"type": "bool", "default": False},
    "uploadMegabytesMax": {"type": "int", "default": 100},
    "sessionMinutesMax": {"type": "int", "default": 480},
    "requestTimeoutSeconds": {"type": "double", "default": 30},
    "traceSampleRatio": {"type": "double", "default": 0.01},
    "retryPolicy": {
        "type": "struct",
        "fields": {"attempts": "int", "backoffSeconds": "double", "jitter": "bool"},
        "default": {"attempts": 3, "backoffSeconds": 0.5, "jitter": True},
        "identifier": "com.acme.retryPolicy",
        "name": "Retry policy",
    },
}

REGIONS = {
    "north-america": {"supportContact": "help-na@acme.example"},
    "europe": {
        "dataResidency": "europe",
        "apiEndpoint": "https://eu.api.acme.example",
        "supportContact": "help-eu@acme.example",
        "singleSignOnRequired": True,
        "sessionMinutesMax": 240,
    },
    "asia-pacific": {
        "dataResidency": "asiaPacific",
        "apiEndpoint": "https://ap.api.acme.example",
        "supportContact": "help-ap@acme.example",
        # Longer round trips: wait longer and try again more patiently.
        "requestTimeoutSeconds": 45,
        "retryPolicy": {"attempts": 5, "backoffSeconds": 1.5, "jitter": True},
    },
    "middle-east": {
        "dataResidency": "europe",
        "apiEndpoint": "https://eu.api.acme.example",
        "layoutDirection": "rightToLeft",
        "typesettingLanguage": "ar",
    },
}

TEAMS = {
    "engineering": {"logLevel": "debug", "betaFeatures": True, "traceSampleRatio": 0.25},
    "design": {"brand": "festival", "uploadMegabytesMax": 2048},
    "sales": {"requestTimeoutSeconds": 15},
    "support": {"logLevel": "info", "sessionMinutesMax": 720},
    "finance": {"singleSignOnRequired": True, "sessionMinutesMax": 30},
    "operations": {
        "logLevel": "info",
        "retryPolicy": {"attempts": 8, "backoffSeconds": 0.25, "jitter": False},
    },
}

DEVICES = {
    "phone": {"userInterfaceIdiom": "phone", "displayScale": 3, "horizontalSizeClass": "compact"},
    "laptop": {"userInterfaceIdiom": "mac", "displayScale": 2, "horizontalSizeClass": "regular"},
    "tablet": {"userInterfaceIdiom": "pad", "displayScale": 2, "horizontalSizeClass": "regular"},
}

USERS_PER_TEAM = 54


def user_overrides(number):
    """What some people set for themselves; most set nothing and inherit everything."""
    overrides = {}
    if number % 3 == 0:
        overrides["userInterfaceStyle"] = "dark" if number % 2 else "light"
    if number % 11 == 5:
        overrides["preferredContentSizeCategory"] = "accessibilityLarge"
    if number % 19 == 7:
        overrides["brand"] = "highContrast"
        overrides["accessibilityContrast"] = "high"
    if number % 23 == 2:
        overrides["betaFeatures"] = True
    return overrides


def device_overrides(number, device):
    """A device departs from its user's settings only where its hardware or its use calls for it."""
    if device == "phone" and number % 4 == 1:
        return {"uploadMegabytesMax": 25}
    if device == "laptop" and number % 16 == 3:
        return {"logLevel": "debug", "traceSampleRatio": 1}
    if device == "tablet" and number % 9 == 6:
        # A shared tablet at a counter has nobody to ask for help but the desk it stands on.
        return {"supportContact": None, "sessionMinutesMax": 15}
    return {}


def acme_configuration():
    acme = Hierarchy("acme-configuration", ACME_TRAITS)
    company = acme.node(
        "acme",
        "environment",
        None,
        label="organisation",
        overrides={
            "logLevel": "notice",
            "supportContact": "help@acme.example",
            "uploadMegabytesMax": 250,
        },
        supplied={"userInterfaceStyle": "light", "preferredContentSizeCategory": "large"},
    )
    number = 0
    for region, region_overrides in REGIONS.items():
        acme.node(region, "environment", company, label="region", overrides=region_overrides)
        for team, team_overrides in TEAMS.items():
            group = acme.node(
                f"{region}.{team}", "environment", region, label="team", overrides=team_overrides
            )
            for member in range(1, USERS_PER_TEAM + 1):
                number += 1
                user = acme.node(
                    f"{group}.user-{member:02}",
                    "environment",
                    group,
                    label="user",
                    overrides=user_overrides(number),
                )
                devices = list(DEVICES)[: 2 + (number % 5 == 0)]
                for device in devices:
                    acme.node(
                        f"{user}.{device}",
                        "environment",
                        user,
                        label="device",
                        overrides=device_overrides(number, device),
                        supplied=DEVICES[device],
                    )
    return acme


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = []
    for hierarchy in (ipad_mail(), acme_configuration()):
        path = HERE / f"{hierarchy.name}.json"
        text = hierarchy.text()
        if not arguments:
            path.write_text(text, encoding="utf-8")
            print(f"{path.name}: {len(hierarchy.nodes)} nodes, {len(text)} bytes")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"not what generate.py writes: {', '.join(stale)} (run it and commit the result)")


if __name__ == "__main__":
    main(sys.argv[1:])
