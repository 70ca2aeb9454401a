"""Pictures of releases and plans: matplotlib where it is asked for, and what notebooks show."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato._library import InvalidError

if TYPE_CHECKING:
    from sfumato.plan import Plan
    from sfumato.release import Release


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise InvalidError("plot needs matplotlib: pip install matplotlib; r.to_svg() does without") from None
    return plt.subplots(layout="constrained")[1]


def promise(release: Release) -> str:
    """The guarantee, in a line below a picture."""
    g = release.guarantee
    number = {"pure": f"epsilon {g.epsilon:g}", "gdp": f"epsilon {g.epsilon:g}, delta {g.delta:g} (mu {g.mu:.3g})"}.get(
        g.kind, f"epsilon {g.epsilon:g}, delta {g.delta:g}" if g.epsilon else f"rho {g.rho:.3g}"
    )
    if g.kind == "random-dp":  # weaker, which is said first
        number = f"random-dp, epsilon {g.epsilon:g}, delta {g.delta:g}, gamma {g.gamma:g}"
    seeded = "" if release.private else ", NOT PRIVATE: made with a seed"
    stated = ", classes read from the rows" if release._stated else ""
    return f"{number}, {'hardened' if release.hardened else 'idealised'}{stated}{seeded}"


def draw(release: Release, ax: Any, confidence: float | None, caption: bool) -> Any:
    if release.kind == "histogram" and len(release.columns) == 1:
        ax = _axes(ax)
        table = release.to_dict()
        width = 0.0 if release.refined else release.band(confidence).half_width
        name = release.columns[0]
        bars = {"color": "#4477aa", "error_kw": {"capsize": 3, "ecolor": "#222222"}}
        lower, upper = release.bounds[0]
        if lower == lower:  # bins
            edges = np.linspace(lower, upper, len(table["count"]) + 1)
            ax.bar(edges[:-1], table["count"], np.diff(edges), align="edge", edgecolor="white", yerr=width or None, **bars)
            ax.set_xlabel(name)
            ax.set_ylabel("records")
        else:
            ax.barh(table[name][::-1], table["count"][::-1], xerr=width or None, **bars)
            ax.set_ylabel(name)
            ax.set_xlabel("records")
    elif release.kind in ("density", "function") and len(release.columns) == 1:
        ax = _axes(ax)
        (x,), values = release.grid(512)
        if not release.refined:
            _, lower, upper = release.band(confidence, grid=512)
            ax.fill_between(
                x,
                lower,
                upper,
                color="#4477aa",
                alpha=0.25,
                linewidth=0,
                label=f"band, {release.band(confidence).confidence:.0%}",
            )
            ax.legend(frameon=False)
        ax.plot(x, values, color="#4477aa")
        ax.set_xlabel(release.columns[0])
        ax.set_ylabel("density" if release.kind == "density" else "value")
    elif release.kind in ("density", "function") and len(release.columns) == 2:
        ax = _axes(ax)
        (x, y), values = release.grid(128)
        image = ax.pcolormesh(x, y, values.T, shading="nearest", cmap="viridis")
        ax.figure.colorbar(image, ax=ax, label="density")
        ax.set_xlabel(release.columns[0])
        ax.set_ylabel(release.columns[1])
    else:
        if len(release.columns) > 2 and release.kind in ("density", "function"):
            raise InvalidError("a picture is of one or two columns: r.marginal(['...', '...']).plot()")
        if release.kind in ("histogram", "machine"):
            raise InvalidError(
                f"plot draws functions of one or two columns and tables of one; r.to_svg() draws this {release.kind}"
            )
        raise InvalidError(f"a {release.kind} has no picture: r.value or r.values are its numbers")
    if caption:
        ax.set_title(promise(release), fontsize="small", loc="left")
    return ax


def draw_plan(plan: Plan, ax: Any) -> Any:
    ax = _axes(ax)
    possible = [plan[i] for i in range(len(plan)) if plan[i].possible]
    names = [one.method for one in possible]
    for i, one in enumerate(possible):
        if names.count(one.method) > 1:
            told = [
                f"{name} {_short(value)}"
                for name, value in one.parameters.items()
                if name in ("noise", "terms", "basis", "lambda")
            ]
            names[i] = f"{one.method} ({', '.join(told)})"
    ax.barh(range(len(names)), [100 * one.relative for one in possible], color="#4477aa", tick_label=names)
    ax.invert_yaxis()
    ax.set_xlabel("predicted error, % of the peak")
    ax.set_title(plan.what, fontsize="small", loc="left")
    return ax


_STYLE = (
    "<style>.sfumato{font-family:system-ui,sans-serif;max-width:44em}.sfumato svg{width:100%;height:auto;background:#fff;"
    "border-radius:6px}body[data-jp-theme-light=false] .sfumato svg,body.vscode-dark .sfumato svg,body[data-theme=dark] "
    ".sfumato svg{filter:invert(.93) hue-rotate(180deg)}"
    ".sfumato p{margin:.4em 0;line-height:1.4}.sfumato .cost{opacity:.75;font-size:.9em}"
    ".sfumato table{border-collapse:collapse}.sfumato td,.sfumato th{padding:.15em .8em .15em 0;text-align:left;"
    "white-space:nowrap}"
    "</style>"
)


def _named_apart(picture: str) -> str:
    """Names within a picture that no other picture of the page has: glyphs would be taken from the first one."""
    prefix = "s" + hashlib.sha256(picture.encode("utf-8")).hexdigest()[:12] + "-"
    return re.sub(r'(\bid="|href="#|url\(#)', lambda found: found[0] + prefix, picture)


def _numbers(release: Release) -> str:
    """What has no picture: its kind, its columns and its first numbers."""
    listed = list(release.to_dict().items()) if release.kind in ("vector", "range", "histogram") else []
    rows = list(zip(*(values[:20] for _, values in listed)))
    head = f"<p>{html.escape(release.kind)} of {html.escape(', '.join(release.columns) or 'numbers')}</p>"
    if release.kind in ("count", "choice", "mean"):
        return f"<p>{release.kind}: <b>{html.escape(str(release.value))}</b></p>"
    return head + (table([name for name, _ in listed], rows) if rows else "")


def notebook(release: Release) -> str:
    """The picture with its band, the promise in a sentence, and what it cost."""
    try:
        picture = _named_apart(re.sub(r"^.*?(?=<svg)", "", release.to_svg(), flags=re.DOTALL))
    except InvalidError:
        picture = _numbers(release)
    charged = f"charged to the dataset {html.escape(release.dataset)}" if release.dataset else "not charged to a ledger"
    return (
        f'{_STYLE}<div class="sfumato">{picture}<p>{html.escape(release.sentence)}</p>'
        f'<p class="cost">{html.escape(promise(release))}; {charged}.</p></div>'
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    def line(cells: Sequence[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f'{_STYLE}<div class="sfumato"><table>{line(heads, "th")}{body}</table></div>'


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


__all__ = ["draw", "draw_plan", "notebook", "promise", "table"]
