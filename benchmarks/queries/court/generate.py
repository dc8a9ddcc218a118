"""The court graph: writes csv/ beside this file. PYTHONPATH must hold the repository (for benchmarks.queries.blind_graph)."""

from __future__ import annotations

import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random

sys.path.insert(0, "/work/main/benchmarks/queries")
from blind_graph import Tables, day  # noqa: E402

rng = Random(20240611)
t = Tables(Path(__file__).parent / "csv")
END = date(2024, 5, 31)


def more_edges(suffix: str, kind: str, source: str, target: str, rows, properties: str = "") -> None:
    header = [f":START_ID({source})", f":END_ID({target})", ":TYPE", *properties.split()]
    t._write(f"{kind.lower()}_{suffix}", header, [[r[0], r[1], kind, *r[2:]] for r in rows])


def maybe(value, share: float):
    return value if rng.random() < share else None


# towns
towns = [("Harrowfield", 184200), ("Alderbridge", 61300), ("Stonemouth", 97400), ("Kelby", 22800), ("Port Lennox", 143900),
         ("Marrick", 35600), ("Little Marrick", 4100), ("Thornwick", 51700), ("Velden", 18900), ("Ashcombe", None),
         ("Saltergate", 12500)]
T = {n: i for i, (n, _) in enumerate(towns)}
t.nodes("Town", "Town", "Town", "name pop:int", towns)

# courts
courts = [("Westmarch Court of Appeal", "appeal", 1911), ("Harrowfield Regional Court", "regional", 1874),
          ("Stonemouth District Court", "district", 1932), ("Port Lennox District Court", "district", 1958),
          ("Alderbridge District Court", "district", 1903), ("Thornwick District Court", "district", 1987),
          ("Kelby Magistrates' Court", "magistrates", 2006)]
t.nodes("Court", "Court", "Court", "name tier openedYr:int", courts)
court_town = ["Harrowfield", "Harrowfield", "Stonemouth", "Port Lennox", "Alderbridge", "Thornwick", "Kelby"]
t.edges("BASED_IN", "Court", "Town", [(i, T[n]) for i, n in enumerate(court_town)])

rooms = [("Great Hall", 0, 220, True, 1), ("Chamber of Appeals", 0, 60, True, 2),
         ("Room 101", 1, 90, True, 1), ("Room 102", 1, 48, False, 1), ("Room 204", 1, 36, True, 2), ("Room 310", 1, 24, False, 3),
         ("Assize Hall", 1, 150, False, 0),
         ("Harbour Room", 2, 70, True, 1), ("Lower Harbour Room", 2, 32, False, 0),
         ("Dock Hall", 3, 84, True, 1), ("Room L2", 3, 40, False, 2), ("Room L3", 3, 40, True, 2),
         ("Mill Room", 4, 55, False, 0), ("Abbey Room", 4, 30, True, 1),
         ("Thornwick Hall", 5, 64, True, 0), ("Market Room", 6, 28, False, 0)]
t.nodes("Courtroom", "Courtroom", "Courtroom", "name seats:int videoLink:boolean flr:int", [(n, s, v, f) for n, _, s, v, f in rooms])
t.edges("PART_OF", "Courtroom", "Court", [(i, r[1]) for i, r in enumerate(rooms)])
rooms_of = {c: [i for i, r in enumerate(rooms) if r[1] == c] for c in range(len(courts))}

