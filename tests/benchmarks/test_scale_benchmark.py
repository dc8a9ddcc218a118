"""The benchmark of scale: its graph, its charts, its simulation of shards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from benchmarks.scale.graph import blocks, make
from benchmarks.scale.plots import chart
from benchmarks.scale.sharded import Calls, slowest


def test_the_graph_has_four_relationships_a_node_and_a_hub(tmp_path: Path) -> None:
    made = make(2000, tmp_path, 3)
    nodes, edges = (path.read_text(encoding="utf-8").splitlines()[1:] for path in made.paths)
    assert len(edges) == 4 * len(nodes) == 8000
    degrees = Counter(line.split(",")[1] for line in edges)
    hub, persons = str(blocks(2000)["Place"][0]), 900
    assert degrees[hub] > persons / 2
    assert f"{hub},{made.hub}," in "\n".join(nodes)
    assert degrees.most_common(40)[-1][1] > 5 * np.median(list(degrees.values()))
    assert make(2000, tmp_path, 3) == made


def test_a_chart_places_points_by_their_logarithms() -> None:
    drawn = ElementTree.fromstring(chart("Time", "ms", "nodes", {"a<b": {1e4: 1.0, 1e5: 10.0, 1e6: 100.0}}))
    points = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in drawn.iter() if "cx" in each.attrib]
    (x0, y0), (x1, y1), (x2, y2) = points
    assert (x1 - x0, y1 - y0) == pytest.approx((x2 - x1, y2 - y1), abs=0.2)
    assert x0 < x1
    assert y0 > y1
    assert "a<b" in [each.text for each in drawn.iter()]


def test_the_slowest_of_many_shards_is_slower_and_hedging_helps() -> None:
    times = np.array([1.0] * 98 + [20.0] * 2)
    calls = Calls(times, network=0.5, pause=0.0, pause_share=0.0, random=np.random.default_rng(0))
    assert calls.late == 1.5
    plain, hedged = (slowest(calls, 10, 20_000, hedged=each) for each in (False, True))
    assert (plain > 20).mean() == pytest.approx(1 - 0.98**10, abs=0.01)
    assert (hedged > 20).mean() == pytest.approx(1 - (1 - 0.02**2) ** 10, abs=0.01)
    assert slowest(calls, 1, 100, hedged=False).min() == 1.5
