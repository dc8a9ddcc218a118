"""Scoring every relation path from one mention against the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.lexical import FUNCTION_WORDS, stem
from clew.tools.queries.ranking.alignment import LONGEST_SPAN, NOTHING, Gains, Level, Scored, extended, root
from clew.tools.queries.ranking.reading import Reading, Role
from clew.tools.queries.ranking.similarity import SchemaPhrases, Similarities
from clew.tools.queries.ranking.weights import Weights
from clew.tools.queries.space.moves import Moves
from clew.tools.queries.values import ORDERED_TYPES

Floats = npt.NDArray[np.float64]

LONGEST_PATH = 3
KEPT = 300
"""Paths returned."""
BEAM = 2000
"""Paths kept of each length before the next hop is tried."""
LEAST_JOIN = 0.002
"""Steps that fewer than this share of the nodes can take are not tried."""


@dataclass(frozen=True, slots=True)
class ScoredPath:
    """Steps (indices into Moves) from a mention, and how well they explain the question."""

    steps: tuple[int, ...]
    score: float
    alignment: float
    kind: float
    asked: float


class PathScorer:
    """Scores the paths of one schema; thread-safe."""

    def __init__(self, moves: Moves, phrases: SchemaPhrases, weights: Weights) -> None:
        self._moves = moves
        self._phrases = phrases
        self._weights = weights
        hops = len(moves.hops)
        self._labels = np.array([moves.label_ids[moves.ending(step)] for step in range(hops + len(moves.properties))])
        self._next = [np.flatnonzero(moves.joins[hop] > LEAST_JOIN) for hop in range(hops)]
        self._back = _ways_back(moves)
        self._open = _open_hops(moves)
        self._reversed = self._against_the_grain()
        self._identifiers = [_identifier_stems(hop.relation) for hop in moves.hops]
        self._property_cost = np.where(np.arange(len(self._labels)) < hops, 0.0, weights.property_cost)
        self._numeric = [hops + i for i, p in enumerate(moves.properties) if p.type in ORDERED_TYPES]

    def score(
        self, reading: Reading, label: str, first: Sequence[int], longest: int = LONGEST_PATH
    ) -> list[ScoredPath]:
        """All paths of 1 to `longest` steps that begin with one of `first`, best first.

        `label` is the mention's own. Where the question has no word left to align, single hops by kind of answer.
        """
        if not len(first):
            return []
        orders = self._gains(reading, label)
        if not orders:
            return self._wordless(reading, first)
        before: Scored | None = None
        above = root(self._moves.label_ids.get(label, -1), orders)
        levels: list[Scored] = []
        for length in range(1, longest + 1):
            level = self._first_level(first) if length == 1 else self._next_level(above.level)
            if not len(level.last):
                break
            scored = extended(above, before, level, orders)
            if len(level.last) > BEAM and length < longest:
                rows = np.sort(np.argpartition(-scored.promise, BEAM)[:BEAM])
                scored = scored.kept(rows)
            levels.append(scored)
            before, above = above, scored
        return self._ranked(levels, reading, orders)

    def _wordless(self, reading: Reading, first: Sequence[int]) -> list[ScoredPath]:
        """Where no word is left to align ("who is in X?"): single hops, by the kind of answer alone."""
        kinds = self._kind_bonus(reading.kinds)
        cost = self._weights.hop_cost
        found = [
            ScoredPath((step,), float(kinds[step] - cost - self._property_cost[step]), -cost, float(kinds[step]), 0.0)
            for step in first
        ]
        return sorted(found, key=lambda path: (-path.score, path.steps))[:KEPT]

    def _gains(self, reading: Reading, label: str) -> tuple[Gains, ...]:
        """What spans are worth, per order of reading."""
        w = self._weights
        orders = [order for order in reading.orders() if order]
        spans = [_spans(reading, order) for order in orders]
        texts = list(dict.fromkeys(text for row in spans for _, _, text in row))
        if not texts:
            return ()
        found = self._phrases.compare(texts)
        row_of = {text: i for i, text in enumerate(texts)}
        voice = self._voice(reading.role)
        spelled = self._spelled_out(reading)
        gains = tuple(
            _order_gains(len(order), row, row_of, found, self._reversed * w.reverse_cost - spelled, voice, w)
            for order, row in zip(orders, spans, strict=True)
        )
        own = self._moves.label_ids.get(label, -1)
        if reading.apposed and own >= 0 and found.labels[row_of[reading.left[-1]], own] > w.label_threshold:
            for order, gain in zip(orders, gains, strict=True):
                gain.label[:, order.index(("L", len(reading.left) - 1))] = w.label_gain
        return gains

    def _first_level(self, first: Sequence[int]) -> Level:
        last = np.array(first, dtype=np.int64)
        count = len(last)
        return Level(
            last, np.zeros(count, dtype=np.int64), self._labels[last], np.zeros(count, dtype=bool), np.zeros(count)
        )

    def _next_level(self, above: Level) -> Level:
        hops = len(self._moves.hops)
        parents = np.flatnonzero(above.last < hops)
        following = [self._next[step] for step in above.last[parents]]
        parent = np.repeat(parents, [len(steps) for steps in following])
        last = np.concatenate(following) if following else np.zeros(0, dtype=np.int64)
        previous = above.last[parent]
        returns = self._back[previous, last]
        joins = np.clip(self._moves.joins[previous, last], 1e-3, 1.0) if len(last) else np.zeros(0)
        cost = -np.log10(joins) / 3 * self._weights.join_cost
        return Level(last, parent, self._labels[last], returns, cost)

    def _ranked(self, levels: Sequence[Scored], reading: Reading, orders: tuple[Gains, ...]) -> list[ScoredPath]:
        w = self._weights
        asked = self._asked_costs(reading.asked)
        kinds = self._kind_bonus(reading.kinds)
        likely: list[tuple[npt.NDArray[np.int64], Floats, Floats]] = []
        returning = np.zeros(0, dtype=bool)
        for depth, scored in enumerate(levels):
            aligned = np.max(
                [
                    scores[:, -1] / len(gains.skip) ** w.span_exponent - (w.left_first_cost if order else 0.0)
                    for order, (scores, gains) in enumerate(zip(scored.scores, orders, strict=True))
                ],
                axis=0,
            )
            last = scored.level.last
            returning = scored.level.returns | (returning[scored.level.parent] if depth else False)
            total = aligned + kinds[last] - asked[last] - self._property_cost[last]
            total = total + np.where(returning, w.same_bonus if reading.same else -w.return_cost, 0.0)
            best = np.argsort(-total, kind="stable")[:KEPT]
            likely.append((best[aligned[best] > NOTHING / 10], total, aligned))
        every = np.concatenate([total[best] for best, total, _ in likely])
        least = np.partition(every, -KEPT)[-KEPT] if len(every) > KEPT else -np.inf
        found: list[ScoredPath] = []
        for depth, (best, total, aligned) in enumerate(likely):
            for row in best[total[best] >= least].tolist():
                steps = _steps(levels[: depth + 1], row)
                parts = (float(aligned[row]), float(kinds[steps[-1]]), float(-asked[steps[-1]]))
                found.append(ScoredPath(steps, float(total[row]), *parts))
        return sorted(found, key=lambda path: (-path.score, len(path.steps), path.steps))[:KEPT]

    def _asked_costs(self, noun: str | None) -> Floats:
        """Shape (S,): what ending there costs, where the noun after what or which fits another end better."""
        w = self._weights
        if noun is None:
            return np.zeros(len(self._labels))
        found = self._phrases.compare([noun])
        fit = np.maximum(0.9 * found.steps[0], found.labels[0][self._labels])
        fit[self._open] *= 0.97  # a hop that names its end is the better reading of a noun
        clear = np.clip((fit.max(initial=0.0) - w.asked_threshold) / 0.3, 0, 1)
        costs: Floats = w.asked_cost * clear * np.clip((fit.max(initial=0.0) - fit) / 0.3, 0, 1)
        return costs

    def _kind_bonus(self, kinds: frozenset[str] | None) -> Floats:
        """Shape (S,): for or against ending there, by the kind of answer that who, when or where ask for."""
        if kinds is None:
            return np.zeros(len(self._labels))
        signs = [0.0 if kind is None else 1.0 if kind in kinds else -1.0 for kind in self._phrases.kinds]
        bonus = self._weights.kind_bonus * np.array(signs)
        if "time" not in kinds:
            bonus[self._numeric] -= self._weights.number_cost
        return bonus

    def _spelled_out(self, reading: Reading) -> Floats:
        """Shape (S,): what the hops gain whose identifiers the question spells out."""
        said = {stem(word) for word in (*reading.left, *reading.right)}
        gains = np.zeros(len(self._labels))
        for step, stems in enumerate(self._identifiers):
            gains[step] = self._weights.identifier_bonus * (len(stems) > 1 and stems <= said)
        return gains

    def _voice(self, role: Role | None) -> Floats | None:
        """Shape (H,): 1 for hops that agree with the mention's part in the sentence, -1 for those that do not."""
        if role is None:
            return None
        leads = self._phrases.to_subject
        return np.where(leads if role == "object" else ~leads, 1.0, -1.0)

    def _against_the_grain(self) -> Floats:
        """Shape (S,): 1 for a hop against its relation where another relation of that meaning goes forward."""
        hops, senses = self._moves.hops, self._phrases.senses
        forward = {sense for hop, sense in zip(hops, senses, strict=False) if hop.forward and sense is not None}
        costs = np.zeros(len(self._labels))
        for step, hop in enumerate(hops):
            costs[step] = float(not hop.forward and senses[step] in forward)
        return costs