# judges: name, court, appointed, yob, part time, chamber
judges = [
    ("Helena Vasquez-Thorne", 0, "2009-03-02", 1958, False, "Civil"), ("Rupert Alder", 0, "2004-09-15", 1955, False, "Criminal"),
    ("Ingrid Solheim", 0, "2012-01-09", 1963, False, "Civil"), ("Marcus Oyelaran", 0, "2015-06-01", 1966, True, "Criminal"),
    ("Dorothea Quist", 1, "2001-04-17", 1954, False, "Commercial"), ("Patrick Hallam", 1, "2008-10-01", 1961, False, "Criminal"),
    ("Yusuf Demir", 1, "2011-02-14", 1967, False, "Civil"), ("Beatrix Lang", 1, "2013-08-26", 1970, True, "Family"),
    ("Conrad Whitlock", 1, "2006-05-22", 1959, False, "Civil"), ("Amara Nwosu", 1, "2017-11-06", 1974, False, "Criminal"),
    ("Theodore Finch", 1, "2014-03-10", None, False, "Commercial"), ("Lucia Ferrante", 1, "2018-01-15", 1976, False, "Labour"),
    ("Gideon Marsh", 2, "2010-07-05", 1964, False, "Civil"), ("Sunniva Berg", 2, "2016-09-19", 1973, True, "Family"),
    ("Noel Pemberton", 2, "2012-12-03", 1969, False, "Criminal"),
    ("Oksana Hrytsenko", 3, "2013-05-13", 1971, False, "Commercial"), ("Declan Rourke", 3, "2007-02-26", 1960, False, "Criminal"),
    ("Mina Takahashi", 3, "2018-04-09", 1979, False, "Civil"),
    ("Edith Marsh", 4, "2005-11-21", 1957, True, "Family"), ("Samuel Adeyemi", 4, "2015-10-12", 1972, False, "Civil"),
    ("Clemence Duval", 4, "2017-06-26", 1977, False, "Criminal"),
    ("Bertram Lyle", 5, "2009-01-19", 1962, False, "Civil"), ("Priya Raghunathan", 5, "2018-02-05", None, False, "Criminal"),
    ("Walter Kestrel", 6, "2011-09-12", 1965, True, "Criminal"), ("Fiona Strand", 6, "2016-03-21", 1975, False, "Civil")]
t.nodes("Judge", "Judge", "Judge", "fullName appointedOn:date yob:int partTime:boolean chamber",
        [(n, a, y, p, c) for n, _, a, y, p, c in judges])
sits = []
for i, (_, c, a, *_rest) in enumerate(judges):
    start = date.fromisoformat(a)
    sits.append((i, c, date(start.year + rng.choice([1, 1, 2]), rng.randrange(1, 13), 1) if rng.random() < 0.35 else start))
t.edges("SITS_AT", "Judge", "Court", sits, "since:date")
judges_of = {c: [i for i, j in enumerate(judges) if j[1] == c] for c in range(len(courts))}

# firms
firms = [("Alder & Quist LLP", 1921, 4, "Harrowfield"), ("Pemberton Shaw", 1956, 3, "Harrowfield"), ("Castellane Partners", 1998, 2, "Harrowfield"),
         ("Northgate Chambers", 1979, 1, "Harrowfield"), ("Okonjo Legal", 2014, 1, "Port Lennox"), ("Lennox Maritime Law", 1963, 2, "Port Lennox"),
         ("Dray, Holt and Sons", 1888, 1, "Stonemouth"), ("Stonemouth Law Centre", 1985, 1, "Stonemouth"), ("Briar & Fenn", 2003, 1, "Thornwick"),
         ("Whitlock Moran", 1947, 2, "Alderbridge"), ("Verity Defence", 2010, 2, "Port Lennox"), ("Sable Row Advocates", 1992, None, "Harrowfield"),
         ("Kelby Legal Aid", 1991, 1, "Kelby"), ("Tamsin Roe Solicitors", 2016, 1, "Marrick")]
t.nodes("LawFirm", "LawFirm", "LawFirm", "name estd:int offices:int", [f[:3] for f in firms])
more_edges("firm", "BASED_IN", "LawFirm", "Town", [(i, T[f[3]]) for i, f in enumerate(firms)])
former = [(1, 0, 1982, 2004), (4, 0, 1980, 2001), (8, 9, 1985, 2006), (14, 1, 1996, 2012), (2, 2, 1999, 2011), (15, 5, 1997, 2013),
          (10, 2, 2000, 2014), (9, 10, 2010, 2017), (19, 9, 1999, 2015), (24, 12, 2003, 2016), (6, 3, 1994, 2011), (12, 6, 1990, 2010),
          (20, 10, 2011, 2017), (22, 8, None, 2018), (3, 1, 1992, 2015)]
t.edges("FORMERLY_AT", "Judge", "LawFirm", former, "fromYr:int toYr:int")

