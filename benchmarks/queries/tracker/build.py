"""Writes the issue tracker graph: `python -m benchmarks.queries.tracker.build [folder]`."""

from __future__ import annotations

import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random

from benchmarks.queries.blind_graph import Tables, Value, day

HERE = Path(__file__).resolve().parent
SEED = 4242

DEVELOPERS = """Aisha Rahman|Ben Whitlock|Camila Duarte|Daniel Osei|Eva Lindholm|Finn Carter|Grace Okonkwo|
Hiro Matsuda|
Irene Costa|Jakub Nowak|Katya Sokolova|Liam Carter|Mei Huang|Noor Haddad|Oliver Brandt|Paula Jiménez|Quincy Adeyemi|
Ravi Menon|
Sofia Lindholm|Tomás Herrera|Ulla Bergström|Viktor Hale|Wanda Kruger|Xavier Dupont|Yara Haddad|Zane Porter|
Ben Nakamura|
Daniel Fischer|Grace Porter|Mira Petrović|Nils Aalto|Olga Winters|Pavel Horák|
Ruth Abramson""".replace("\n", "").split("|")
CITIES = ["Berlin", "Lisbon", "Toronto", "Nairobi", "Krakow"]
TEAMS: list[list[Value]] = [
    ["Falcon", "payments", 2018, 410000],
    ["Otter", "mobile", 2019, 350000],
    ["Badger", "platform", 2016, 620000],
    ["Heron", "search and data", 2020, 300000],
    ["Lynx", "security", 2021, 280000],
    ["Magpie", "web", 2017, 390000],
]
REPOSITORIES: list[list[Value]] = [
    ["harbor-core", "Go", True, 2016],
    ["harbor-web", "TypeScript", True, 2017],
    ["harbor-mobile", "Kotlin", False, 2019],
    ["harbor-infra", "Python", False, 2018],
]
COMPONENTS: list[list[Value]] = [  # name, language, lines of code, test coverage in percent, critical
    ["Checkout", "Go", 18400, 81.5, True],
    ["Invoicing", "Go", 12100, 77.0, True],
    ["Login", "Go", 6900, 91.2, True],
    ["Notifications", "Python", 5200, 64.8, False],
    ["Search", "Go", 15300, 72.4, True],
    ["Android App", "Kotlin", 42100, 58.3, True],
    ["iOS App", "Swift", 39800, 55.1, True],
    ["Web Shop", "TypeScript", 51700, 69.9, True],
    ["Admin Console", "TypeScript", 23600, 48.7, False],
    ["Reporting", "Python", 9700, 60.2, False],
    ["Message Queue", "Go", 8800, 88.6, True],
    ["Deployment Scripts", "Python", 3100, None, False],
    ["Rate Limiter", "Go", 2400, 94.0, False],
    ["Audit Log", "Go", 4500, 85.3, False],
]
OWNER = [0, 0, 4, 1, 3, 1, 1, 5, 5, 3, 2, 2, 2, 4]
HOME = [0, 0, 0, 0, 0, 2, 2, 1, 1, 3, 0, 3, 0, 0]
DEPENDS = "0:1 0:2 0:10 1:13 2:12 2:13 3:10 4:10 5:2 5:0 5:4 6:2 6:0 7:0 7:2 7:4 8:2 8:13 9:10 9:1 10:12"
RELEASES: list[list[Value]] = [
    ["Anchor 1.0", "2023-11-15", "released", True],
    ["Anchor 1.1", "2024-02-20", "released", False],
    ["Beacon 2.0", "2024-06-04", "released", True],
    ["Beacon 2.1", "2024-09-17", "released", False],
    ["Beacon 2.2", "2024-12-10", "released", False],
    ["Compass 3.0", "2025-03-25", "released", True],
    ["Compass 3.1", "2025-06-24", "in testing", False],
    ["Compass 3.2", "2025-09-30", "planned", False],
    ["Dinghy 4.0", None, "planned", True],
]
LABELS = [
    "regression",
    "customer-reported",
    "good first issue",
    "performance",
    "accessibility",
    "flaky test",
    "security",
    "tech debt",
    "documentation",
    "needs design",
    "data loss",
    "quick win",
]
# component, type (b bug, s story, t task), title
ISSUES = """0b Card payment fails with 3-D Secure|0b Coupon applied twice at checkout|0s Pay with bank transfer
0b Rounding error in basket total
0t Remove legacy payment adapter|0b Checkout hangs on slow networks|0s Save cards for later purchases
0b Duplicate orders after retry|0s Split payment between two cards
1b Invoice PDF shows wrong VAT|1s Monthly invoice summary mail|1b Credit notes missing from export
1t Migrate invoices to new schema|1b Invoice numbers skip after midnight|1s Invoices in several currencies
2b Login loops on expired session|2s Sign in with passkeys|2b Password reset mail never arrives
2t Rotate signing keys|2b Account lock ignores admin override|2s Single sign-on for partners
2b Captcha unreadable for screen readers
3b Push notification sent twice|3s Quiet hours for notifications|3b Mail footer in wrong language
3t Switch mail provider|3b Unsubscribe link broken
4b Search ignores umlauts|4s Filter results by delivery time|4b Empty results for long queries
4t Rebuild index nightly|4b Search suggestions flicker|4s Synonyms for product names
4b Index job runs out of memory|4t Benchmark ranking changes
5b App crashes on Android 14|5s Dark mode on Android|5b Camera permission asked every time|5t Update Kotlin to 2.0
5b Battery drain in background|5b Back button closes the app|5s Offline basket on Android
6b Widgets freeze on iOS 17|6s Dark mode on iOS|6b Keyboard hides the pay button|6t Drop support for iOS 14
6b Memory leak in image gallery|6s Share wish list by message|6b Face recognition login fails
7b Product page jumps while loading|7s Compare products side by side|7b Cookie banner covers footer
7t Upgrade to React 19|7b Basket icon shows stale count|7s Gift wrapping option
7b Wrong delivery date in winter time|7t Compress product images|7b Broken layout on tablets
7s Customer photos in reviews|7b Wish list lost after login
8b Bulk edit drops the last row|8s Role management for support staff|8b Audit filter shows wrong month
8t Replace old table widget|8b Admin session never times out|8s Export customers as spreadsheet
8b Refund button visible to guests
9b Sales report counts refunds|9s Weekly revenue dashboard|9b Chart colors unreadable|9t Move reports to warehouse
9b Report export times out|9s Schedule reports by mail
10b Messages lost on restart|10s Dead letter queue viewer|10b Consumer lag grows overnight
10t Raise partition count|10b Ordering broken after failover|10t Document queue topics
11b Rollback script leaves locks|11t Parallel test runs|11b Staging deploy uses old image
11t Remove manual approval step|11s One-click preview environments|11b Secrets printed in build log
12b Limits reset every minute|12s Limits per customer plan|12t Tune burst size|12b Health checks are throttled
13b Audit entries out of order|13s Search in audit log|13t Archive entries after two years
13b User name missing in audit entry|13b Clock drift corrupts timestamps
7s Keyboard shortcuts for the shop|0b Currency symbol missing in receipt|4b Price filter excludes free items
2t Remove unused OAuth scopes|5t Shrink install size|8t Translate console to Polish|1b Late fee charged on weekends
3s Text message alerts|10b Queue dashboard shows zero|9t Clean up stale metrics|13t Encrypt audit backups
12t Load test the limiter""".replace("\n", "|").split("|")
COMMENTS = [
    "Reproduced on staging.",
    "I cannot reproduce this any more.",
    "This is a blocker for the release.",
    "Logs attached.",
    "Could you add steps to reproduce?",
    "Works on my machine.",
    "A customer called about this again.",
    "Fixed on the branch, please test.",
    "We should split this up.",
    "The design is in the wiki.",
    "Raising the priority.",
    "Same stack trace as last week.",
]
STATUS = ["open", "open", "in progress", "in review", "closed", "closed", "closed", "closed"]


