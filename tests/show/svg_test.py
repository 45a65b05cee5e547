# SPDX-License-Identifier: BSD-3-Clause
"""SVG pictures: well-formed, self-contained, inside their page, of bounded size, and readable."""

import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 400_000
COLORS = 8


def luminance(color):
    def linear(channel):
        value = int(channel, 16) / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(color[i : i + 2]) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def as_seen(color, kind):
    """Returns the colour as a dichromat sees it (Viénot 1999, linear RGB)."""
    matrices = {
        "protanope": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
        "deuteranope": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
    }
    channels = [(int(color[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5)]
    if kind in matrices:
        channels = [sum(m * c for m, c in zip(row, channels)) for row in matrices[kind]]
    return [max(c, 0) ** (1 / 2.2) * 255 for c in channels]


def check_palette(style):
    fills = [re.search(r"\.c%d \{ fill: (#[0-9a-f]{6})" % i, style).group(1) for i in range(COLORS)]
    ink = re.search(r"\.rank[^{]*\{ fill: (#[0-9a-f]{6})", style).group(1)
    for fill in fills:
        assert contrast(fill, ink) >= 7, f"rank numbers on {fill}: {contrast(fill, ink):.1f}"
    for kind in ("everybody", "protanope", "deuteranope"):
        seen = [as_seen(fill, kind) for fill in fills]
        for i in range(COLORS):
            for j in range(i):
                apart = sum((a - b) ** 2 for a, b in zip(seen[i], seen[j])) ** 0.5
                assert apart >= 30, f"{kind}: {fills[i]} and {fills[j]} are {apart:.0f} apart"


def shifts(root):
    """Yields every element with the origin of its own coordinates."""
    stack = [(root, 0.0, 0.0, False)]
    while stack:
        element, x, y, turned = stack.pop()
        move = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)( rotate)?", element.get("transform", ""))
        if move:
            x, y, turned = x + float(move[1]), y + float(move[2]), turned or bool(move[3])
        yield element, x, y, turned
        if element.tag not in (SVG + "defs", SVG + "pattern"):
            stack += [(child, x, y, turned) for child in element]


def check_inside(root):
    width, height = float(root.get("width")), float(root.get("height"))
    for element, x, y, turned in shifts(root):
        if element.tag == SVG + "rect":
            left, top = x + float(element.get("x", 0)), y + float(element.get("y", 0))
            assert left >= 0 and left + float(element.get("width")) <= width, ET.tostring(element)
            assert top >= 0 and top + float(element.get("height")) <= height, ET.tostring(element)
        if element.tag == SVG + "text" and not turned:
            at, text = x + float(element.get("x")), element.text or ""
            # A narrow estimate: a text that crosses the edge by it does so in every font.
            length = 5.2 * len(text)
            anchor = element.get("text-anchor")
            left = at - (length if anchor == "end" else length / 2 if anchor == "middle" else 0)
            assert left >= 0 and left + length <= width, ET.tostring(element)
            assert 0 <= y + float(element.get("y")) <= height, ET.tostring(element)


def check(path):
    data = path.read_bytes()
    assert len(data) <= MOST_BYTES, f"{len(data)} bytes"
    data.decode("utf-8")
    root = ET.fromstring(data)
    assert root.tag == SVG + "svg"
    for element in root.iter():
        assert element.tag.startswith(SVG), element.tag
        assert element.tag not in (SVG + "script", SVG + "image", SVG + "foreignObject")
        assert not any("href" in key for key in element.keys())
    style = root.find(SVG + "style").text
    assert "@import" not in style
    assert not re.search(r"url\((?!#)", style)
    assert root.find(SVG + "title").text
    check_palette(style)
    check_inside(root)


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        pictures = sorted(Path(folder).glob("*.svg"))
        assert len(pictures) > 140, "pictures are missing"
        for picture in pictures:
            try:
                check(picture)
            except Exception as error:
                sys.exit(f"{picture.name}: {error!r}")
        for documented in sorted(Path(sys.argv[2]).glob("show-*.svg")):
            today = Path(folder) / documented.name
            if not today.exists() or today.read_bytes() != documented.read_bytes():
                sys.exit(f"{documented} is not what is drawn: {sys.argv[1]} FOLDER draws it anew")
        named = ET.parse(Path(folder) / "odd_name.svg").getroot()
        assert named.find(SVG + "title").text == "<a & b> \"c\" \\x01 ü"
        print(f"{len(pictures)} pictures")


main()
