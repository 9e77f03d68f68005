"""Tables as Markdown and LaTeX, whatever characters are in names."""

from __future__ import annotations

import re

from graphrag_pipeline.experiment.sections import Cell, Heading, Section

_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~&$#]")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    "–": r"\textendash{}",
}
_MACROS = str.maketrans(_LATEX)
_LIGATURE = re.compile(r"-(?=-)")
_MINUS = re.compile(r"(?<![\w.-])-(?=\d)")


def markdown(section: Section) -> str:
    """Return a table of Markdown (GitHub's and MkDocs') under a heading; letters stand high."""
    lines = [f"### {_md(section.title)}", ""]
    lines.append(_md_row([_md(column.text) for column in section.columns]))
    lines.append(_md_row(["---:" if column.right else "---" for column in section.columns]))
    lines += [_md_row([_md_cell(cell) for cell in row]) for row in section.rows]
    return "\n".join([*lines, "", _md(section.note)])


def _md(text: str) -> str:
    return _MARKDOWN.sub(r"\\\g<0>", text)


def _md_cell(cell: Cell) -> str:
    return _md(cell.text) + (f" <sup>{_md(cell.mark)}</sup>" if cell.mark else "")


def _md_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def latex(section: Section) -> str:
    r"""Return a LaTeX table; it needs ``\usepackage{booktabs}``, and letters stand high."""
    body = [_tex_row([_tex_cell(cell) for cell in row]) for row in section.rows]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_tex(section.title)}. {_tex(section.note)}}}",
            rf"\begin{{tabular}}{{{''.join(map(_tex_column, section.columns))}}}",
            r"\toprule",
            _tex_row([_tex(column.text) for column in section.columns]),
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _tex(text: str) -> str:
    return _MINUS.sub("$-$", _LIGATURE.sub("-{}", text.translate(_MACROS)))


def _tex_cell(cell: Cell) -> str:
    # A row that starts with [ would be read as the optional argument of the line end before it.
    text = f"{{{_tex(cell.text)}}}" if cell.text.startswith(("[", "*")) else _tex(cell.text)
    return text + (rf"\textsuperscript{{{_tex(cell.mark)}}}" if cell.mark else "")


def _tex_column(column: Heading) -> str:
    return "r" if column.right else "l"


def _tex_row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
