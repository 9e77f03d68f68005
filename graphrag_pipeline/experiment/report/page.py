"""The page around the sections: head, policy, contents, style and scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from graphrag_pipeline._version import __version__
from graphrag_pipeline.experiment.report.assets import (
    CYTOSCAPE,
    CYTOSCAPE_LICENCE,
    CYTOSCAPE_VERSION,
    SCRIPT,
    STYLE,
    asset,
    source,
)
from graphrag_pipeline.experiment.report.elements import html, plain_of

_TITLE = re.compile(r'<section id="([a-z-]+)"[^>]*>\n<h2[^>]*>(.*?)</h2>')


def page(title: str, lead: str, sections: Sequence[str], graphs: Sequence[Any]) -> str:
    """Return the whole document.

    Args:
        title: What it is of, as plain text.
        lead: What stands below the title, as HTML.
        sections: Made by :func:`~graphrag_pipeline.experiment.report.elements.section`.
        graphs: The graphs to draw, as JSON data; without any the library that draws is left out.
    """
    scripts = [asset(CYTOSCAPE), asset(SCRIPT)] if graphs else [asset(SCRIPT)]
    style = asset(STYLE)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(source, scripts))}",
            f"style-src {source(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    body = [section for section in sections if section]
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{html(title)}</title>",
            # Cytoscape adds a style of its own, which the policy forbids, unless there is one of this id;
            # report.css has its only rule.
            f'<style id="__________cytoscape_stylesheet">{style}</style>\n</head>\n<body>',
            '<a class="skip" href="#main">Skip to the content</a>',
            f'<header>\n<h1>{html(title)}</h1>\n{lead}\n<div class="tools" hidden>'
            '<button type="button" id="theme">Colours: as the system</button></div>\n</header>',
            f'<nav aria-label="Contents">\n<ul>\n{_contents(body)}\n</ul>\n</nav>',
            '<main id="main" tabindex="-1">',
            '<p id="said" class="said" role="status" aria-live="polite"></p>',
            *body,
            "</main>",
            _footer(bool(graphs)),
            f'<script type="application/json" id="graphs">{json_text(graphs)}</script>' if graphs else "",
            *(f"<script>{script}</script>" for script in scripts),
            "</body>\n</html>\n",
        )
    )


def json_text(value: Any) -> str:  # Any: JSON
    """Return JSON that no text in it can end: ``<`` is written as its escape."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _contents(sections: Sequence[str]) -> str:
    found = [match for section in sections if (match := _TITLE.match(section))]
    return "\n".join(f'<li><a href="#{match[1]}">{html(plain_of(match[2]))}</a></li>' for match in found)


def _footer(drawn: bool) -> str:
    parts = [f"<p>Made by graphrag-pipeline {html(__version__)}. This file loads nothing from elsewhere.</p>"]
    if drawn:
        licence = html(asset(CYTOSCAPE_LICENCE), 5000)
        parts.append(
            f"<details><summary>Graphs are drawn by Cytoscape.js {CYTOSCAPE_VERSION}, under the MIT licence"
            f"</summary>\n<p>{licence}</p></details>"
        )
    return f"<footer>\n{''.join(parts)}\n</footer>"
