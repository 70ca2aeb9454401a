#!/usr/bin/env python3
"""Lays out in FOLDER what Sphinx makes pages of: the pages of the repository where they are, so that their
links hold; notebooks with what their cells printed; the reference of the Python package; and the order of all.

    stage.py FOLDER
"""
import inspect
import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "build/docs/package"))
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^ *(```|~~~)")
# The reference, page by page.  What sfumato exports and is on none of them is an error.
REFERENCE = {
    "Releasing": ["density", "series", "histogram", "count", "linear", "curve", "train", "score", "Score", "Gram", "quantiles",
                  "vector", "choose", "mean", "Facts"],
    "Rows": ["Rows", "open_libsvm", "check", "check_call", "Check"],
    "Parts": ["partial", "Partial", "Key"],
    "Releases": ["Release", "read", "loads", "combine", "Band", "Estimate", "Guarantee", "Answers", "Verified", "Sparse",
                 "read_libsvm"],
    "Estimators": ["Density", "Series", "Histogram", "MeanCurve", "Classifier", "Regressor"],
    "Plans": ["plan", "Plan", "limits", "optimal", "noise"],
    "Budgets": ["Ledger", "Dataset", "account", "account_curve", "account_sum", "account_random", "explain"],
    "Sessions": ["open_online", "Online", "open_interactive", "Interactive"],
    "Progress and errors": ["Progress", "SettingWarning", "Error", "InvalidError", "FileError", "BudgetExceeded", "Stopped",
                            "InternalError", "OutOfMemoryError"],
}
REFERENCE_PAGES = ("promise", "format", "api", "papers", "audit", "measured", "architecture", "licences")


def title_of(path):
    found = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.M)
    if not found:
        sys.exit(f"stage: {path} has no title")
    return found[1]


def page_of(target):
    """Links to folders and notebooks lead to the pages made of them; README.md is the first page of its folder."""
    if re.match(r"\w+:", target):
        return target
    if target.rsplit("/", 1)[-1] in ("proofs", "notebooks"):
        return target + "/index.md"
    target = re.sub(r"\.ipynb$", ".md", target)
    return re.sub(r"(^|/)README\.md$", r"\1index.md", target)


def put_page(text, place):
    """Writes a page with its links led to where they lead here, but for what is code."""
    lines, inside = [], False
    for line in text.split("\n"):
        inside ^= bool(FENCE.match(line))
        lines.append(line if inside else LINK.sub(lambda m: m[1] + page_of(m[2]) + (m[3] or "") + m[4], line))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("\n".join(lines), encoding="utf-8")


def notebook(path):
    """A notebook as a page: cells, and what they printed and showed when they were run."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if output["output_type"] == "stream":
                parts.append("```text\n" + "".join(output["text"]).rstrip("\n") + "\n```")
            elif "text/html" in data:
                parts.append("```{raw} html\n" + "".join(data["text/html"]).rstrip("\n") + "\n```")
            elif "text/plain" in data:
                parts.append("```text\n" + "".join(data["text/plain"]) + "\n```")
            else:
                sys.exit(f"stage: {path} has an output of another kind: {output['output_type']}")
    return "\n\n".join(parts) + "\n"


def tree(caption, pages):
    lines = "\n".join(pages)
    option = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{option}\n{lines}\n```\n"


def listing(title, said, pages, folder):
    """The first page of a folder: its pages by their titles."""
    lines = "".join(f"- [{title_of(folder / name)}]({name})\n" for name in pages)
    put_page(f"# {title}\n\n{said}\n\n{lines}" + tree("", pages), folder / "index.md")


def reference(folder):
    import sfumato as sf

    exported = {*sf.__all__, *sf._ESTIMATORS}
    listed = [name for names in REFERENCE.values() for name in names]
    if sorted(listed) != sorted(exported):
        sys.exit(f"stage: REFERENCE differs from what sfumato exports: {sorted(exported.symmetric_difference(listed))}")
    folder.mkdir(parents=True)
    pages = []
    for title, names in REFERENCE.items():
        lines = [title, "=" * len(title), ""]
        for name in names:
            one = getattr(sf, name)
            if inspect.ismodule(one):
                classes = [member for member in one.__all__ if isinstance(getattr(one, member), type)]
                functions = ", ".join(member for member in one.__all__ if member not in classes)
                lines += [f".. automodule:: sfumato.{name}", f"   :members: {functions}", ""]
                for member in classes:
                    lines += [] if member in listed else [f".. autoclass:: sfumato.{name}.{member}", ""]
            elif not isinstance(one, type):
                lines += [f".. autofunction:: sfumato.{name}", ""]
            else:
                plain = issubclass(one, (tuple, dict, float, BaseException))
                lines += [f".. autoclass:: sfumato.{name}", *([] if plain else ["   :members:", "   :inherited-members:"]), ""]
        pages.append(re.sub(r"\W+", "-", title.lower()))
        (folder / (pages[-1] + ".rst")).write_text("\n".join(lines), encoding="utf-8")
    text = "# The Python package\n\nThe guide is [here](../guides/python.md). `import sfumato as sf`:\n\n"
    for title, page in zip(REFERENCE, pages):
        text += f"- [{title}]({page}.rst): {', '.join(f'`{name}`' for name in REFERENCE[title])}\n"
    put_page(text + tree("", pages), folder / "index.md")


def guides(text):
    """The guides in the order in which docs/README.md lists them, by its headings."""
    part = text.split("## The guides, by task", 1)[1].split("\n## ", 1)[0]
    seen, found = set(), []
    for heading, body in re.findall(r"^### (.+?)\n(.*?)(?=^### |\Z)", part, re.M | re.S):
        names = [name for name in re.findall(r"\]\(guides/(\w+)\.md", body) if not (name in seen or seen.add(name))]
        found.append((heading, [f"docs/guides/{name}" for name in names]))
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("docs/images", "examples", "include/sfumato"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("LICENSE", "docs/release.schema.json", "docs/long_tests.csv"):
        shutil.copy(ROOT / name, folder / name)
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
        name = path.relative_to(ROOT)
        put_page(path.read_text(encoding="utf-8"), folder / page_of(str(name)))
    books = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
    for path in books:
        put_page(notebook(path), folder / "docs/notebooks" / (path.stem + ".md"))
    listing("Notebooks", "Run with simulated rows; the cells show what they printed.",
            [path.stem + ".md" for path in books], folder / "docs/notebooks")
    listing("Proofs", "Why each mechanism is private: one page per mechanism.",
            sorted(path.name for path in (ROOT / "docs/proofs").glob("*.md")), folder / "docs/proofs")
    reference(folder / "docs/python")
    first = folder / "index.md"
    order = tree("Start", ["docs/index", "docs/notebooks/index"])
    for heading, pages in guides((ROOT / "docs/README.md").read_text(encoding="utf-8")):
        order += tree(heading, pages)
    order += tree("Reference", ["docs/python/index", *(f"docs/{name}" for name in REFERENCE_PAGES), "docs/proofs/index"])
    order += tree("The project", ["CONTRIBUTING", "SECURITY", "CHANGELOG"])
    first.write_text(first.read_text(encoding="utf-8") + order, encoding="utf-8")


if __name__ == "__main__":
    main()
