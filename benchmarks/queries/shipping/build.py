"""Writes the shipping graph: `python -m benchmarks.queries.shipping.build [folder]`."""

from __future__ import annotations

import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random

from benchmarks.queries.blind_graph import Tables, Value, day

HERE = Path(__file__).resolve().parent
SEED = 4523
TODAY = date(2025, 6, 30)

FIRST = [
    "Anders", "Beatriz", "Cornelis", "Daria", "Emil", "Fátima", "Georgia", "Hiroshi", "Ines", "Jordan", "Karim",
    "Ligaya", "Mateo", "Nino", "Olga", "Pieter", "Rajiv", "Sabine", "Thabo", "Victor", "Willem", "Yuki", "Arturo",
    "Grace", "Lourdes", "Sven", "Hope", "Dimitris", "Meera", "Joaquim",
]  # fmt: skip
LAST = [
    "Almeida", "Baker", "Bell", "Bergen", "Beridze", "Cook", "Costa", "Dela Cruz", "de Vries", "Goncharenko", "Haugen",
    "Hull", "Iyer", "King", "Kowalczyk", "Lindholm", "Marsh", "May", "Mokoena", "Nakamura", "Nair", "Okoye",
    "Papadakis", "Poole", "Reyes", "Rivera", "Santos", "Silva", "Stern", "Thomsen", "Vos", "Wagner",
]  # fmt: skip

