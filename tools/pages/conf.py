"""Sphinx: how the pages are made of what stage.py lays out."""
import pathlib
import re

from docutils import nodes

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION = re.search(r"^project\(sfumato VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)

project = "sfumato"
release = version = VERSION[1]
html_show_copyright = False
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
smartquotes = False  # f' is a derivative
highlight_language = "text"
myst_heading_anchors = 6
myst_all_links_external = False

# Docstrings are numpydoc; signatures have one parameter a line where they are long.
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
maximum_signature_line_length = 90
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False

html_theme = "furo"
html_title = f"sfumato {release}"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
html_theme_options = {"source_view_link": "", "navigation_with_keys": True}
pygments_style = "default"
pygments_dark_style = "monokai"

# Formulas are plain text: 2^(db), E_a.  What is code, or a name of several letters, stays as it is.
POWER = re.compile(r"(?<=[\w)\]|])\^([-+]?\([^()]+\)|[-+]?[\w\u2212]+(?:\.\d+)?)")
INDEX = re.compile(r"(?<![\w/.])([A-Za-z\u0391-\u03c9]'?)_([A-Za-z0-9]{1,4})(?![A-Za-z0-9_/]|\.\w)")
FORMULA = re.compile(f"{POWER.pattern}|{INDEX.pattern}")


def formulas(_app, doctree, _name):
    for text in list(doctree.findall(nodes.Text)):
        parent = text.parent
        if text == " -- ":  # between a parameter and what is said of it
            parent.replace(text, nodes.Text(" \u2013 "))
            continue
        if isinstance(parent, (nodes.literal, nodes.literal_block, nodes.raw, nodes.comment)) or not FORMULA.search(text):
            continue
        if not isinstance(parent, (nodes.paragraph, nodes.emphasis, nodes.strong, nodes.title, nodes.entry)):
            continue
        made, at = [], 0
        for found in FORMULA.finditer(text):
            power, base, index = found.groups()
            made.append(nodes.Text(text[at : found.start()] + (base or "")))
            if power:
                raised = power[1:-1] if power.startswith("(") else power
                made.append(nodes.superscript("", raised))
            else:
                made.append(nodes.subscript("", index))
            at = found.end()
        parent.replace(text, [*made, nodes.Text(text[at:])])


def setup(app):
    app.connect("doctree-resolved", formulas)
    return {"parallel_read_safe": True}
