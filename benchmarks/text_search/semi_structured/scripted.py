"""Plans of a scripted model: right ones, wrong ones, and hostile ones.

The model is a server on loopback that speaks as an OpenAI-compatible endpoint does, in the role of the planner alone,
so that everything between its reply and the answers is the real thing. Four runs:

    right          the plan that follows from what is wanted, with the question's own words for what is searched
    wrong once     the first plan has a fault, its correction is right
    wrong twice    the correction has a fault, too: what is left is the search without a plan
    hostile        plans that write, read far more than they may, or are no plans; the graph must stay as it is
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.text_search.semi_structured.baselines import read_texts
from benchmarks.text_search.semi_structured.world import COUNTS
from clew.app.api.graph import Graph
from clew.app.cli.progress_bars import ProgressBars
from clew.app.container import Container
from clew.app.evaluation.evaluation import Evaluation
from clew.app.evaluation.questions import Question
from clew.app.settings import load_settings
from tests.scripted_model import Request, ScriptedModel

METRICS = ("n", "hits_at_1", "hits_at_5", "recall_at_20", "mrr", "errors")
NAMED_BY = {"Paper": "title"}
ARROWS = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}
LABELS = {
    "WROTE": ("Researcher", "Paper"), "WORKS_AT": ("Researcher", "Institute"), "CITES": ("Paper", "Paper"),
    "STUDIES": ("Paper", "Compound"), "DISCUSSES": ("Paper", "Condition"), "TREATS": ("Compound", "Condition"),
    "INTERACTS_WITH": ("Compound", "Compound"), "DEVELOPED_AT": ("Compound", "Institute"),
    "CONTAINS": ("Product", "Compound"), "BOUGHT_WITH": ("Product", "Product"),
}  # fmt: skip
Json = dict[str, Any]
MOST_SHOWN = 60
"""Characters at the start of a node's text by which a prompt is searched for it."""


def plan_of(line: Json, names: Mapping[str, str]) -> Json:
    """The plan for a question, as a planner would write it that understands all of it."""
    gold, said = line["gold"], {tuple(row[:3]): row[3] for row in line["phrases"]}
    steps: list[Json] = []
    last = ""
    for number, relation in enumerate(gold["relations"], start=1):
        if relation["fact"]:
            fact = tuple(relation["fact"])
            steps.append({"name": f"described{number}", "search": said[fact], "label": fact[0], "k": 100})
        steps.append({"name": f"related{number}", "cypher": _cypher(gold["label"], relation, names, number, last)})
        last = f"related{number}"
    if gold["facts"]:
        text = ", ".join(said[tuple(fact)] for fact in gold["facts"])
        within = {"within": last} if last else {}
        steps.append({"name": "found", "search": text, "label": gold["label"], "k": 20 if last else 50, **within})
        last = "found"
    if comparison := gold["comparison"]:
        steps[-1]["where"] = _conditions(comparison)
    if gold["best"]:
        steps[-1]["order"] = {"by": gold["best"][0], "descending": gold["best"][1] == "max"}
    return {"steps": steps, "answer": last}


def _cypher(label: str, relation: Json, names: Mapping[str, str], number: int, last: str) -> str:
    pattern, at = f"(a:{label})", label
    for place, (kind, side) in enumerate(relation["steps"], start=1):
        head, tail = LABELS[kind]
        at = tail if at == head and side != "in" else head
        left, right = ARROWS[side]
        pattern += f"{left}[:{kind}]{right}(n{place}:{at})"
    end = f"n{len(relation['steps'])}"
    if relation["anchor"]:
        conditions = [f"{end}.{NAMED_BY.get(at, 'name')} = {json.dumps(names[relation['anchor']])}"]
    else:
        conditions = [f"{end}.nodeId IN $described{number}"]
    if last:
        conditions.append(f"a.nodeId IN ${last}")
    return f"MATCH {pattern} WHERE {' AND '.join(conditions)} RETURN DISTINCT a"


def _conditions(comparison: Json) -> list[Json]:
    name, operator, value = comparison["property"], comparison["operator"], comparison["value"]
    if operator == "between":
        ends = ((">=", value), ("<=", comparison["high"]))
        return [{"property": name, "op": each, "value": bound} for each, bound in ends]
    return [{"property": name, "op": operator, "value": value}]


