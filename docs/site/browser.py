# SPDX-License-Identifier: BSD-3-Clause
"""Looks at the site in headless Chromium, as its readers see it.

    browser.py <folder of HTML> <folder for screenshots>

Opens every page as wide as a phone, and reports links and anchors that lead nowhere, pictures
that do not load, errors of scripts, and pages wider than the screen. Then it searches, looks
for the buttons that copy a command, and takes pictures of some pages on a phone and on a wide
screen, light and dark.
"""

from __future__ import annotations

import functools
import http.server
import itertools
import pathlib
import re
import sys
import threading
import urllib.parse
from typing import Any, Dict, List, Set, Tuple

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PHONE, WIDE = (400, 844), (1400, 900)
THEMES = ("light", "dark")
SEARCHES = {  # what people look for, and a page that must be among what is found
    "owned_then_ghosts": ["reference/python/daptor.html", "daptor/dimension-hpp.html",
                          "docs/wrap-your-array.html"],
    "B09": ["docs/rules-b.html"],
    "import_vec": ["petsc/vec-hpp.html"],
    "halo": ["docs/halo.html"],
    "stencil width": ["docs/wrap-your-array.html", "petsc/dmda-hpp.html"],
    "VecCreateGhost": ["docs/wrap-your-array.html"],
    "HaloExchange": ["reference/cpp/daptor/halo_exchange-hpp.html"],
}
PICTURES = [
    "index.html", "docs/benchmarks.html", "docs/wrap-your-array.html",
    "docs/rules-b.html", "docs/check.html", "reference/cpp.html",
    "reference/cpp/daptor/halo_exchange-hpp.html", "reference/python/daptor.html",
    "search.html?q=owned_then_ghosts"]
LOOK = """
return {
  links: Array.from(document.querySelectorAll('a[href]'), a => a.href),
  ids: Array.from(document.querySelectorAll('[id]'), e => e.id),
  images: Array.from(document.images).filter(i => i.complete && !i.naturalWidth).map(i => i.src),
  wide: Math.max(document.documentElement.scrollWidth,
                 ...Array.from(document.querySelectorAll(
                     'article :is(h1, h2, h3, h4, p, li, dt, img)'))
                   .filter(e => !e.closest('pre, table'))
                   .map(e => Math.max(e.getBoundingClientRect().right, 16 + e.scrollWidth))
       ) - window.innerWidth,
};"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def served(folder: pathlib.Path) -> str:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                             functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def started() -> Any:
    options = webdriver.ChromeOptions()
    for option in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument("--" + option)
    options.set_capability("goog:loggingPrefs", {"browser": "SEVERE"})
    return webdriver.Chrome(options=options)


def resize(browser: Any, size: Tuple[int, int]) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})


class Check:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.base = served(folder)
        self.browser = started()
        self.browser.set_page_load_timeout(60)
        self.errors: List[str] = []

    def look_at_all(self) -> None:
        """Every page; then whether the links lead somewhere."""
        resize(self.browser, PHONE)
        ids: Dict[str, Set[str]] = {}
        links: Dict[Tuple[str, str], str] = {}  # page, anchor -> where it is linked
        for path in sorted(self.folder.rglob("*.html")):
            page = path.relative_to(self.folder).as_posix()
            self.browser.get(self.base + page)
            seen = self.browser.execute_script(LOOK)
            ids[page] = set(seen["ids"])
            self.errors += [f"{page}: {image} does not load" for image in seen["images"]]
            if seen["wide"] > 0:
                self.errors.append(f"{page}: {seen['wide']} pixels wider than a phone")
            for link in seen["links"]:
                if link.startswith(self.base):
                    url = urllib.parse.urlparse(link[len(self.base) - 1:])
                    to = urllib.parse.unquote(url.path[1:]) or "index.html"
                    links.setdefault((to, urllib.parse.unquote(url.fragment)), page)
            self.errors += [f"{page}: {e['message']}" for e in self.browser.get_log("browser")]
        for (to, anchor), page in sorted(links.items()):
            if to not in ids and not (self.folder / to).is_file():
                self.errors.append(f"{page}: a link to {to}, which is not there")
            elif anchor and anchor not in ids.get(to, {anchor}):
                self.errors.append(f"{page}: a link to {to}#{anchor}, which is not there")
        print(f"{len(ids)} pages with {len(links)} links within the site")

    def search(self) -> None:
        for words, wanted in SEARCHES.items():
            self.browser.get(self.base + "search.html?q=" + urllib.parse.quote(words))
            WebDriverWait(self.browser, 30).until(
                lambda b: b.find_elements(By.CSS_SELECTOR, "#search-results .search-summary")
                and "matching" in b.find_element(By.ID, "search-results").text)
            found = [a.get_attribute("href") for a in
                     self.browser.find_elements(By.CSS_SELECTOR, "#search-results li a")]
            for page in wanted:
                if not any(page in link for link in found):
                    self.errors.append(
                        f"a search for '{words}' finds {len(found)} pages, but not {page}")

    def themes(self) -> None:
        """Who prefers dark pages gets one."""
        for theme in THEMES:
            self.prefer(theme)
            self.browser.get(self.base + "index.html")
            colour = self.browser.execute_script(
                "return getComputedStyle(document.body).backgroundColor")
            if (max(map(int, re.findall(r"\d+", colour)[:3])) < 128) != (theme == "dark"):
                self.errors.append(f"index.html: {colour} for who prefers {theme} pages")

    def prefer(self, theme: str) -> None:
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": theme}]})

    def copy(self) -> None:
        """Commands have a button that copies them."""
        self.browser.get(self.base + "index.html")
        buttons = self.browser.find_elements(By.CSS_SELECTOR, "button.copybtn")
        if len(buttons) < 5:
            self.errors.append(f"index.html: {len(buttons)} buttons that copy a command")

    def take_pictures(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for theme, (name, size) in itertools.product(
                THEMES, (("phone", PHONE), ("wide", WIDE))):
            resize(self.browser, size)
            self.prefer(theme)
            for page in PICTURES:
                self.browser.get(self.base + page)
                if "search" in page:
                    WebDriverWait(self.browser, 30).until(
                        lambda b: b.find_elements(By.CSS_SELECTOR, "#search-results li a"))
                stem = page.partition(".html")[0].replace("/", "-")
                self.browser.save_screenshot(str(folder / f"{stem}-{name}-{theme}.png"))


def main() -> int:
    check = Check(pathlib.Path(sys.argv[1]).resolve())
    try:
        check.look_at_all()
        check.search()
        check.copy()
        check.themes()
        check.take_pictures(pathlib.Path(sys.argv[2]))
    finally:
        check.browser.quit()
    for error in check.errors:
        print(error, file=sys.stderr)
    print(f"{len(check.errors)} faults; pictures are in {sys.argv[2]}")
    return 1 if check.errors else 0


if __name__ == "__main__":
    sys.exit(main())
