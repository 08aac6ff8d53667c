"""Makes a parallel table from the translated interface texts of Android source trees."""

from __future__ import annotations

import argparse
import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

PLACEHOLDER = re.compile(r"%[\d$]*[sd]|\{|\^\d")
MARKUP = re.compile(r"<[^>]+>")
ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
LONGEST = 600


def translated_texts(tree: Path, language: str) -> Iterator[tuple[str, str]]:
    """Yields each English interface text of a tree with its translation, those with blanks to fill in left out."""
    for translated in sorted(tree.rglob(f"values-{language}/*.xml")):
        original = translated.parent.parent / "values" / translated.name
        if original.exists():
            english, other = read_texts(original), read_texts(translated)
            for name in sorted(english.keys() & other.keys()):
                if is_sentence(english[name], other[name]):
                    yield english[name], other[name]


def read_texts(path: Path) -> dict[str, str]:
    """Reads the texts of a resource file by name, each form of a plural and each item of a list by itself."""
    texts = {}
    for element in ElementTree.parse(path).getroot():
        name = element.get("name", "")
        if element.tag == "string":
            texts[name] = plain_text("".join(element.itertext()))
        elif element.tag in ("plurals", "string-array"):
            for place, item in enumerate(element):
                texts[f"{name}/{item.get('quantity') or place}"] = plain_text("".join(item.itertext()))
    return texts


def plain_text(raw: str) -> str:
    """Takes the quoting, escapes and markup off a resource text."""
    text = raw.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    for escaped, meant in (("\\n", " "), ("\\'", "'"), ('\\"', '"'), ("\\@", "@")):
        text = text.replace(escaped, meant)
    text = ESCAPED.sub(lambda match: chr(int(match[1], 16)), MARKUP.sub("", text))
    return " ".join(html.unescape(text).split())


def is_sentence(english: str, other: str) -> bool:
    told_apart = bool(other) and english != other and 2 < len(english) < LONGEST
    return told_apart and not PLACEHOLDER.search(english + other)


def write_table(trees: Sequence[Path], language: str, out: Path) -> int:
    """Writes the table and gives how many pairs it holds."""
    pairs = sorted({pair for tree in trees for pair in translated_texts(tree, language)})
    rows = "".join(f"{english}\t{other}\n" for english, other in pairs)
    out.write_text(f"en\t{language}\n{rows}", encoding="utf-8")
    return len(pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path, nargs="+", help="source trees of Android applications")
    parser.add_argument("--language", required=True, help="tl, es, …")
    parser.add_argument("--out", type=Path, required=True, help="its name becomes the source's: android_tl.tsv")
    options = parser.parse_args()
    print(write_table(options.trees, options.language, options.out), "pairs")


if __name__ == "__main__":
    main()