COUNTRIES: list[list[Value]] = [
    ["Norway", "NO", "Europe", False],
    ["Netherlands", "NL", "Europe", True],
    ["Germany", "DE", "Europe", True],
    ["Belgium", "BE", "Europe", True],
    ["Spain", "ES", "Europe", True],
    ["Portugal", "PT", "Europe", True],
    ["Greece", "GR", "Europe", True],
    ["Georgia", "GE", "Asia", False],
    ["Panama", "PA", "Americas", False],
    ["Liberia", "LR", "Africa", False],
    ["Brazil", "BR", "Americas", False],
    ["Singapore", "SG", "Asia", False],
    ["India", "IN", "Asia", False],
    ["South Africa", "ZA", "Africa", False],
    ["Japan", "JP", "Asia", False],
    ["Philippines", "PH", "Asia", False],
]
# name, UN/LOCODE, berths, draft in metres, free port, crane count; then the country
PORTS: list[tuple[list[Value], int]] = [
    (["Rotterdam", "NLRTM", 64, 22.6, False, 120], 1),
    (["Vlissingen", "NLVLI", 18, 16.5, False, 24], 1),
    (["Hamburg", "DEHAM", 52, 15.1, False, 98], 2),
    (["Bremerhaven", "DEBRV", 34, 14.5, True, 61], 2),
    (["Wilhelmshaven", "DEWVN", 9, 18.0, False, 16], 2),
    (["Antwerp", "BEANR", 58, 16.0, False, 110], 3),
    (["Zeebrugge", "BEZEE", 21, 15.5, False, 28], 3),
    (["Bergen", "NOBGO", 14, 11.0, False, 9], 0),
    (["Stavanger", "NOSVG", 12, 10.5, False, 7], 0),
    (["Oslo", "NOOSL", 11, 11.2, False, 8], 0),
    (["Valencia", "ESVLC", 29, 16.0, False, 44], 4),
    (["Algeciras", "ESALG", 26, 18.5, False, 35], 4),
    (["Bilbao", "ESBIO", 17, 20.0, False, 18], 4),
    (["Lisbon", "PTLIS", 16, 14.0, False, 17], 5),
    (["Sines", "PTSIE", 13, 17.5, False, 15], 5),
    (["Piraeus", "GRPIR", 31, 18.0, True, 39], 6),
    (["Thessaloniki", "GRSKG", 12, 12.0, True, 12], 6),
    (["Poti", "GEPTI", 8, 9.5, True, 6], 7),
    (["Batumi", "GEBUS", 5, 10.2, False, None], 7),
    (["Colón", "PAONX", 19, 16.3, True, 22], 8),
    (["Balboa", "PABLB", 15, 16.0, True, 20], 8),
    (["Monrovia", "LRMLW", 6, 11.8, False, 4], 9),
    (["Santos", "BRSSZ", 37, 14.2, False, 41], 10),
    (["Rio Grande", "BRRIG", 14, 13.8, False, 14], 10),
    (["Singapore", "SGSIN", 67, 18.0, True, 140], 11),
    (["Mumbai", "INBOM", 22, 10.8, False, 19], 12),
    (["Chennai", "INMAA", 16, 13.4, False, 15], 12),
    (["Cape Town", "ZACPT", 20, 14.5, False, 18], 13),
    (["Durban", "ZADUR", 33, 12.8, False, 30], 13),
    (["Yokohama", "JPYOK", 30, 18.0, False, 46], 14),
    (["Kobe", "JPUKB", 23, 17.0, False, 33], 14),
    (["Manila", "PHMNL", 25, 14.0, False, 27], 15),
    (["Cebu", "PHCEB", 8, 9.0, False, None], 15),
]
CLASSES: list[list[Value]] = [
    ["Heron class", "container ship", 22, 21.5, False],
    ["Duchess class", "container ship", 24, 23.0, False],
    ["Feeder 900", "container ship", 14, 17.0, True],
    ["Atlas class", "bulk carrier", 20, 14.5, False],
    ["Polar class", "reefer ship", 18, 20.0, True],
    ["Tagus class", "tanker", 21, 15.0, False],
    ["Rover class", "ro-ro ship", 19, 18.5, None],
    ["Orion class", "tanker", 26, 15.5, False],
]
YARDS: list[list[Value]] = [
    ["Nordvik Yard", 3, 1921, 190],
    ["Blohdorf Werft", 5, 1887, 320],
    ["Lisnova", 4, 1961, 300],
    ["Hephaistos Shipyards", 3, 1938, 260],
    ["Kure Minami Dockyard", 6, 1954, 400],
    ["Garden Reach Marine", 2, 1972, 170],
    ["Keppelton", 5, 1968, 360],
    ["De Hoop", 2, 1903, 140],
    ["Astilleros del Nervión", 3, None, 225],
]
YARD_PORT = [7, 2, 13, 15, 30, 26, 24, 1, 12]
# name, class, flag, home port, built, gross tonnage, length in metres, status, scrubber
SHIPS: list[tuple[str, int, int, int | None, int, int, float, str, bool | None]] = [
    ("Iron Duchess", 1, 8, 0, 2016, 94300, 334.0, "in service", True),
    ("Iron Baron", 3, 9, 28, 2009, 43800, 225.5, "in service", False),
    ("Grey Duchess", 1, 1, 0, 2018, 95100, 335.2, "in service", True),
    ("Duchess of Kobe", 1, 14, 30, 2021, 98700, 340.0, "in service", True),
    ("Blue Heron", 0, 5, 13, 2012, 51200, 260.4, "in service", False),
    ("White Heron", 0, 5, 13, 2013, 51200, 260.4, "laid up", False),
    ("Night Heron", 0, 6, 15, 2015, 52700, 262.0, "in service", True),
    ("Heron of Sines", 0, 5, 14, 2014, 51900, 261.3, "under repair", None),
    ("Clara Wagner", 2, 2, 3, 2007, 9950, 139.6, "in service", False),
    ("Emil Thomsen", 2, 0, 8, 2011, 10300, 141.2, "in service", True),
    ("Johanna Vos", 2, 1, 1, 2005, 9400, 134.5, "laid up", False),
    ("Valencia", 2, 4, 10, 2010, 10150, 140.0, "in service", False),
    ("Victor Lindholm", 2, 0, 7, 2003, 8800, 129.9, "in service", None),
    ("Atlas Pioneer", 3, 9, 22, 2006, 41200, 219.0, "in service", False),
    ("Atlas Courage", 3, 9, 22, 2008, 43100, 224.0, "laid up", False),
    ("Durban Star", 3, 13, 28, 2014, 46500, 229.8, "in service", True),
    ("Hope", 3, 8, None, 2001, 38900, 211.7, "sold", False),
    ("Amber Coast", 4, 8, 23, 2013, 14800, 158.3, "in service", True),
    ("Amber Dawn", 4, 8, 23, 2013, 14800, 158.3, "in service", False),
    ("Cape Town Trader", 4, 13, 27, 2019, 16200, 165.9, "in service", True),
    ("Santa Isadora", 4, 10, 22, 2004, 12900, 149.5, "under repair", False),
    ("Tagus Spirit", 5, 5, 13, 2010, 61400, 244.6, "in service", True),
    ("Lady Winifred", 5, 9, 2, 2012, 62300, 248.0, "in service", False),
    ("Mumbai Lantern", 5, 12, 25, 2017, 64800, 250.1, "in service", True),
    ("Old Harry", 5, 9, None, 1999, 57500, 238.2, "sold", False),
    ("Orion's Belt", 7, 11, 24, 2020, 82100, 274.5, "in service", True),
    ("Southern Orion", 7, 11, 24, 2022, 83600, 276.0, "in service", True),
    ("Red Rover", 6, 0, 9, 2015, 33400, 199.9, "in service", False),
    ("Sabine", 6, 2, 4, 2011, 31800, 192.4, "in service", False),
    ("Manila Rover", 6, 15, 31, 2018, 35200, 200.0, "in service", None),
]
COMMODITIES: list[list[Value]] = [
    ["Bananas", "food", False, 13.5],
    ["Frozen shrimp", "food", False, -20.0],
    ["Beef", "food", False, -18.0],
    ["Apples", "food", False, 1.0],
    ["Salmon", "food", False, -1.0],
    ["Coffee beans", "food", False, None],
    ["Cocoa", "food", False, None],
    ["Wine", "beverages", False, None],
    ["Olive oil", "food", False, None],
    ["Garments", "textiles", False, None],
    ["Cotton", "textiles", False, None],
    ["Furniture", "consumer goods", False, None],
    ["Bicycles", "consumer goods", False, None],
    ["Lithium batteries", "electronics", True, None],
    ["Televisions", "electronics", False, None],
    ["Paints", "chemicals", True, None],
    ["Fireworks", "chemicals", True, None],
    ["Fertiliser", "chemicals", True, None],
    ["Iron ore", "minerals", False, None],
    ["Coal", "minerals", None, None],
    ["Wheat", "grain", False, None],
    ["Soybeans", "grain", False, None],
    ["Diesel", "fuels", True, None],
    ["Crude oil", "fuels", True, None],
    ["Palm oil", "vegetable oils", False, None],
    ["Passenger cars", "vehicles", False, None],
    ["Tractors", "vehicles", False, None],
    ["Marble", "minerals", False, None],
]
CARGO = {
    "container ship": [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    "bulk carrier": [17, 18, 19, 20, 21],
    "reefer ship": [0, 1, 2, 3, 4],
    "tanker": [22, 23, 24],
    "ro-ro ship": [25, 26],
}
CUSTOMERS: list[list[Value]] = [
    ["Tropico Fruits", "food wholesale", "Rotterdam", 2008],
    ["Alba Coffee Roasters", "food production", "Lisbon", 2015],
    ["Fjordlaks", "fishing", "Bergen", 2011],
    ["Kontor Möbel", "retail", "Hamburg", 2013],
    ["Sol y Viña", "beverages", "Valencia", 2017],
    ["Helios Olive Co-operative", "food production", "Thessaloniki", 2019],
    ["Batavia Trading", "trading", "Rotterdam", 1998],
    ["Baker & Poole", "trading", "Cape Town", 2004],
    ["Nakamura Electronics", "electronics", "Yokohama", 2012],
    ["Voltwerk", "electronics", "Hamburg", 2020],
    ["Sakura Fireworks", "chemicals", "Kobe", 2016],
    ["Rhine Chemicals", "chemicals", "Antwerp", 2001],
    ["AgroSul", "agriculture", "Santos", 2006],
    ["Grãos do Brasil", "agriculture", "Rio Grande", 2010],
    ["Veld Mining", "mining", "Durban", 2003],
    ["Karoo Ore", "mining", "Cape Town", 2014],
    ["Chennai Cotton Mills", "textiles", "Chennai", 2009],
    ["Maya Garments", "textiles", "Mumbai", 2018],
    ["Pedal & Chain", "retail", "Antwerp", 2021],
    ["Oranje Motors", "automotive", "Vlissingen", 2005],
    ["Kobe Motor Export", "automotive", "Kobe", 2002],
    ["Traktor Sever", "automotive", "Poti", 2019],
    ["Petrolia", "energy", "Piraeus", 2000],
    ["Straits Fuel", "energy", "Singapore", 2007],
    ["Golden Palm", "food production", "Singapore", 2013],
    ["Cebu Shrimp Growers", "fishing", "Cebu", 2022],
    ["Pampas Meat", "food production", None, 2012],
    ["Cape Orchards", "agriculture", "Cape Town", 2016],
    ["Hanse Grain", "agriculture", "Bremerhaven", 1997],
    ["Color Costa", "chemicals", "Bilbao", 2018],
    ["Casa Marsh", "retail", "Lisbon", 2020],
    ["Monrovia Cocoa Board", "agriculture", "Monrovia", None],
    ["Santos & Sons", "trading", "Manila", 2011],
    ["Vision Displays", "electronics", "Singapore", 2017],
]
WANTS = """0:0 1:5 2:4 3:11 4:7 5:8 6:5,6,9 7:7,11,3 8:14,13 9:13 10:16 11:15,17 12:21,20 13:21,20 14:18,19 15:18
16:10 17:9,10 18:12 19:25 20:25,26 21:26 22:23,22 23:22,23 24:24 25:1 26:2 27:3 28:20,17 29:15 30:11,9 31:6 32:1,0,9
33:14"""
INCIDENTS: list[tuple[str, str, int, int | None, bool, int]] = [
    ("Engine fire off Sines", "serious", 2, 780000, True, 7),
    ("Grounding near Poti", "serious", 0, 1350000, True, 9),
    ("Lost containers in the Bay of Biscay", "serious", 0, 940000, False, 4),
    ("Gangway collapse at Durban", "serious", 3, 65000, True, 15),
    ("Collision with tug in Hamburg", "moderate", 1, 210000, True, 22),
    ("Crane strike at Santos", "moderate", 1, 88000, True, 14),
    ("Galley fire", "minor", 1, 9500, True, 17),
    ("Oil spill at Piraeus berth 4", "serious", 0, 2400000, False, 21),
    ("Reefer power failure", "moderate", 0, 156000, True, 18),
    ("Stowaways from Monrovia", "minor", 0, None, True, 13),
    ("Rudder failure", "moderate", 0, 320000, True, 1),
    ("Blackout in the Singapore Strait", "moderate", 0, 41000, True, 25),
    ("Man overboard off Bergen", "serious", 1, None, False, 12),
    ("Piracy alert", "minor", 0, 0, True, 23),
    ("Cargo shift in heavy weather", "moderate", 2, 275000, True, 27),
    ("Second galley fire", "minor", 0, 4200, True, 17),
    ("Anchor loss at Cape Town", "minor", 0, 58000, True, 19),
    ("Ammonia leak", "serious", 4, 190000, True, 20),
    ("Mooring line snapped", "moderate", 1, 12000, True, 8),
    ("Battery fire in hold 3", "serious", 0, 1120000, False, 2),
    ("Hatch cover damage", "minor", 0, 36000, True, 13),
    ("Propeller fouled by net", "minor", 0, 27500, True, 9),
    ("Car deck flooding", "serious", 0, None, False, 28),
    ("Fall from ladder", "moderate", 1, 15000, True, 22),
    ("Pilot boat collision", "moderate", 2, 134000, False, 2),
]
RANKS = [
    ("master", 9800), ("chief officer", 7100), ("second officer", 5200), ("third officer", 4300),
    ("chief engineer", 9200), ("second engineer", 6800), ("electrician", 4600), ("bosun", 3100),
    ("able seaman", 2200), ("cook", 2500),
]  # fmt: skip
LINES = {
    "container ship": [0, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 19, 20, 24, 25, 26, 28, 29, 30, 31],
    "bulk carrier": [0, 2, 5, 12, 14, 17, 22, 23, 27, 28, 26],
    "reefer ship": [0, 1, 6, 7, 10, 19, 22, 27, 32, 31, 21],
    "tanker": [0, 2, 5, 11, 15, 18, 24, 25, 30],
    "ro-ro ship": [3, 4, 6, 9, 10, 12, 17, 29, 30, 31, 32],
}


def crew(rng: Random, t: Tables) -> list[str]:
    """Seafarers, their ships and countries, and inspectors; gives the days on which the seafarers were hired."""
    names = rng.sample([(a, b) for a in FIRST for b in LAST if a != "Sabine" or b != "Vos"], 123)
    ranks = [0] * 26 + [1] * 16 + [2] * 9 + [3] * 8 + [4] * 15 + [5] * 8 + [6] * 6 + [7] * 10 + [8] * 11 + [9] * 5
    rows: list[list[Value]] = []
    for i, rank in enumerate(ranks):
        born = day(rng, "1958-01-01", "1985-12-31") if rank in (0, 1, 4) else day(rng, "1970-01-01", "2003-12-31")
        hired = day(rng, max("2001-01-01", f"{born.year + 21}-01-01"), "2025-03-31")
        rows.append(
            [
                *names[i],
                RANKS[rank][0],
                born,
                hired,
                RANKS[rank][1] + 50 * rng.randrange(-8, 24),
                rng.random() < 0.22,
                f"{names[i][0].lower()[0]}{i}@crew.example" if rng.random() < 0.7 else None,
            ]
        )
    t.nodes(
        "seafarers",
        "Seafarer",
        "Seafarer",
        "firstName lastName rank birthDate:date hiredOn:date monthlyPayEur:int onLeave:boolean email",
        rows,
    )
    nation = [15, 15, 15, 12, 12, 7, 6, 5, 0, 1, 2, 10, 13, 14]
    t.edges(
        "CITIZEN_OF", "Seafarer", "Country", [[i, rng.choice(nation)] for i in range(len(ranks)) if rng.random() < 0.95]
    )
    sailing = [s for s, ship in enumerate(SHIPS) if ship[7] != "sold"]
    commands: list[list[Value]] = []
    serves: list[list[Value]] = []
    for i, rank in enumerate(ranks):
        if rank == 0 and i < len(sailing) - 4:
            ship = sailing[i]
            since = day(rng, max("2012-01-01", str(rows[i][4])), "2025-04-30")
            commands.append([i, ship, since])
            if rng.random() < 0.85:
                serves.append([i, ship, since, rng.choice([3, 4, 6])])
        elif rng.random() < 0.93:
            last = max("2023-06-01", str(rows[i][4]))
            serves.append([i, rng.choice(sailing), day(rng, last, "2025-05-31"), rng.choice([3, 4, 6, 6, 8, 9])])
    t.edges("SERVES_ON", "Seafarer", "Ship", serves, "since:date contractMonths:int")
    t.edges("COMMANDS", "Seafarer", "Ship", commands, "since:date")
    t.nodes(
        "inspectors",
        "Inspector",
        "Inspector",
        "firstName lastName agency certifiedSince:int",
        [
            [
                *n,
                rng.choice(["Port State Control", "Port State Control", "Flag State", "Class Society"]),
                None if i == 4 else rng.randrange(1996, 2022),
            ]
            for i, n in enumerate(names[114:])
        ],
    )
    checks: list[list[Value]] = []
    for _ in range(62):
        found = max(0, rng.randrange(-4, 12))
        result = "passed" if not found else "detained" if found > 8 else "passed with remarks"
        pair = [rng.randrange(9), rng.randrange(30)]
        if pair[1] not in (16, 21) and all(row[:2] != pair for row in checks):
            first = f"{max(2021, SHIPS[pair[1]][4] + 1)}-01-01"
            checks.append([*pair, day(rng, first, "2025-06-20"), result, found])
    t.edges("INSPECTED", "Inspector", "Ship", checks, "date:date result deficiencies:int")
    return [str(row[4]) for row in rows]


def voyages(rng: Random, t: Tables) -> list[tuple[int, date, str]]:
    """Voyages and their ports; gives ship, departure and status of each."""
    rows: list[list[Value]] = []
    made: list[tuple[int, date, str]] = []
    starts: list[list[Value]] = []
    ends: list[list[Value]] = []
    calls: list[list[Value]] = []
    for s, ship in enumerate(SHIPS):
        kind = str(CLASSES[ship[1]][1])
        if ship[7] == "sold":
            continue
        stays = ship[7] != "in service"
        place, when = rng.choice(LINES[kind]), day(rng, "2024-06-01", "2025-02-28")
        for _ in range(2 if stays else rng.randrange(3, 7)):
            stops = rng.sample([p for p in LINES[kind] if p != place], rng.choice([1, 2, 2, 3, 4]))
            legs = [rng.randrange(4, 15) for _ in stops]
            back = when + timedelta(days=sum(legs))
            status = "completed" if back <= TODAY else "under way" if when <= TODAY else "planned"
            if status != "under way" and rng.random() < 0.08:
                status = "cancelled"
            done = status == "completed"
            miles = sum(legs) * rng.randrange(280, 420)
            v = len(rows)
            rows.append(
                [
                    f"VOY-{1101 + v}",
                    when,
                    back if done else None,
                    status,
                    miles,
                    round(miles * rng.uniform(0.05, 0.16), 1) if done and rng.random() < 0.94 else None,
                    rng.choice(["calm", "calm", "rough", "storm"]) if done else None,
                ]
            )
            made.append((s, when, status))
            starts.append([v, place])
            ends.append([v, stops[-1]])
            at = when
            for n, (p, leg) in enumerate(zip(stops[:-1], legs, strict=False), 1):
                at += timedelta(days=leg)
                calls.append([v, p, n, at, rng.randrange(8, 73), 100 * rng.randrange(35, 410)])
            if status != "cancelled":
                place = stops[-1]
            when = back + timedelta(days=rng.randrange(6, 70))
    t.nodes(
        "voyages",
        "Voyage",
        "Voyage",
        "voyageNo departedOn:date arrivedOn:date status distanceNm:int fuelTonnes:float weather",
        rows,
    )
    t.edges("SAILED_BY", "Voyage", "Ship", [[v, s] for v, (s, _, _) in enumerate(made)])
    t.edges("STARTS_FROM", "Voyage", "Port", starts)
    t.edges("ENDS_AT", "Voyage", "Port", ends)
    t.edges("CALLS_AT", "Voyage", "Port", calls, "stop:int arrival:date stayHours:int duesEur:int")
    return made


def cargo(rng: Random, t: Tables, made: list[tuple[int, date, str]]) -> None:
    """Customers, goods, containers and bookings."""
    wants = {int(c): [int(g) for g in gs.split(",")] for c, gs in (x.split(":") for x in WANTS.split())}
    buyers = {g: [c for c, gs in wants.items() if g in gs] for g in range(len(COMMODITIES))}
    t.nodes("commodities", "Commodity", "Commodity", "name category hazardous:boolean carriageTempC:float", COMMODITIES)
    t.nodes(
        "customers",
        "Customer",
        "Customer",
        "name sector city customerSince:int creditLimitEur:int contactPerson",
        [
            [
                *row,
                5000 * rng.randrange(4, 120) if rng.random() < 0.85 else None,
                f"{rng.choice(FIRST)} {rng.choice(LAST)}" if rng.random() < 0.75 else None,
            ]
            for row in CUSTOMERS
        ],
    )
    t.edges(
        "HAS_RATE_FOR",
        "Customer",
        "Commodity",
        [
            [c, g, round(rng.uniform(14, 190), 1), day(rng, "2025-03-01", "2027-12-31")]
            for c, gs in wants.items()
            for g in gs
            if rng.random() < 0.85
        ],
        "eurPerTonne:float validUntil:date",
    )
    kinds = ["dry"] * 62 + ["reefer"] * 22 + ["open top"] * 8 + ["flat rack"] * 6 + ["tank"] * 7
    boxes: list[list[Value]] = []
    for kind in kinds:
        size = 20 if kind == "tank" else rng.choice([20, 40, 40, 45] if kind == "dry" else [20, 40])
        boxes.append(
            [
                f"{rng.choice(['MKLU', 'MKLU', 'KSTU', 'TRVU'])}{rng.randrange(1000000, 9999999)}",
                kind,
                size,
                size * 95 + 10 * rng.randrange(-12, 60),
                rng.random() < 0.3,
                day(rng, "2021-01-01", "2025-05-31") if rng.random() < 0.88 else None,
            ]
        )
    t.nodes(
        "containers",
        "Container",
        "Container",
        "containerCode kind sizeFt:int tareKg:int leased:boolean lastSurvey:date",
        boxes,
    )
    rows: list[list[Value]] = []
    placed: list[list[Value]] = []
    carried: list[list[Value]] = []
    packed: list[list[Value]] = []
    goods: list[list[Value]] = []
    used: set[tuple[int, int]] = set()
    for b, v in enumerate(sorted(rng.choices(range(len(made)), k=112))):
        ship, when, voyage = made[v]
        kind = str(CLASSES[SHIPS[ship][1]][1])
        cs = rng.sample(CARGO[kind], 2 if rng.random() < 0.25 else 1)
        customer = rng.choice(buyers[cs[0]])
        booked = when - timedelta(days=rng.randrange(5, 70))
        status = {"completed": "delivered", "cancelled": "cancelled", "under way": "confirmed"}.get(
            voyage, rng.choice(["confirmed", "waitlisted"])
        )
        if rng.random() < 0.07:
            status = "cancelled"
        bulk = kind in ("bulk carrier", "tanker")
        price = 500 * (rng.randrange(120, 1500) if bulk else rng.randrange(5, 120))
        rows.append(
            [
                f"BK-{70001 + b}",
                min(booked, TODAY),
                status,
                price,
                rng.random() < 0.6,
                rng.choice(["prepaid", "prepaid", "collect", None]),
            ]
        )
        placed.append([b, customer])
        if status != "waitlisted":
            carried.append([b, v])
        for g in cs:
            if kind == "ro-ro ship":
                packages: int | None = rng.randrange(12, 320)
                tonnes = round((packages or 0) * rng.uniform(1.2, 1.9), 1)
            else:
                tonnes = round(rng.uniform(2500, 48000) if bulk else rng.uniform(4, 52), 1)
                packages = None if bulk else rng.randrange(20, 1400)
            goods.append([b, g, tonnes, packages])
        if kind in ("container ship", "reefer ship") and status != "waitlisted":
            fit = [i for i, k in enumerate(kinds) if (k == "reefer") == (kind == "reefer ship") and k != "tank"]
            for i in rng.sample(fit, rng.choice([1, 1, 2, 3])):
                if (v, i) not in used:
                    used.add((v, i))
                    packed.append([b, i, f"S{rng.randrange(100000, 999999)}" if rng.random() < 0.9 else None])
    t.nodes(
        "bookings",
        "Booking",
        "Booking",
        "bookingNo bookedOn:date status freightEur:int insured:boolean paymentTerms",
        rows,
    )
    t.edges("PLACED_BY", "Booking", "Customer", placed)
    t.edges("CARRIED_ON", "Booking", "Voyage", carried)
    t.edges("PACKED_IN", "Booking", "Container", packed, "sealNo")
    t.edges("CONTAINS", "Booking", "Commodity", goods, "tonnes:float packages:int")


def build(folder: Path) -> None:
    """Write the tables of the graph."""
    rng, t = Random(SEED), Tables(folder)
    t.nodes("countries", "Country", "Country", "name isoCode region euMember:boolean", COUNTRIES)
    t.nodes(
        "ports",
        "Port",
        "Port",
        "name unlocode berths:int maxDraftM:float freePort:boolean cranes:int",
        [row for row, _ in PORTS],
    )
    t.edges("LOCATED_IN", "Port", "Country", [[p, c] for p, (_, c) in enumerate(PORTS)])
    t.nodes(
        "ship_classes", "ShipClass", "ShipClass", "name shipType minCrew:int speedKn:float iceClass:boolean", CLASSES
    )
    t.nodes("shipyards", "Shipyard", "Shipyard", "name dryDocks:int founded:int maxLengthM:int", YARDS)
    t.edges("AT_PORT", "Shipyard", "Port", [[y, p] for y, p in enumerate(YARD_PORT)])
    t.nodes(
        "ships",
        "Ship",
        "Ship",
        "name imoNumber built:int grossTonnage:int lengthM:float status hasScrubber:boolean",
        [[s[0], f"IMO {rng.randrange(9100000, 9900000)}", s[4], s[5], s[6], s[7], s[8]] for s in SHIPS],
    )
    t.edges("OF_CLASS", "Ship", "ShipClass", [[i, s[1]] for i, s in enumerate(SHIPS)])
    t.edges("REGISTERED_IN", "Ship", "Country", [[i, s[2]] for i, s in enumerate(SHIPS)])
    t.edges("HOME_PORT", "Ship", "Port", [[i, s[3]] for i, s in enumerate(SHIPS) if s[3] is not None])
    builder = [4, 6, 4, 4, 2, 2, 3, 2, 1, 0, 7, 8, 0, 6, 6, 5, 1, 2, 2, 1, 8, 2, 1, 5, 3, 6, 6, 0, 1, 4]
    t.edges(
        "BUILT_AT",
        "Ship",
        "Shipyard",
        [[i, y, f"NB-{rng.randrange(100, 980)}"] for i, y in enumerate(builder) if i not in (12, 24)],
        "hullNo",
    )
    repairs: list[list[Value]] = []
    for _ in range(75):
        ship, yard = rng.randrange(30), rng.randrange(9)
        if SHIPS[ship][6] <= int(str(YARDS[yard][3])) and all(row[:2] != [ship, yard] for row in repairs):
            reason = rng.choice(["hull cleaning", "engine overhaul", "collision damage", "propeller", "survey"])
            start = day(rng, f"{max(2017, SHIPS[ship][4] + 1)}-01-01", "2025-05-31")
            repairs.append([ship, yard, start, rng.randrange(5, 75), 1000 * rng.randrange(40, 1900), reason])
    t.edges("REPAIRED_AT", "Ship", "Shipyard", repairs, "startedOn:date days:int costEur:int reason")
    hired = crew(rng, t)
    made = voyages(rng, t)
    cargo(rng, t, made)
    dates = [day(rng, "2022-01-01", "2025-06-15") for _ in INCIDENTS]
    t.nodes(
        "incidents",
        "Incident",
        "Incident",
        "title date:date severity injuries:int costEur:int closed:boolean",
        [[i[0], on, *i[1:5]] for i, on in zip(INCIDENTS, dates, strict=True)],
    )
    involved: list[list[Value]] = []
    for n, i in enumerate(INCIDENTS):
        damage = "severe" if i[1] == "serious" and i[3] else rng.choice(["none", "minor", "moderate"])
        involved.append([n, i[5], damage])
    involved += [[4, 21, "minor"], [24, 8, "minor"], [7, 22, "none"]]
    t.edges("INVOLVED", "Incident", "Ship", involved, "damage")
    t.edges(
        "REPORTED_BY",
        "Incident",
        "Seafarer",
        [
            [n, rng.choice([i for i, first in enumerate(hired) if first < str(on)])]
            for n, on in enumerate(dates)
            if rng.random() < 0.85
        ],
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "csv")