# people's names, all distinct
firsts = """Abigail Adrian Agnes Aidan Alasdair Alice Amina Andrei Anneke Arjun Astrid Aurelia Basil Benedikt Bridget Callum Camille Carlos
Cedric Chiara Cora Cyril Dagny Damian Daphne Desmond Edmund Elif Elspeth Emeka Enid Esther Farida Felix Fergus Flora Gareth Georgia Greta
Hamish Hana Harriet Hector Hugo Ines Isolde Ivan Jasper Joan Jonas Judith Kasimir Kirsten Kofi Lars Leila Leonie Linus Lorcan Mabel Magnus
Maeve Malik Margot Matteo Mercy Milo Miriam Nadia Nathaniel Nerys Niamh Olaf Olive Omar Oscar Pavel Petra Philippa Quentin Rafael Ramona Rhys
Rosalind Rowan Sabine Saskia Selma Silas Simone Stellan Tabitha Tariq Tessa Tobias Ulrika Valentin Vera Viktor Wanda Wilfred Winifred Xenia Yannick
Yolanda Zachary Zelda""".split()
lasts = """Alder Quist Marsh Finch Hallam Lyle Strand Rourke Abernathy Bexley Bratt Calloway Carrow Chandra Coyle Dahl Danquah Dray Drummond Ekström
Fairweather Fenn Gallagher Garrick Grimshaw Haddad Holt Huxtable Ibarra Iqbal Jankowski Jessop Kaplan Kerrigan Kowal Langley Lindqvist Lovell
MacInnes Mbeki Merriweather Moran Nakamura Novak O'Dowd Okafor Olsen Orlov Pagett Pascoe Petrov Quill Radley Ravel Rennie Roe Sandoval Shaw Sinclair
Soames Steiner Tanner Tench Thackeray Tremaine Ullman Varga Venn Wainwright Weir Westlake Yardley Yeo Zeller""".split()
used = {j[0] for j in judges}


def person_name() -> str:
    while True:
        n = f"{rng.choice(firsts)} {rng.choice(lasts)}"
        if n not in used:
            used.add(n)
            return n


# lawyers
fields = ["commercial", "criminal defence", "family", "employment", "property", "maritime", "personal injury", "tax"]
firm_field = {5: "maritime", 10: "criminal defence"}
lawyers, works = [], []
n_private, n_pros = 58, 9
partners: dict[int, int] = {}
for i in range(n_private):
    f = i % len(firms) if i < 2 * len(firms) else rng.choices(range(len(firms)), [6, 5, 5, 4, 2, 3, 2, 2, 2, 3, 4, 3, 1, 1])[0]
    adm = day(rng, "1985-01-01", "2017-12-31")
    field = firm_field.get(f) if f in firm_field and rng.random() < 0.8 else rng.choice(fields)
    rate = None if rng.random() < 0.1 else rng.randrange(12, 58) * 10 + (5 if rng.random() < .2 else 0)
    aid = f in (7, 12) or rng.random() < 0.25
    if f in (7, 12):
        rate = rng.choice([85, 90, 95, 105, 110])
    name = person_name()
    lawyers.append([name, f"WB{rng.randrange(10000, 99999)}", adm, field, rate, aid])
    since = day(rng, str(max(adm, date(firms[f][1], 12, 31))), "2018-10-31") if max(adm, date(firms[f][1], 12, 31)) < date(2018, 10, 1) else adm
    partner = rng.random() < 0.3 and adm.year < 2010
    works.append((i, f, since, partner))
for _ in range(n_pros):
    lawyers.append([person_name(), f"WB{rng.randrange(10000, 99999)}", day(rng, "1990-01-01", "2014-12-31"), "prosecution", None, False])
assert len({x[1] for x in lawyers}) == len(lawyers)
t.nodes("Lawyer", "Lawyer", "Lawyer", "name bar_no admitted:date speciality hourly_rate:int takesLegalAid:boolean", lawyers)
t.edges("WORKS_FOR", "Lawyer", "LawFirm", works, "since:date partner:boolean")

# persons
jobs = ["teacher", "nurse", "fisherman", "plumber", "accountant", "lorry driver", "shopkeeper", "farmer", "electrician", "surgeon", "engineer",
        "student", "retired", "chef", "architect", "crane operator", "journalist", "pharmacist", "estate agent", "builder", "dentist"]