def _identifier_stems(relation: str) -> frozenset[str]:
    return frozenset(stem(word) for word in bare_words(relation) if word not in FUNCTION_WORDS)


def _ways_back(moves: Moves) -> npt.NDArray[np.bool_]:
    """Shape (H, S): whether a step goes back along the relation of a hop."""
    hops = moves.hops
    back = np.zeros((len(hops), len(hops) + len(moves.properties)), dtype=bool)
    for i, hop in enumerate(hops):
        for j, other in enumerate(hops):
            back[i, j] = other.relation == hop.relation and other.forward != hop.forward
    return back


def _open_hops(moves: Moves) -> list[int]:
    """The hops that leave their end's label open while there are others that name it."""
    named = {(hop.relation, hop.forward) for hop in moves.hops if hop.typed}
    return [i for i, hop in enumerate(moves.hops) if not hop.typed and (hop.relation, hop.forward) in named]


def _steps(levels: Sequence[Scored], row: int) -> tuple[int, ...]:
    """The path that ends in a row of the last level."""
    steps: list[int] = []
    for scored in reversed(levels):
        steps.append(int(scored.level.last[row]))
        row = int(scored.level.parent[row])
    return tuple(reversed(steps))


def _spans(reading: Reading, order: list[tuple[str, int]]) -> list[tuple[int, int, str]]:
    """Every run of at most LONGEST_SPAN words i..j of an order, with its text."""
    words = len(order)
    ends = [(i, j) for i in range(words) for j in range(i + 1, min(words, i + LONGEST_SPAN) + 1)]
    return [(i, j, reading.span(order[i:j])) for i, j in ends]


