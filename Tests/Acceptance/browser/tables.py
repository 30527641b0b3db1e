# SPDX-License-Identifier: Apache-2.0
"""Reports: the file of each has the rows of its page."""
import csv, io, re

from browser.chromium import expect

# Columns of reports that count something; those with a dot in the name do so too.
NUMBERS = {"firstOpens", "attributed", "unverified", "organic", "unknown", "reinstalls", "late", "shown", "exposures", "clicks", "uniqueClicks", "sentToStore", "size"}


def tables(page, server, problems):
    """The file of every report has the rows of its page, as a viewer sees them: in both, small groups are one row."""
    for report in ("campaigns", "links", "paywalls", "funnel", "retention", "campaigns?by=day&days=7", "paywalls?by=variation&sort=shown"):
        # A first open may be counted between the page and its file: then both are read again. What really differs does so each time.
        for _ in range(3):
            found = differences(page, server, report)
            if not found:
                break
            page.wait_for_timeout(2_000)
        problems += found


def differences(page, server, report):
    found = []
    page.goto(f"{server.base}/console/reports/{report}")
    table = page.locator("table:has(thead a[href*='sort='])")
    names = [re.search(r"[?&]sort=-?([^&]+)", link.get_attribute("href"))[1] for link in table.locator("thead a").all()]
    rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    file = page.locator(f"a[href*='/console/reports/{report.split('?')[0]}.csv']").get_attribute("href")
    lines = list(csv.DictReader(io.StringIO(page.request.get(server.base + file).text())))
    counts = [name for name in names if "." in name or name in NUMBERS]
    expect(found, 0 < len(rows) == len(lines), f"{report}: {len(rows)} rows on the page, {len(lines)} in its file")
    expect(found, any(int(line[counts[0]] or 0) > 0 for line in lines), f"{report} counts nothing: {lines[:2]}")
    for row, line in zip(rows, lines):
        wrong = [(name, cell, line[name]) for name, cell in zip(names, row) if name in counts and not is_same(cell, line[name])]
        expect(found, not wrong, f"{report}: the page and its file differ: {wrong[:3]}")
    return found


def is_same(cell, value):
    """Whether a cell of a page shows the value of a file; shares and times are rounded. What is not known has no digits."""
    digits = re.sub(r"[^0-9.]", "", cell)
    if not digits or not value:
        return not digits and not value
    if "%" in cell:
        percent = float(value) * 100
        return abs(float(digits) - percent) <= (0.5 if percent >= 9.95 else 0.05) + 1e-6
    if cell.endswith(("s", "秒")):
        return abs(float(digits) - float(value) / 1_000) <= 0.005 + float(value) / 100_000
    return float(digits) == float(value)
