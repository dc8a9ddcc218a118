"""The ranker's weights. `benchmarks/queries/ranking.py --tune` finds them. docs/ranking.md states the data sets and how
the weights change when one is left out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the ranker."""

    span_exponent: float = 0.679
    """A span of n words explained by a hop counts cosine · n to this power."""
    base: float = 0.351
    """Cosine that any two phrases have; only what is above it counts."""
    centring: float = 0.078
    """Share of a span's mean cosine over all steps that is taken off."""
    hop_cost: float = 0.265
    silent_cost: float = 0.351
    """For a hop that no word speaks of."""
    skip_cost: float = 0.064
    """Cost of a word that nothing explains …"""
    skip_floor: float = 0.677
    """… times at least this share of it for words that are near to nothing in the schema."""
    skip_origin: float = 0.387
    reverse_cost: float = 0.103
    """For going against a relation where another relation of the same meaning goes forward."""
    join_cost: float = 0.188
    """Per third of a decade of improbability that a node has the next hop."""
    label_gain: float = 0.32
    """For a word that names the kind of node where the path stands."""
    label_threshold: float = 0.681
    repeat_gain: float = 0.3
    """For a word that says the last hop again ("the director that directed")."""
    repeat_threshold: float = 0.625
    voice_cost: float = 0.101
    """Against a hop that takes the mention for the subject of a verb where it is the object, or the other way round."""
    same_bonus: float = 0.1
    """For a path that goes there and back where the question speaks of "the same", "also", "other" …"""
    return_cost: float = 0.053
    """… and against one where it does not."""
    identifier_bonus: float = 0.2
    """For a hop whose identifier's words, two or more, all stand in the question ("plays for country")."""
    left_first_cost: float = 0
    kind_bonus: float = 0.071
    """For an answer of the kind that who, when or where ask for, and against others."""
    property_cost: float = 0.105
    """For a property as the answer; a related node is the likelier one."""
    number_cost: float = 0.3
    """Against a number as the answer to who or where."""
    asked_cost: float = 0.578
    """Against an answer that the noun after what or which does not fit …"""
    asked_threshold: float = 0.806
    """… counted where that noun fits something in the schema at least this well."""
    candidate_margin: float = 0.08
    """Further candidates of a mention are tried if they link this nearly as well as the first."""
    link_weight: float = 0.5
    """How much a poor link takes off, per unit of linking score."""
    unused_cost: float = 0.338
    """For every mention that a query leaves out."""
    meeting_bonus: float = 0.0
    """For a query whose chains meet in one answer."""
    name_bonus: float = 0.35
    """For every ordinary word that a query takes for the name it also is ("which *comedies* …")."""
    schema_word: float = 0.65
    """An ordinary word that is nearer than this to a phrase of the schema is not taken for a name."""
    constraint_bonus: float = 0.1
    """For a count, order or comparison that the query honours."""
    time_bonus: float = 0.15
    """For a time that the query honours on a relationship, or reads off it."""
    over_label: float = 0.2
    """For a query over all nodes of a label, times how well the question's nouns name it."""
    sure_link: float = 0.93
    """Mentions linked less surely than this give way to the words of counts and superlatives."""
    order_threshold: float = 0.45
    """How near a property or relation must come to what a superlative names."""


WEIGHTS = Weights()