def _order_gains(
    words: int,
    spans: list[tuple[int, int, str]],
    row_of: dict[str, int],
    found: Similarities,
    costs: Floats,
    voice: Floats | None,
    w: Weights,
) -> Gains:
    steps, hops, labels = found.steps.shape[1], found.pairs.shape[1], found.labels.shape[1]
    step = np.full((steps, words + 1, words + 1), NOTHING)
    first = step.copy()
    pair = np.full((hops, words + 1, words + 1), NOTHING)
    label = np.full((labels, words), NOTHING)
    repeat = np.full((steps, words), NOTHING)
    skip = np.zeros(words)
    for i, j, text in spans:
        row = row_of[text]
        cosines, peers = found.steps[row], found.pairs[row]
        floor = w.base + (w.centring * float(cosines[:hops].mean()) if hops else 0.0)
        length = (j - i) ** w.span_exponent
        step[:, i, j] = (cosines - floor) * length - w.hop_cost - costs
        first[:, i, j] = step[:, i, j]
        if voice is not None:
            said = found.verbs[row]
            voiced = np.where(voice > 0, np.maximum(cosines[:hops], said), cosines[:hops])
            voiced = voiced - w.voice_cost * np.clip((said - floor) / 0.5, 0, 1) * (voice < 0)
            first[:hops, i, j] += (voiced - cosines[:hops]) * length
        pair[:, i, j] = (peers - floor) * length * 2 ** (1 - w.span_exponent) - 2 * w.hop_cost
        if j == i + 1:
            nearest = max(cosines.max(initial=-1), peers.max(initial=-1), found.labels[row].max(initial=-1))
            skip[i] = w.skip_cost * min(1.0, max(w.skip_floor, (nearest - w.skip_origin) / 0.3))
            label[:, i] = np.where(found.labels[row] > w.label_threshold, w.label_gain, NOTHING)
            repeat[:, i] = np.where(cosines > w.repeat_threshold, w.repeat_gain, NOTHING)
    return Gains(step, first, pair, label, repeat, skip, w.silent_cost)