expert_jobs = ["forensic accountant", "pathologist", "toxicologist", "structural engineer", "handwriting expert", "child psychologist"]
persons = []
for i in range(118):
    job = expert_jobs[i - 106] if 106 <= i < 112 else rng.choice(jobs)
    persons.append((person_name(), maybe(day(rng, "1941-01-01", "2001-12-31"), 0.93), maybe(job, 0.88) if not 106 <= i < 112 else job))
t.nodes("Person", "Person", "Person", "full_name dob:date occupation", persons)
t.edges("LIVES_IN", "Person", "Town", [(i, rng.choices(range(len(towns)), [18, 9, 11, 6, 14, 5, 2, 8, 4, 4, 3])[0]) for i in range(len(persons))
                                       if rng.random() < 0.96])

# companies
companies = [("Brightwater Foods", "food", "Stonemouth"), ("Lennox Shipping", "shipping", "Port Lennox"), ("Kelby Quarries", "mining", "Kelby"),
             ("Harrow Homes", "construction", "Harrowfield"), ("Marrick Mills", "textiles", "Marrick"), ("Ashcombe Dairy", "food", "Ashcombe"),
             ("Tidewell Energy", "energy", "Port Lennox"), ("Northgate Insurance", "insurance", "Harrowfield"), ("Velden Vineyards", "food", "Velden"),
             ("Orbis Logistics", "transport", "Port Lennox"), ("Thornwick Motors", "retail", "Thornwick"), ("Sandpiper Hotels", "hospitality", "Stonemouth"),
             ("Greyfriars Bank", "banking", "Harrowfield"), ("Lennox Cold Storage", "food", "Port Lennox"), ("Pinnacle Scaffolding", "construction", "Alderbridge"),
             ("Westmarch Rail", "transport", "Harrowfield"), ("Helix Diagnostics", "healthcare", "Harrowfield"), ("Copperline Telecom", "telecoms", "Harrowfield"),
             ("Bluebell Care Homes", "healthcare", "Thornwick"), ("Stonemouth Ferries", "shipping", "Stonemouth"), ("Quarrybank Cement", "construction", "Kelby"),
             ("Alderbridge Gazette", "media", "Alderbridge"), ("Fairmile Estates", "property", "Alderbridge"), ("Nimbus Software", "technology", "Harrowfield"),
             ("Redgate Brewery", "food", "Thornwick"), ("Saltergate Salvage", "shipping", "Saltergate"), ("Crown & Anchor Inns", "hospitality", "Port Lennox"),
             ("Willowmere Pharma", "healthcare", "Marrick"), ("Gantry Cranes", "engineering", "Port Lennox"), ("Holloway Security", "services", "Harrowfield"),
             ("Verdant Waste", "services", "Stonemouth"), ("Ironbridge Steel", "mining", "Harrowfield"), ("Larkspur Media", "media", "Harrowfield"),
             ("Dunmore Freight", "transport", "Velden"), ("Meridian Leasing", "banking", "Harrowfield"), ("Osprey Airways", "transport", None)]
rows = []
seen_hc = set()
for n, s, _ in companies:
    hc = rng.choice([rng.randrange(8, 90), rng.randrange(90, 700), rng.randrange(700, 4200)])
    while hc in seen_hc:
        hc += 1
    seen_hc.add(hc)
    rows.append((n, f"HRB {rng.randrange(10000, 99999)}", s, maybe(hc, 0.9), rng.random() < 0.3))
t.nodes("Company", "Company", "Company", "name regNo sector headcount:int listed:boolean", rows)
more_edges("company", "BASED_IN", "Company", "Town", [(i, T[c[2]]) for i, c in enumerate(companies) if c[2]])
retains = []
for i in range(len(companies)):
    if rng.random() < 0.6:
        f = 5 if companies[i][1] == "shipping" and rng.random() < .7 else rng.choice([0, 0, 1, 1, 2, 2, 3, 4, 6, 8, 9, 9, 11])
        retains.append((i, f, day(rng, "2010-01-01", "2022-12-31") if firms[f][1] < 2010 else day(rng, "2016-01-01", "2022-12-31"), maybe(rng.randrange(12, 260) * 1000, 0.92)))