def build(folder: Path) -> None:
    """Write the tables of the graph."""
    rng, t = Random(SEED), Tables(folder)
    devs, issues = range(len(DEVELOPERS)), range(len(ISSUES))
    part = [int(x.split()[0][:-1]) for x in ISSUES]
    kind = [x.split()[0][-1] for x in ISSUES]
    title = [x.split(" ", 1)[1] for x in ISSUES]
    t.nodes("teams", "Team", "Team", "name focus founded:int budget_usd:int", TEAMS)
    t.nodes("repositories", "Repository", "Repository", "name language public:boolean created:int", REPOSITORIES)
    t.nodes(
        "components",
        "Component",
        "Component",
        "name language lines_of_code:int test_coverage:float critical:boolean",
        COMPONENTS,
    )
    t.nodes("releases", "Release", "Release", "name release_date:date status major:boolean", RELEASES)
    t.nodes("labels", "Label", "Label", "name", [[x] for x in LABELS])
    roles = [
        "backend engineer",
        "frontend engineer",
        "mobile engineer",
        "QA engineer",
        "data engineer",
        "engineering manager",
        "security engineer",
    ]
    team = [i % 6 for i in devs]
    role = [5 if i < 6 else {0: 0, 1: 2, 2: 0, 3: 4, 4: 6, 5: 1}[team[i]] if i % 7 else 3 for i in devs]
    t.nodes(
        "developers",
        "Developer",
        "Developer",
        "name email role city remote:boolean joined_on:date years_experience:int github",
        [
            [
                n,
                f"{n.split()[0].lower()}.{n.split()[1].lower()}@harborsoft.example",
                roles[role[i]],
                rng.choice(CITIES),
                rng.random() < 0.4,
                day(rng, "2016-02-01", "2024-10-31"),
                rng.randrange(1, 26),
                None if rng.random() < 0.3 else n.split()[0].lower()[:3] + n.split()[1].lower()[:4],
            ]
            for i, n in enumerate(DEVELOPERS)
        ],
    )
    sprints: list[list[Value]] = [
        [
            f"Sprint {41 + i}",
            (start := date(2025, 1, 6) + timedelta(days=14 * i)),
            start + timedelta(days=13),
            rng.randrange(20, 46),
        ]
        for i in range(12)
    ]
    t.nodes("sprints", "Sprint", "Sprint", "name start_date:date end_date:date capacity_points:int", sprints)
    rows: list[list[Value]] = []
    born = [date.min for _ in issues]
    for i in issues:
        created = born[i] = day(rng, "2024-01-08", "2025-05-20")
        status = rng.choice(STATUS)
        closed = created + timedelta(days=rng.randrange(2, 120)) if status == "closed" else None
        if closed and closed > date(2025, 6, 15):
            closed, status = None, "in review"
        rows.append(
            [
                f"HRB-{101 + i}",
                title[i],
                status,
                rng.choice(["low", "medium", "medium", "high", "high", "critical"])
                if kind[i] == "b"
                else rng.choice(["low", "medium", "high"]),
                created,
                closed,
                rng.choice([1, 2, 3, 5, 8, 13]) if kind[i] != "b" or rng.random() < 0.4 else None,
                rng.randrange(0, 60),
            ]
        )
    words = {"b": "Bug;Issue", "s": "Story;Issue", "t": "Task;Issue"}
    t.nodes(
        "issues",
        "Issue",
        [words[k] for k in kind],
        "key title status priority created_on:date closed_on:date story_points:int votes:int",
        rows,
    )
    t.edges(
        "MEMBER_OF",
        "Developer",
        "Team",
        [[i, team[i], rng.choice([50, 80, 100, 100])] for i in devs],
        "allocation_percent:int",
    )
    t.edges(
        "LEADS",
        "Developer",
        "Team",
        [[[0, 7, 2, 9, 4, 11][x], x, rng.randrange(2019, 2025)] for x in range(6)],
        "since:int",
    )
    t.edges(
        "MENTORS", "Developer", "Developer", [[rng.randrange(12), i] for i in devs if i > 14 and rng.random() < 0.7]
    )
    t.edges("OWNS", "Team", "Component", [[o, i] for i, o in enumerate(OWNER)])
    t.edges("STORED_IN", "Component", "Repository", [[i, o] for i, o in enumerate(HOME)])
    t.edges("DEPENDS_ON", "Component", "Component", [[*x.split(":")] for x in DEPENDS.split()])
    t.edges("MANAGED_BY", "Release", "Developer", [[i, [0, 1, 0, 5, 2, 3, 2, 5][i]] for i in range(8)])
    near = [[d for d in devs if team[d] == OWNER[part[i]]] for i in issues]
    assigned = [None if rows[i][2] == "open" and rng.random() < 0.5 else rng.choice(near[i]) for i in issues]
    t.edges("REPORTED_BY", "Issue", "Developer", [[i, rng.choice(devs)] for i in issues])
    t.edges("ASSIGNED_TO", "Issue", "Developer", [[i, a] for i, a in enumerate(assigned) if a is not None])
    t.edges("AFFECTS", "Issue", "Component", [[i, part[i]] for i in issues])
    t.edges("FOUND_IN", "Issue", "Release", [[i, rng.randrange(6)] for i in issues if kind[i] == "b"])
    t.edges("TARGETED_FOR", "Issue", "Release", [[i, rng.randrange(4, 9)] for i in issues if rng.random() < 0.7])
    t.edges("PLANNED_IN", "Issue", "Sprint", [[i, rng.randrange(12)] for i in issues if rng.random() < 0.6])
    t.edges(
        "HAS_LABEL", "Issue", "Label", [[i, x] for i in issues for x in rng.sample(range(12), rng.choice([0, 1, 1, 2]))]
    )
    t.edges(
        "BLOCKS",
        "Issue",
        "Issue",
        [[i, rng.choice([j for j in issues if j > i])] for i in issues if i < 110 and rng.random() < 0.25],
    )
    bugs = [i for i in issues if kind[i] == "b"]
    t.edges(
        "DUPLICATES",
        "Issue",
        "Issue",
        [[b, rng.choice([a for a in bugs if a < b])] for b in bugs if b > 8 and rng.random() < 0.15],
    )
    t.edges(
        "WORKED_ON",
        "Developer",
        "Issue",
        [
            [d, i, rng.randrange(1, 41)]
            for i in issues
            if rows[i][2] != "open"
            for d in rng.sample(near[i], rng.choice([1, 1, 2]))
        ],
        "hours:int",
    )
    done = [i for i in issues if rows[i][2] in ("closed", "in review")]
    fixed = sorted(rng.sample(done, min(64, len(done))))
    pulls: list[list[Value]] = []
    begun: list[date] = []
    for n, i in enumerate(fixed):
        opened = born[i] + timedelta(days=rng.randrange(1, 20))
        begun.append(opened)
        merged = rows[i][2] == "closed"
        pulls.append(
            [
                301 + n,
                {"b": "Fix: ", "s": "Feature: ", "t": "Chore: "}[kind[i]] + title[i],
                "merged" if merged else rng.choice(["open", "draft"]),
                opened,
                opened + timedelta(days=rng.randrange(0, 12)) if merged else None,
                rng.randrange(4, 900),
                rng.randrange(0, 400),
            ]
        )
    t.nodes(
        "pull_requests",
        "PullRequest",
        "PullRequest",
        "number:int title state opened_on:date merged_on:date additions:int deletions:int",
        pulls,
    )
    author = [assigned[i] if assigned[i] is not None else 0 for i in fixed]
    t.edges("FIXES", "PullRequest", "Issue", [[n, i] for n, i in enumerate(fixed)])
    t.edges("AUTHORED_BY", "PullRequest", "Developer", [[n, a] for n, a in enumerate(author)])
    t.edges(
        "REVIEWED_BY",
        "PullRequest",
        "Developer",
        [
            [n, d, rng.choice(["approved", "approved", "changes requested"])]
            for n, a in enumerate(author)
            for d in rng.sample([d for d in devs if d != a], rng.choice([0, 1, 1, 2]))
        ],
        "verdict",
    )
    t.edges("INTO", "PullRequest", "Repository", [[n, HOME[part[i]]] for n, i in enumerate(fixed)])
    changes = [(n, x) for n in range(len(fixed)) for x in range(rng.choice([1, 1, 2, 3]))]
    t.nodes(
        "commits",
        "Commit",
        "Commit",
        "sha message committed_on:date lines_changed:int",
        [
            [
                f"{rng.randrange(16**7):07x}",
                rng.choice(["first attempt", "add test", "address review", "clean up", "final version", "typo"])
                if x
                else f"work on {rows[fixed[n]][0]}",
                begun[n] + timedelta(days=x),
                rng.randrange(1, 600),
            ]
            for n, x in changes
        ],
    )
    t.edges("PART_OF", "Commit", "PullRequest", [[c, n] for c, (n, _) in enumerate(changes)])
    t.edges(
        "COMMITTED_BY",
        "Commit",
        "Developer",
        [[c, author[n] if rng.random() < 0.85 else rng.choice(devs)] for c, (n, _) in enumerate(changes)],
    )
    spoken = [(rng.choice(issues), rng.choice(devs)) for _ in range(60)]
    t.nodes(
        "comments",
        "Comment",
        "Comment",
        "text posted_on:date",
        [[rng.choice(COMMENTS), born[i] + timedelta(days=rng.randrange(1, 30))] for i, _ in spoken],
    )
    t.edges("ON", "Comment", "Issue", [[c, i] for c, (i, _) in enumerate(spoken)])
    t.edges("WRITTEN_BY", "Comment", "Developer", [[c, d] for c, (_, d) in enumerate(spoken)])


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "csv")