def spoilt(plan: Json, chance: random.Random) -> str:
    """The plan with one fault."""
    text = json.dumps(plan)
    label = "".join(chance.choice(re.findall(r'"label": "(\w+)"|\(a:(\w+)\)', text)))
    faults: list[Callable[[], str]] = [
        lambda: text.replace(f'"{label}"', '"Zeppelin"').replace(f":{label})", ":Zeppelin)"),
        lambda: re.sub(r"\[:\w+\]", "[:YODELS_AT]", text) if "[:" in text else text.replace('"search"', '"yodel"'),
        lambda: json.dumps({**plan, "answer": "nowhere"}),
        lambda: json.dumps({"steps": [{**plan["steps"][-1], "within": "nowhere"}], "answer": plan["answer"]}),
        lambda: "import os\nfor x in range(10):\n    print(x)",
        lambda: text[: len(text) // 2],
        lambda: json.dumps({"steps": [{"name": "a", "cypher": "MATCH (a:Paper WHERE a.x RETURN"}], "answer": "a"}),
    ]
    return chance.choice(faults)()


def hostile(label: str, chance: random.Random) -> str:
    """A plan that would do harm."""
    queries = [
        f"MATCH (a:{label}) DETACH DELETE a RETURN a",
        f"MATCH (a:{label}) SET a.name = 'gone' RETURN a",
        f"MATCH (a:{label}) REMOVE a:{label} RETURN a",
        f"CREATE (a:{label} {{name: 'new'}}) RETURN a",
        f"MERGE (a:{label} {{nodeId: 'new'}}) RETURN a",
        f"MATCH (a:{label}) FOREACH (x IN [1] | DELETE a) RETURN a",
        f"MATCH (a:{label}) CALL {{ WITH a DELETE a }} RETURN a",
        "CALL db.labels() YIELD label RETURN label",
        "LOAD CSV FROM 'file:///etc/passwd' AS a RETURN a",
        "DROP DATABASE neo4j",
        f"MATCH (a:{label}) RETURN a",
        f"MATCH (a:{label}), (b), (c), (d) RETURN a",
        f"MATCH (a:{label})-[*1..30]-(b) RETURN a LIMIT 100000000",
        f"MATCH (a:{label}) RETURN a; MATCH (b) DETACH DELETE b",
        f"MATCH (a:{label}) RETURN a UNION MATCH (a) DELETE a RETURN a",
        f"MATCH (a:{label}) WHERE a.name = '' OR 1 = 1 // ' RETURN a\nRETURN a",
    ]
    step: Json = {"name": "a", "cypher": chance.choice(queries)}
    shapes: list[Json] = [
        {"steps": [step], "answer": "a"},
        {"steps": [{"name": "a", "search": "x" * 100_000, "label": label, "k": 10**9}], "answer": "a"},
        {"steps": [{**step, "name": f"s{i}"} for i in range(500)], "answer": "s499"},
        {"steps": [{"name": "a", "search": "x", "within": "b"}, {"name": "b", "search": "x", "within": "a"}]},
        {"steps": [{**step, "where": [{"property": "name` DELETE", "op": "= 1 DELETE", "value": "' OR 1=1"}]}]},
    ]
    return json.dumps(chance.choice(shapes[:1] * 6 + shapes))


class Planner:
    """Says for each question what it is given to say, first and at the correction, and looks at the prompts."""

    def __init__(self, said: Mapping[str, tuple[str, str]], texts: Sequence[str]) -> None:
        self._said = said
        self._texts = {text[:MOST_SHOWN] for text in texts}
        self.calls = self.corrections = self.prompts_with_texts = 0

    def __call__(self, request: Request) -> str:
        question = re.search(r"<question>\s*(.*?)\s*</question>", request.user, re.S)
        correcting = "<problem>" in request.user
        self.calls += 1
        self.corrections += correcting
        prompt = f"{request.system}\n{request.user}"
        self.prompts_with_texts += any(text in prompt for text in self._texts)
        return self._said[question[1] if question else ""][correcting]


def run_scripted(folder: Path, home: Path, lines: Sequence[Json], seed: int = 0) -> Json:
    """Figures of the four runs; `texts` counts prompts that held the start of a node's description."""
    graph, described = f"semi-structured-{folder.name}", read_texts(folder, [*COUNTS])
    names = {key: _name(text) for key, text in described.items()}
    texts = [text[len(_name(text)) + 2 :] for text in described.values() if len(text) > len(_name(text)) + MOST_SHOWN]
    chance = random.Random(f"scripted {seed}")
    plans = {line["question"]: plan_of(line, names) for line in lines}
    right = {text: json.dumps(plan) for text, plan in plans.items()}
    scripts: dict[str, dict[str, tuple[str, str]]] = {
        "right": {text: (said, said) for text, said in right.items()},
        "wrong once": {text: (spoilt(plans[text], chance), said) for text, said in right.items()},
        "wrong twice": {text: (spoilt(plan, chance), spoilt(plan, chance)) for text, plan in plans.items()},
        "hostile": {line["question"]: _both(hostile, line["gold"]["label"], chance) for line in lines},
    }
    asked = [Question(line["question"], (), (), line["type"], tuple(line["answer_ids"])) for line in lines]
    return {name: _told(home, graph, asked, Planner(script, texts)) for name, script in scripts.items()}


def _both(make: Callable[[str, random.Random], str], label: str, chance: random.Random) -> tuple[str, str]:
    return make(label, chance), make(label, chance)


def _name(text: str) -> str:
    return text.partition(". ")[0]


def _told(home: Path, graph: str, questions: Sequence[Question], planner: Planner) -> Json:
    with ScriptedModel(planner) as server:
        role = {"name": "scripted", "base_url": server.base_url, "api_key": "none"}
        settings = load_settings(home=home, expansion="off", models={"plan": role})
        container = Container(settings, ProgressBars())
        before, most = _contents(container, graph), 0
        evaluation = Evaluation()

        def ask(text: str) -> Json:
            nonlocal most
            result = Graph(container, graph).ask(text, strategies=("plan",)).to_dict()
            most = max(most, len(result["answers"]))
            return result

        evaluation.run(questions, ask)
        after = _contents(container, graph)
        container.close()
    figures = evaluation.figures()
    return {
        **{metric: figures[metric] for metric in METRICS},
        "by_type": {kind: group["recall_at_20"] for kind, group in figures["by_path"].items()},
        "latency_ms": figures["latency_ms"],
        "calls": planner.calls,
        "corrections": planner.corrections,
        "prompts_with_texts": planner.prompts_with_texts,
        "most_answers": most,
        "graph_unchanged": before == after,
        "error_messages": figures["error_messages"],
    }


def _contents(container: Container, graph: str) -> list[Json]:
    """Nodes and relationships by kind, and a sum over the nodes' names."""
    store = container.store(graph)
    queries = (
        "MATCH (n) UNWIND labels(n) AS label RETURN label, count(n) AS count, sum(size(n.name)) AS letters "
        "ORDER BY label",
        "MATCH ()-[r]->() RETURN type(r) AS kind, count(r) AS count ORDER BY kind",
    )
    return [dict(row) for query in queries for row in store.scan(query)]