t.edges("RETAINS", "Company", "LawFirm", retains, "since:date annualFeeEur:int")

# statutes and charges
statutes = [("Penal Code", "WL 1951/3", 1951, True), ("Civil Code", "WL 1934/1", 1934, True), ("Companies Act", "WL 1968/22", 1968, True),
            ("Companies Act 2009", "WL 2009/14", 2009, True), ("Employment Protection Act", "WL 1976/41", 1976, True), ("Consumer Sales Act", "WL 1999/8", 1999, True),
            ("Maritime Carriage Act", "WL 1958/17", 1958, True), ("Family Relations Act", "WL 1983/5", 1983, True), ("Child Maintenance Act", "WL 1994/29", 1994, True),
            ("Road Traffic Act", "WL 1972/11", 1972, True), ("Narcotics Act", "WL 1980/36", 1980, True), ("Environmental Liability Act", "WL 2005/19", 2005, True),
            ("Data Protection Act", "WL 2017/6", 2017, True), ("Press and Defamation Act", "WL 1961/9", 1961, True), ("Tenancy Act", "WL 1971/27", 1971, True),
            ("Insolvency Act", "WL 1987/33", 1987, True), ("Fraud and Bribery Act", "WL 2001/12", 2001, True), ("Firearms Act", "WL 1964/30", 1964, True),
            ("Vagrancy Act", "WL 1912/2", 1912, False), ("Unfair Competition Act", "WL 1929/7", 1929, False), ("Code of Civil Procedure", "WL 1955/10", 1955, True),
            ("Code of Criminal Procedure", "WL 1956/2", 1956, True)]
S = {s[0]: i for i, s in enumerate(statutes)}
t.nodes("Statute", "Statute", "Statute", "shortTitle citation enactedYr:int inForce:boolean", statutes)
charges = [("Theft", 3, False, "Penal Code", "§ 242"), ("Aggravated Theft", 10, True, "Penal Code", "§ 243"), ("Burglary", 8, True, "Penal Code", "§ 244"),
           ("Robbery", 15, True, "Penal Code", "§ 249"), ("Assault", 5, False, "Penal Code", "§ 223"), ("Aggravated Assault", 10, True, "Penal Code", "§ 224"),
           ("Manslaughter", 15, True, "Penal Code", "§ 212"), ("Arson", 12, True, "Penal Code", "§ 306"), ("Fraud", 6, False, "Fraud and Bribery Act", "s 2"),
           ("Bribery", 7, True, "Fraud and Bribery Act", "s 9"), ("Embezzlement", 6, True, "Fraud and Bribery Act", "s 5"), ("Drunk Driving", 2, False, "Road Traffic Act", "s 31"),
           ("Dangerous Driving", 4, False, "Road Traffic Act", "s 28"), ("Drug Trafficking", 14, True, "Narcotics Act", "s 4"), ("Drug Possession", 2, False, "Narcotics Act", "s 7"),
           ("Illegal Possession of a Firearm", 5, True, "Firearms Act", "s 12"), ("Perjury", 4, False, "Penal Code", "§ 153")]
t.nodes("Charge", "Charge", "Charge", "name max_term_yrs:int felony:boolean", [c[:3] for c in charges])
t.edges("DEFINED_IN", "Charge", "Statute", [(i, S[c[3]], c[4]) for i, c in enumerate(charges)], "section")

# cases
causes = {"commercial": [("breach of contract", "Civil Code"), ("unpaid invoices", "Civil Code"), ("damaged cargo", "Maritime Carriage Act"), ("shareholder dispute", "Companies Act 2009")],
          "civil": [("personal injury", "Civil Code"), ("defamation", "Press and Defamation Act"), ("eviction", "Tenancy Act"), ("defective goods", "Consumer Sales Act"),
                    ("medical negligence", "Civil Code"), ("pollution", "Environmental Liability Act")],
          "labour": [("unfair dismissal", "Employment Protection Act"), ("unpaid wages", "Employment Protection Act"), ("discrimination", "Employment Protection Act")],
          "family": [("divorce", "Family Relations Act"), ("child custody", "Family Relations Act"), ("child maintenance", "Child Maintenance Act")]}
