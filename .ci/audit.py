"""Known vulnerabilities of the pinned packages, by pip-audit.

Exit status 1 if one is found; 0, with the reason, where the data about vulnerabilities is not reachable. pip-audit
itself says "No known vulnerabilities found" of packages that it could not look up.

    python .ci/audit.py PIP_AUDIT...      the command that runs pip-audit
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent.parent / "constraints.txt"
LIMIT_S = 300


def main(command: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "audit.json"
        options = ["--requirement", str(REQUIREMENTS), "--no-deps", "--disable-pip", "--progress-spinner", "off"]
        output = ["--format", "json", "--output", str(report)]
        try:
            done = subprocess.run([*command, *options, *output], capture_output=True, text=True, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            print(f"Skipped: the data about vulnerabilities did not come within {LIMIT_S} s.")
            return 0
        if not report.exists():
            print(f"Skipped: pip-audit could not run here. {(done.stderr.strip().splitlines() or [''])[-1]}")
            return 0
        packages = json.loads(report.read_text(encoding="utf-8"))["dependencies"]
    known = [package for package in packages if "vulns" in package]
    found = [(package, each) for package in known for each in package["vulns"]]
    for package, each in found:
        fixed = ", ".join(each["fix_versions"]) or "no version"
        print(f"{package['name']} {package['version']}: {each['id']}, fixed in {fixed}")
    if not known:
        print(f"Skipped: none of {len(packages)} packages could be looked up; the data is not reachable from here.")
        return 0
    print(f"{len(known)} of {len(packages)} packages looked up, {len(found)} known vulnerabilities.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