chamber_for = {"commercial": "Commercial", "civil": "Civil", "labour": "Labour", "family": "Family", "criminal": "Criminal"}
cases, filed_in, heard_by, plaintiffs_p, plaintiffs_c, defs_p, defs_c, counsel, has_charge = [], [], [], [], [], [], [], [], []
hearings, hearing_of, held_in, testified = [], [], [], []
rulings, decides, written, cites = [], [], [], []
appeals, against, lodged_p, lodged_c, appeal_judge = [], [], [], [], []
titles: set[str] = set()
party_pool = list(range(84))
witness_pool = list(range(84, 106))
expert_pool = [106 + i % 6 for i in range(12)]
docket = 40
amounts: set[int] = set()


def surname(p: int) -> str:
    return persons[p][0].split(" ", 1)[1]


kinds = ["criminal"] * 36 + ["commercial"] * 24 + ["civil"] * 26 + ["labour"] * 13 + ["family"] * 11
rng.shuffle(kinds)
dates = sorted(day(rng, "2019-01-07", "2024-03-28") for _ in kinds)
for c, (kind, filed) in enumerate(zip(kinds, dates, strict=True)):
    while True:
        if kind == "criminal":
            d = [("p", rng.choice(party_pool))]
            p = []
        elif kind == "commercial":
            a, b = rng.sample(range(len(companies)), 2)
            p, d = [("c", a)], [("c", b)]
        elif kind == "family":
            a, b = rng.sample(party_pool, 2)
            p, d = [("p", a)], [("p", b)]
        elif kind == "labour":
            p, d = [("p", rng.choice(party_pool))], [("c", rng.randrange(len(companies)))]
        else:
            p = [("p", rng.choice(party_pool))]
            d = [("c", rng.randrange(len(companies)))] if rng.random() < 0.65 else [("p", rng.choice([x for x in party_pool if ("p", x) not in p]))]
        nm = lambda x: surname(x[1]) if x[0] == "p" else companies[x[1]][0]  # noqa: E731
        title = f"{nm(p[0]) if p else 'State'} v {nm(d[0])}"
        if title not in titles and title.split(" v ")[0] != title.split(" v ")[1]:
            titles.add(title)
            break
    if kind in ("civil", "commercial") and rng.random() < 0.15:
        extra = ("c", rng.choice([x for x in range(len(companies)) if ("c", x) not in p + d]))
        d.append(extra)
    if kind in ("criminal", "family"):
        court = rng.choices([1, 2, 3, 4, 5, 6], [12, 6, 7, 5, 3, 3])[0]
    else:
        court = rng.choices([1, 2, 3, 4, 5, 6], [12, 5, 7, 4, 4, 2])[0]
    want = chamber_for[kind]
    choice = [j for j in judges_of[court] if judges[j][5] == want] or [j for j in judges_of[court] if judges[j][5] in ("Civil",)] or judges_of[court]
    lead = rng.choice(choice)
    panel = court == 1 and rng.random() < 0.45
    heard_by.append((c, lead, "presiding" if panel else "sole"))
    if panel:
        for j in rng.sample([x for x in judges_of[1] if x != lead], 2):
            heard_by.append((c, j, "associate"))
    filed_in.append((c, court))
    for k, x in p:
        (plaintiffs_p if k == "p" else plaintiffs_c).append((x, c))
    for k, x in d:
        (defs_p if k == "p" else defs_c).append((x, c))
    # status
    age = (END - filed).days
    if age > 900:
        status = rng.choices(["decided", "settled", "withdrawn", "open"], [72, 15, 6, 7])[0]
    elif age > 350:
        status = rng.choices(["decided", "settled", "withdrawn", "open"], [48, 12, 5, 35])[0]
    else:
        status = rng.choices(["decided", "open"], [10, 90])[0]
    if kind == "criminal" and status == "settled":
        status = "decided"
    closed = None if status == "open" else filed + timedelta(days=rng.randrange(70, max(80, min(age - 5, 780))))
    if closed and closed > END:
        closed = END
    cause = rng.choice(causes[kind]) if kind != "criminal" else None
    amount = None
    if kind in ("commercial", "civil", "labour") and rng.random() < 0.92:
        lo, hi = {"commercial": (40, 4800), "civil": (5, 600), "labour": (4, 90)}[kind]
        amount = rng.randrange(lo, hi) * 1000 + rng.choice([0, 0, 500, 250])
        while amount in amounts:
            amount += 100
        amounts.add(amount)
    sealed = rng.random() < (0.5 if kind == "family" else 0.06)
    docket += rng.randrange(3, 17)
    suffix = {"criminal": "Kr", "commercial": "HO", "civil": "C", "labour": "Ar", "family": "F"}[kind]
    cases.append((title, f"{suffix} {docket}/{filed.year % 100}", kind, cause[0] if cause else None, status, filed, closed, amount, sealed))
    # counsel
    private = [i for i in range(n_private) if lawyers[i][2] < filed]
    match = {"criminal": ["criminal defence"], "commercial": ["commercial", "maritime", "tax"], "civil": ["personal injury", "property", "commercial"],
             "labour": ["employment"], "family": ["family"]}[kind]
    pool = [i for i in private if lawyers[i][3] in match]
    if len(pool) < 4:
        pool = private
    firm_of = {w[0]: w[1] for w in works}

    def pick(side: str, avoid: set[int]) -> set[int]:
        options = [i for i in pool if firm_of[i] not in avoid] or [i for i in private if firm_of[i] not in avoid]
        first = rng.choice(options)
        counsel.append((first, c, side, True, maybe(rng.randrange(8, 310), 0.94)))
        if rng.random() < 0.22:
            mates = [i for i in private if firm_of[i] == firm_of[first] and i != first]
            if mates:
                counsel.append((rng.choice(mates), c, side, False, rng.randrange(3, 120)))
        return {firm_of[first]}

    if kind == "criminal":
        counsel.append((n_private + rng.randrange(n_pros), c, "prosecution", True, None))
        pick("defence", set())
    else:
        got = pick("plaintiff", set())
        if rng.random() < 0.94:
            pick("defence", got)
    # charges
    if kind == "criminal":
        for ch in rng.sample(range(len(charges)), rng.choices([1, 2, 3], [60, 30, 10])[0]):
            has_charge.append((c, ch, rng.choice([1, 1, 1, 2, 2, 3, 4, 6]), maybe(rng.choice(["guilty", "not guilty", "not guilty"]), 0.9)))
    # hearings
    last = closed or END
    n_h = rng.choices([0, 1, 2, 3], [18, 42, 28, 12])[0]
    when = sorted(filed + timedelta(days=rng.randrange(20, max(25, (last - filed).days))) for _ in range(n_h))
    for k, w in enumerate(when):
        h = len(hearings)
        kind_h = "preliminary" if k == 0 and n_h > 1 else rng.choice(["main", "main", "evidence", "costs"] if kind != "criminal" else ["trial", "trial", "bail", "sentencing"])
        hearings.append((f"H{filed.year % 100}-{h + 101:04d}", kind_h, w, maybe(rng.randrange(3, 78) * 5 + rng.choice([0, 0, 1, 2]), 0.94),
                         not sealed and rng.random() < 0.9))
        hearing_of.append((h, c))
        held_in.append((h, rng.choice(rooms_of[court])))
        taken = {x for _, x in p + d}
        if kind_h not in ("preliminary", "costs", "bail") and rng.random() < 0.75:
            for wp in rng.sample([x for x in witness_pool + party_pool[:20] if x not in taken], rng.choice([1, 1, 2])):
                testified.append((wp, h, "witness", rng.random() < 0.8))
            if rng.random() < 0.35:
                testified.append((rng.choice(expert_pool), h, "expert", True))
    # ruling
    if status == "decided":
        r = len(rulings)
        if kind == "criminal":
            outcome = rng.choices(["convicted", "acquitted"], [70, 30])[0]
        else:
            outcome = rng.choices(["for plaintiff", "for defendant", "partly for plaintiff"], [45, 35, 20])[0]
        damages = None
        if outcome == "for plaintiff" and amount:
            damages = amount if rng.random() < 0.4 else int(amount * rng.uniform(0.6, 0.98) // 100 * 100)
        if outcome == "partly for plaintiff" and amount:
            damages = int(amount * rng.uniform(0.15, 0.6) // 100 * 100)
        months = None
        if outcome == "convicted" and rng.random() < 0.9:
            top = max(charges[h[1]][1] for h in has_charge if h[0] == c) * 12
            months = rng.randrange(3, max(6, int(top * 0.8)))
        rulings.append((f"J-{closed.year}-{r + 11:03d}", closed, outcome, damages, months, not sealed and rng.random() < 0.65))
        decides.append((r, c))
        written.append((r, lead))
        main = S[cause[1]] if cause else None
        cited = set()
        if main is not None and rng.random() < 0.9:
            cited.add(main)
        if kind == "criminal":
            cited |= {S[charges[h[1]][3]] for h in has_charge if h[0] == c}
        if rng.random() < 0.4:
            cited.add(S["Code of Criminal Procedure" if kind == "criminal" else "Code of Civil Procedure"])
        if kind in ("commercial",) and rng.random() < 0.3:
            cited.add(S["Companies Act"])
        for s in sorted(cited):
            cites.append((r, s))
        # appeal
        if closed < date(2024, 3, 1) and rng.random() < 0.4:
            a = len(appeals)
            lod = closed + timedelta(days=rng.randrange(8, 31))
            dec = lod + timedelta(days=rng.randrange(90, 420))
            result = rng.choices(["allowed", "dismissed", "withdrawn"], [35, 50, 15])[0]
            if dec > END:
                dec, result = None, "pending"
            appeals.append((f"AP-{lod.year % 100}/{a + 1:02d}", lod, dec, result))
            against.append((a, r))
            loser = (p or d) if outcome in ("for defendant", "partly for plaintiff") else d
            if outcome == "acquitted":
                loser = []
            if loser:
                k, x = loser[0]
                (lodged_p if k == "p" else lodged_c).append((a, x))
            for j in rng.sample(judges_of[0], 1 if rng.random() < 0.4 else 3):
                appeal_judge.append((a, j, "sole"))
# the first judge of a panel presides
by = {}
for a, j, _ in appeal_judge:
    by.setdefault(a, []).append(j)
appeal_judge = [(a, j, "sole" if len(js) == 1 else ("presiding" if k == 0 else "associate")) for a, js in by.items() for k, j in enumerate(js)]

t.nodes("Case", "Case", "Case", "title docketNo caseType cause status filed:date closed:date amt_in_dispute:int sealed:boolean", cases)
t.nodes("Hearing", "Hearing", "Hearing", "ref hearingType heldOn:date durMin:int openToPublic:boolean", hearings)
t.nodes("Ruling", "Ruling", "Ruling", "rulingNo issued:date outcome damagesEur:int sentence_mths:int published:boolean", rulings)
t.nodes("Appeal", "Appeal", "Appeal", "appealNo lodged:date decided:date result", appeals)
t.edges("FILED_IN", "Case", "Court", filed_in)
t.edges("HEARD_BY", "Case", "Judge", heard_by, "role")
more_edges("appeal", "HEARD_BY", "Appeal", "Judge", appeal_judge, "role")
t.edges("PLAINTIFF_IN", "Person", "Case", plaintiffs_p)
more_edges("company", "PLAINTIFF_IN", "Company", "Case", plaintiffs_c)
t.edges("DEFENDANT_IN", "Person", "Case", defs_p)
more_edges("company", "DEFENDANT_IN", "Company", "Case", defs_c)
t.edges("COUNSEL_IN", "Lawyer", "Case", counsel, "side lead:boolean hrs_billed:int")
t.edges("HAS_CHARGE", "Case", "Charge", has_charge, "counts:int plea")
t.edges("HEARING_OF", "Hearing", "Case", hearing_of)
t.edges("HELD_IN", "Hearing", "Courtroom", held_in)
t.edges("TESTIFIED_AT", "Person", "Hearing", testified, "capacity sworn:boolean")
t.edges("DECIDES", "Ruling", "Case", decides)
t.edges("WRITTEN_BY", "Ruling", "Judge", written)
t.edges("CITES", "Ruling", "Statute", cites)
t.edges("AGAINST", "Appeal", "Ruling", against)
t.edges("LODGED_BY", "Appeal", "Person", lodged_p)
more_edges("company", "LODGED_BY", "Appeal", "Company", lodged_c)
