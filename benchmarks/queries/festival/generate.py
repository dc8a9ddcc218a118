"""Writes the festival graph (csv/) next to this file. Seeded: the same files every time.

PYTHONPATH must hold the folder of blind_graph.py (benchmarks/queries)."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from random import Random

from blind_graph import Tables, day

rng = Random(20260719)
t = Tables(Path(__file__).resolve().parent / "csv")


def based_in(space: str, rows: list[tuple[int, int]]) -> None:
    """BASED_IN starts at three labels: one file each."""
    t._write(f"based_in_{space.lower()}", [f":START_ID({space})", ":END_ID(City)", ":TYPE"], [[a, b, "BASED_IN"] for a, b in rows])


# ---------------------------------------------------------------- cities
CITIES = [
    ("Bristol", "United Kingdom", 472400), ("Brighton", "United Kingdom", 277100), ("Leeds", "United Kingdom", 536300),
    ("Sheffield", "United Kingdom", 500500), ("Glasgow", "United Kingdom", 632400), ("Cardiff", "United Kingdom", 362400),
    ("Norwich", "United Kingdom", 143900), ("Whitstable", "United Kingdom", 32100), ("Galway", "Ireland", 83500),
    ("Cork", "Ireland", 222300), ("Ghent", "Belgium", 265100), ("Antwerp", "Belgium", 536100),
    ("Utrecht", "Netherlands", 367900), ("Rotterdam", "Netherlands", 655500), ("Groningen", "Netherlands", 238100),
    ("Hamburg", "Germany", 1892100), ("Leipzig", "Germany", 616100), ("Cologne", "Germany", 1084800),
    ("Lyon", "France", 522300), ("Nantes", "France", 323200), ("Aarhus", "Denmark", 290600), ("Bergen", "Norway", 289300),
    ("Malmö", "Sweden", 357400), ("Gothenburg", "Sweden", 604600), ("Porto", "Portugal", 231800), ("Bilbao", "Spain", 346100),
    ("Turin", "Italy", 841600), ("Kraków", "Poland", 803300), ("Graz", "Austria", 302700), ("Tallinn", "Estonia", 453900),
]
city = {c[0]: i for i, c in enumerate(CITIES)}
t.nodes("City", "City", "City", "name country pop:int", CITIES)

# ---------------------------------------------------------------- festivals and venues
FESTIVALS = [
    ("Saltmarsh", "SM", 2009, "folk", True, "saltmarshfest.example"),
    ("Iron Lung Weekender", "ILW", 2012, "metal", False, "ironlung.example"),
    ("Honeycomb", "HC", 2015, "indie", True, "honeycomb.example"),
    ("Night Ferry", "NF", 2014, "electronic", False, "nightferry.example"),
    ("Brass Monkey", "BM", 2017, "jazz", True, None),
    ("Low Tide", "LT", 2021, "punk", False, "lowtide.example"),
]
fest = {f[0]: i for i, f in enumerate(FESTIVALS)}
t.nodes("Festival", "Festival", "Festival", "name abbr foundedYear:int mainGenre familyFriendly:boolean website", FESTIVALS)

VENUES = [
    ("Seasalter Flats", "beach", 14000, True, 38.5, True, "Whitstable"),
    ("Tankerton Slopes", "park", 9000, True, 12.0, False, "Whitstable"),
    ("Foundry Yard", "warehouse", 8000, False, 2.4, False, "Sheffield"),
    ("Hillfoot Farm", "farm", 22000, True, 61.0, True, "Sheffield"),
    ("Orchard Meadow", "farm", 18000, True, 44.2, True, "Bristol"),
    ("Pier 9", "dock", 12500, True, 7.8, False, "Rotterdam"),
    ("Maashal", "hall", 6500, False, 1.6, False, "Rotterdam"),
    ("Winter Gardens", "hall", 3200, False, 0.9, False, "Leipzig"),
    ("Kraftwerk Süd", "warehouse", 4000, False, 1.3, False, "Hamburg"),
    ("Black Rock Beach", "beach", 7000, True, 9.5, False, "Brighton"),
    ("Claddagh Field", "park", 5000, True, 6.1, True, "Galway"),
]
venue = {v[0]: i for i, v in enumerate(VENUES)}
t.nodes("Venue", "Venue", "Venue", "name kind capacity:int outdoor:boolean areaHa:float campsite:boolean", [v[:6] for v in VENUES])
t.edges("LOCATED_IN", "Venue", "City", [(i, city[v[6]]) for i, v in enumerate(VENUES)])

# festival, year, first day, days, venue, attendance, capacity, weather, cancelled
EDITIONS = [
    ("Saltmarsh", 2019, "2019-06-21", 3, "Tankerton Slopes", 7900, 8500, "sunny", False),
    ("Saltmarsh", 2020, "2020-06-19", 3, "Seasalter Flats", None, 12000, None, True),
    ("Saltmarsh", 2022, "2022-06-17", 3, "Seasalter Flats", 10350, 12000, "windy", False),
    ("Saltmarsh", 2023, "2023-06-16", 3, "Seasalter Flats", 12000, 12000, "sunny", False),
    ("Saltmarsh", 2024, "2024-06-21", 3, "Seasalter Flats", 13120, 13500, "rain", False),
    ("Saltmarsh", 2025, "2025-06-20", 3, "Seasalter Flats", 13500, 13500, "heatwave", False),
    ("Iron Lung Weekender", 2019, "2019-08-02", 2, "Foundry Yard", 6800, 7500, None, False),
    ("Iron Lung Weekender", 2022, "2022-08-05", 2, "Foundry Yard", 7500, 7500, None, False),
    ("Iron Lung Weekender", 2023, "2023-08-04", 3, "Hillfoot Farm", 16400, 20000, "mud", False),
    ("Iron Lung Weekender", 2024, "2024-08-02", 3, "Hillfoot Farm", 18950, 20000, "sunny", False),
    ("Iron Lung Weekender", 2025, "2025-08-01", 4, "Hillfoot Farm", 21800, 21800, "rain", False),
    ("Honeycomb", 2019, "2019-07-12", 3, "Orchard Meadow", 14200, 16000, "sunny", False),
    ("Honeycomb", 2022, "2022-07-08", 3, "Orchard Meadow", 15100, 16000, "heatwave", False),
    ("Honeycomb", 2023, "2023-07-14", 3, "Orchard Meadow", 13700, 17000, "rain", False),
    ("Honeycomb", 2024, "2024-07-12", 3, "Orchard Meadow", 17000, 17000, "sunny", False),
    ("Honeycomb", 2025, "2025-07-11", 3, "Orchard Meadow", 16650, 17500, "sunny", False),
    ("Night Ferry", 2022, "2022-09-09", 2, "Pier 9", 9100, 12000, "sunny", False),
    ("Night Ferry", 2023, "2023-09-08", 2, "Pier 9", 11200, 12000, "windy", False),
    ("Night Ferry", 2024, "2024-09-06", 2, "Maashal", 6500, 6500, None, False),
    ("Night Ferry", 2025, "2025-09-05", 3, "Pier 9", 12100, 12500, "rain", False),
    ("Brass Monkey", 2022, "2022-12-02", 2, "Winter Gardens", 2100, 3000, None, False),
    ("Brass Monkey", 2023, "2023-12-01", 2, "Winter Gardens", 2950, 3000, None, False),
    ("Brass Monkey", 2024, "2024-11-29", 3, "Kraftwerk Süd", 3600, 4000, None, False),
    ("Low Tide", 2021, "2021-08-27", 1, "Black Rock Beach", None, 5000, "storm", True),
    ("Low Tide", 2022, "2022-08-26", 1, "Black Rock Beach", 4300, 5000, "sunny", False),
    ("Low Tide", 2024, "2024-08-24", 2, "Claddagh Field", 3900, 5000, "rain", False),
    ("Low Tide", 2025, "2025-08-23", 2, "Black Rock Beach", 6800, 7000, "windy", False),
]
rows = []
for f, yr, first, n, _, att, cap, weather, gone in EDITIONS:
    start = date.fromisoformat(first)
    rows.append((f"{f} {yr}", f"{FESTIVALS[fest[f]][1]}{yr % 100}", yr, start, start + timedelta(days=n - 1), att, cap,
                 att == cap, gone, weather))
t.nodes("Edition", "Edition", "Edition",
        "name code yr:int starts:date ends:date attendance:int maxCap:int soldOut:boolean cancelled:boolean weather", rows)
edition = {r[0]: i for i, r in enumerate(rows)}
t.edges("EDITION_OF", "Edition", "Festival", [(i, fest[e[0]]) for i, e in enumerate(EDITIONS)])
t.edges("HELD_AT", "Edition", "Venue", [(i, venue[e[4]]) for i, e in enumerate(EDITIONS)])

STAGES = [
    ("Oyster Stage", "Saltmarsh", 9000, False, True), ("Driftwood Tent", "Saltmarsh", 1800, True, True),
    ("The Boathouse", "Saltmarsh", 450, True, False), ("Anvil Stage", "Iron Lung Weekender", 15000, False, True),
    ("The Crucible", "Iron Lung Weekender", 4000, True, True), ("Slag Heap", "Iron Lung Weekender", 900, False, False),
    ("Hive Main Stage", "Honeycomb", 12000, False, True), ("Clover Tent", "Honeycomb", 2500, True, True),
    ("Beeswax Cabaret", "Honeycomb", 600, True, True), ("Little Drones", "Honeycomb", 300, True, False),
    ("Upper Deck", "Night Ferry", 8000, False, True), ("Engine Room", "Night Ferry", 2200, True, False),
    ("Car Deck", "Night Ferry", 1500, True, True), ("Blue Room", "Brass Monkey", 1900, True, True),
    ("The Cellar", "Brass Monkey", 250, True, False), ("Breakwater Stage", "Low Tide", 4500, False, True),
    ("Rock Pool", "Low Tide", 800, False, False),
]
t.nodes("Stage", "Stage", "Stage", "name cap:int covered:boolean stepFree:boolean", [(s[0], *s[2:]) for s in STAGES])
t.edges("STAGE_OF", "Stage", "Festival", [(i, fest[s[1]]) for i, s in enumerate(STAGES)])

# ---------------------------------------------------------------- labels
LABELS = [
    ("Tideline Records", "TDL", 2010, True, "Bristol", None), ("Little Anchor", "LAN", 2016, True, "Bristol", "Tideline Records"),
    ("Clinker Recordings", "CLK", 2018, True, "Sheffield", "Tideline Records"), ("Monolith Music", "MNL", 1978, False, "Cologne", None),
    ("Velvet Dynamo", "VDY", 1999, False, "Antwerp", "Monolith Music"), ("Nachtbus", "NBS", 2007, True, "Hamburg", None),
    ("Polder Sound", "PLD", 2003, True, "Utrecht", None), ("Cold Harbour", "CHB", 1994, True, "Bergen", None),
    ("Blue Heron Jazz", "BHJ", 1986, False, "Lyon", "Monolith Music"), ("Spit & Sawdust", "SSD", 2013, True, "Leeds", None),
]
label = {x[0]: i for i, x in enumerate(LABELS)}
t.nodes("RecordLabel", "RecordLabel", "RecordLabel", "name lblCode founded:int indie:boolean", [x[:4] for x in LABELS])
t.edges("IMPRINT_OF", "RecordLabel", "RecordLabel", [(i, label[x[5]]) for i, x in enumerate(LABELS) if x[5]])
based_in("RecordLabel", [(i, city[x[4]]) for i, x in enumerate(LABELS)])

# ---------------------------------------------------------------- bands
BANDS = {
    "folk": ["The Lanterns", "Marram", "Saint Oda's Choir", "Wren & Rushlight", "The Tin Fiddlers", "Heron Daughters",
             "Barley Moon", "The Long Haul", "Cockle Pickers", "Ash Lane"],
    "metal": ["Gravemill", "Ossuary Bells", "Hexenturm", "Rust Communion", "Black Kiln", "Wulfgar's Debt", "Thrall",
              "Furnace Mother", "Gallows Orchard", "Nine Iron Teeth", "Pale Bishop"],
    "indie": ["Paper Zebra", "Second Breakfast Club", "The Marigolds", "Swim Lessons", "Telephone Summer", "Polite Society",
              "Kitchen Disco", "Hotel Narwhal", "The Understudies", "Juniper Falls", "Cardboard Kings", "Velvet Otter"],
    "electronic": ["Modem Choir", "Kassette", "Nordlys", "DJ Marzipan", "Low Orbit", "Fax Machine Romance", "Glasswing",
                   "Sleeper Train", "Copper Wire", "Tundra Bass"],
    "jazz": ["The Quarter Tones", "Lindqvist Trio", "Sunday Debt Collectors", "Blue Ferry Orchestra", "Okafor Quintet",
             "Midnight Grocers", "Brass Kitchen"],
    "punk": ["Gob Shop", "The Parking Fines", "Wet Dog Riot", "Scurvy", "Bus Replacement Service", "No Refunds",
             "Mary and the Wreckers", "Angry Librarians", "The Lampreys"],
}
LABEL_FOR = {"folk": ["Tideline Records", "Little Anchor", "Cold Harbour"], "metal": ["Clinker Recordings", "Monolith Music", "Cold Harbour"],
             "indie": ["Tideline Records", "Little Anchor", "Velvet Dynamo", "Polder Sound"], "electronic": ["Nachtbus", "Polder Sound", "Velvet Dynamo"],
             "jazz": ["Blue Heron Jazz", "Polder Sound"], "punk": ["Spit & Sawdust", "Clinker Recordings"]}
bands = [(b, g) for g, names in BANDS.items() for b in names]
band = {b: i for i, (b, _) in enumerate(bands)}
band_city = [rng.choice(CITIES)[0] for _ in bands]
formed = [rng.randint(1994, 2019) for _ in bands]
split = [max(y + 3, rng.randint(2022, 2024)) if rng.random() < 0.14 else None for y in formed]
listeners = [int(round(rng.lognormvariate(11.2, 1.1), -2)) if rng.random() < 0.93 else None for _ in bands]
t.nodes("Band", "Band", "Band", "name genre formed:int split:int monthlyListeners:int unplugged:boolean agent",
        [(b, g, formed[i], split[i], listeners[i], rng.random() < 0.2,
          rng.choice(["Calder & Roe", "Parasol Booking", "Stagehand Agency", "Fireside Artists", None]))
         for i, (b, g) in enumerate(bands)])
signed = {}
rows = []
for i, (b, g) in enumerate(bands):
    if rng.random() < 0.82:
        name = rng.choice(LABEL_FOR[g])
        signed[i] = name
        since = date(max(formed[i], LABELS[label[name]][2]) + rng.randint(0, 3), rng.randint(1, 12), rng.randint(1, 28))
        rows.append((i, label[name], since, rng.randrange(4, 160) * 500 if rng.random() < 0.85 else None, rng.randint(1, 5)))
t.edges("SIGNED_TO", "Band", "RecordLabel", rows, "since:date advance_eur:int albumsDue:int")

# ---------------------------------------------------------------- musicians
FIRST = """Aoife Tomas Ines Bram Lotte Jonas Freya Marek Sinead Callum Nadia Hugo Elif Oskar Priya Ruben Maeve Stellan Chloe
Dmitri Amara Piet Ronja Luca Beatriz Kofi Hanne Wes Tilda Gareth Yusuf Morag Emil Saskia Declan Ottoline Rafa Signe Bartek
Delphine Imogen Kwame Lars Noor Patrick Rosa Sven Thea Vikram Zadie""".split()
LAST = """Kelleher Lindqvist Okafor Vermeulen Brandt Moreau Sørensen Kowalski Adeyemi Hughes Castellanos Dunne Fairweather
de Groot Ferreira Haugen Iyer Jansen Larkin McAllister Nowak Oduya Pettersson Quinn Rasmussen Sandoval Thorne Ueland Vogel
Whitlock Yilmaz Zeller Ashdown Birch Coyle""".replace("de Groot", "de_Groot").split()
LAST = [x.replace("_", " ") for x in LAST]
used: set[str] = set()


def person() -> str:
    while True:
        name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        if name not in used:
            used.add(name)
            return name


INSTR = {"folk": ["vocals", "fiddle", "acoustic guitar", "accordion", "double bass", "tin whistle"],
         "metal": ["vocals", "guitar", "bass", "drums", "guitar"], "indie": ["vocals", "guitar", "bass", "drums", "keyboards"],
         "electronic": ["synths", "decks", "vocals", "drum machine"], "jazz": ["saxophone", "piano", "double bass", "drums", "trumpet"],
         "punk": ["vocals", "guitar", "bass", "drums"]}
FIXED = {"Lindqvist Trio": ["Stellan Lindqvist"], "Okafor Quintet": ["Amara Okafor"], "Mary and the Wreckers": ["Mary Coyle"],
         "DJ Marzipan": ["Ronja Zeller"]}
SIZE = {"Lindqvist Trio": 3, "Okafor Quintet": 5, "DJ Marzipan": 1}
for names in FIXED.values():
    used.update(names)
musicians: list[list] = []
member = []
band_members: list[list[int]] = []
for i, (b, g) in enumerate(bands):
    fixed = list(FIXED.get(b, []))
    size = SIZE.get(b, rng.randint(2, 4) if g != "electronic" else rng.randint(1, 3))
    mine = []
    for k in range(size):
        name = fixed.pop() if fixed else person()
        musicians.append([name, date(formed[i] - rng.randint(18, 30), rng.randint(1, 12), rng.randint(1, 28))])
        m = len(musicians) - 1
        mine.append(m)
        joined = formed[i] if k < 2 or b in SIZE else min(formed[i] + rng.randint(0, 8), split[i] or 2023)
        left = split[i]
        member.append([m, i, INSTR[g][k], joined, left])
    if size < 4 and b not in SIZE and rng.random() < 0.3:  # somebody who has left
        musicians.append([person(), date(formed[i] - rng.randint(18, 30), rng.randint(1, 12), rng.randint(1, 28))])
        member.append([len(musicians) - 1, i, INSTR[g][-1], formed[i], min(formed[i] + rng.randint(2, 6), 2022)])
    band_members.append(mine)
for _ in range(12):  # in two bands
    m = rng.randrange(len(musicians))
    i = rng.randrange(len(bands))
    if any(x[0] == m and x[1] == i for x in member) or bands[i][0] in SIZE:
        continue
    if musicians[m][1].year > formed[i] - 16:
        continue
    member.append([m, i, rng.choice(INSTR[bands[i][1]]), min(formed[i] + rng.randint(0, 5), 2023), split[i]])
    if not split[i]:
        band_members[i].append(m)
STAGE_NAMES = ["Mudlark", "Sister Static", "Kid Tarmac", "The Bishop", "Bones", "Lady Ferrous", "Wolfie", "Captain Gob", "Nettle", "DJ Marzipan"]
stage_of = dict(zip(rng.sample(range(len(musicians)), 9), STAGE_NAMES))
stage_of[next(i for i, m in enumerate(musicians) if m[0] == "Ronja Zeller")] = "DJ Marzipan"
t.nodes("Musician", "Musician", "Musician", "name dob:date stageName leftHanded:boolean",
        [(m[0], m[1] if rng.random() < 0.95 else None, stage_of.get(i), rng.random() < 0.12) for i, m in enumerate(musicians)])
t.edges("MEMBER_OF", "Musician", "Band", member, "instr from_yr:int to_yr:int")
t.edges("BORN_IN", "Musician", "City", [(i, city[rng.choice(CITIES)[0]]) for i in range(len(musicians)) if rng.random() < 0.9])

# ---------------------------------------------------------------- albums and tracks
ALBUMS = """Shingle Hymns|Tallow|Songs for Slow Rivers|Rushlight|Fiddle Weather|The Heron Year|Harvest Static|Haul Road|Low Water|Ash & Ember|
Millstone Psalms|Bone Cathedral|Turmfalke|Communion of Rust|Kilnborn|Debt of Wolves|Chains Again|Mother of Slag|Orchard of Ropes|Teeth|Bishop Takes Queen|
Stripes|Elevenses|Marigold Season|Shallow End|Dial Tone Days|Manners|Dance on the Lino|Room 404|Understudy|Waterfall Logic|Corrugated|Otterly|
Dial-Up Vespers|Side B Forever|Aurora Loop|Sugar Rush Hour|Apogee|Please Resend|Transparent|Couchette|Ohm Sweet Ohm|Permafrost|
Quarter to Four|Three Rooms|Invoices|Crossing by Night|Five Doors|Open Till Late|Pots and Pans|
Spit Take|Double Yellow|Soggy|Vitamin C|Rail Replacement|All Sales Final|Wreckage|Overdue|Suckers|
Live at Seasalter|Live at the Foundry|Winter Tapes|Second Helping|The Blue EP|Lanterns Out|Night Ferry Sessions|Kitchen Sink EP|Hex|
Demos 2011|Homecoming|Saltwater Gold|Postcards|Harbour Lights|Zebra Crossing|Nightjar""".replace("\n", "").split("|")
fmt_of = {"Live at Seasalter": "live", "Live at the Foundry": "live", "Night Ferry Sessions": "live", "The Blue EP": "EP", "Kitchen Sink EP": "EP", "Hex": "EP",
          "Winter Tapes": "EP"}
extra = {"Live at Seasalter": "Marram", "Live at the Foundry": "Gravemill", "Winter Tapes": "The Quarter Tones", "Second Helping": "Second Breakfast Club",
         "The Blue EP": "The Marigolds", "Lanterns Out": "The Lanterns", "Night Ferry Sessions": "Kassette", "Kitchen Sink EP": "Kitchen Disco",
         "Hex": "Hexenturm", "Demos 2011": "Paper Zebra", "Homecoming": "Paper Zebra", "Saltwater Gold": "The Lanterns", "Postcards": "Telephone Summer",
         "Harbour Lights": "Marram", "Zebra Crossing": "Paper Zebra", "Nightjar": "Nordlys"}
albums = []
assert len(ALBUMS) == len(bands) + len(extra), (len(ALBUMS), len(bands))
for k, title in enumerate(ALBUMS):
    b = k if k < len(bands) else band[extra[title]]
    last = (split[b] or 2025)
    if title == "Demos 2011":
        yr = 2011
    else:
        yr = rng.randint(min(formed[b] + 1, last), last)
    albums.append([title, b, yr])
rows, rel = [], []
for k, (title, b, yr) in enumerate(albums):
    name = signed.get(b)
    fmt = fmt_of.get(title, "LP")
    sales = int(round(rng.lognormvariate(9.3, 1.0), -1)) if rng.random() < 0.92 else None
    released = date(yr, rng.randint(1, 12), rng.randint(1, 28))
    catalogue = f"{LABELS[label[name]][1]}-{rng.randint(10, 399):03d}" if name else None
    rows.append((title, released, fmt,
                 catalogue if name and yr >= LABELS[label[name]][2] else None,
                 round(rng.uniform(14, 27) if fmt == "EP" else rng.uniform(31, 68), 1), sales, bool(sales and sales > 25000)))
    if name and yr >= LABELS[label[name]][2] and rng.random() < 0.93:
        rel.append((k, label[name]))
t.nodes("Album", "Album", "Album", "title releaseDate:date format catNo lenMin:float unitsSold:int goldDisc:boolean", rows)
t.edges("RECORDED", "Band", "Album", [(a[1], k, rng.choice(["Leeds", "Antwerp", "Bergen", "Bristol", "Hamburg", None])) for k, a in enumerate(albums)], "studioCity")
t.edges("RELEASED_ON", "Album", "RecordLabel", rel)

ADJ = "Broken Silver Paper Crooked Empty Golden Burning Hollow Quiet Second Northern Velvet Electric Rusty Sleeping Borrowed Winter Salt Distant Plastic Drowned Lucky Wild Frozen".split()
NOUN = "Harbour Motorway Lantern Teeth Kingdom Radio Garden Bicycle Chapel Mirror Ghost River Kitchen Ladder Signal Animals Letters Weather Dog Machine Sister Moon Wedding Bones".split()
TITLES = ["Oyster Girl", "Song for My Landlord", "Don't Feed the Gulls", "Three Pints Down", "The Last Night Bus", "Mind the Gap", "Goodbye Rotterdam",
          "Everybody Leaves Leeds", "Marzipan", "Tuesday Again", "Bring Your Own Chair", "Nobody Dances in Bergen", "Ode to a Vending Machine", "Sinking Feeling",
          "Wellington Boots", "Cold Harbour", "Lighthouse Keeper", "Hammer and Psalm", "Eat the Ticket Tout", "Who Stole My Tent", "Stay Awhile", "Half a Heart",
          "Dance Like Your Dad", "Low Tide", "Moth to a Floodlight", "Blue Room", "Queue for the Bar", "Platform Zero", "Snow in April", "Ten Year Plan"]
pool = [f"{a} {n}" for a in ADJ for n in NOUN]
rng.shuffle(pool)
tracks, on, wrote, feat = [], [], [], []
titles = iter(TITLES + pool)
order = list(range(len(albums)))
rng.shuffle(order)
for k in order:
    for no in range(1, rng.randint(2, 4)):
        i = len(tracks)
        is_single = rng.random() < 0.45
        peak = rng.randint(1, 100) if is_single and rng.random() < 0.7 else None
        tracks.append((next(titles), rng.randint(95, 480), rng.random() < 0.2, is_single, peak,
                       rng.choice([84, 92, 98, 104, 110, 118, 124, 128, 136, 150, 172, None])))
        on.append((i, k, no))
        crew = band_members[albums[k][1]]
        for m in rng.sample(crew, min(len(crew), rng.choice([1, 1, 2]))):
            wrote.append((m, i))
        if rng.random() < 0.13:
            g = rng.randrange(len(musicians))
            if g not in crew:
                feat.append((i, g, rng.choice(["vocals", "fiddle", "trumpet", "guitar", "spoken word"])))
t.nodes("Track", "Track", "Track", "title dur_sec:int explicit:boolean isSingle:boolean peakPos:int bpm:int", tracks)
t.edges("ON_ALBUM", "Track", "Album", on, "trackNo:int")
t.edges("WROTE", "Musician", "Track", wrote)
t.edges("FEATURES", "Track", "Musician", feat, "guestInstr")

# ---------------------------------------------------------------- sets
played_at, played_on = [], []
SLOTS = {"headliner": ("21:30", 90), "special guest": ("19:45", 70), "support": (None, 50), "opener": ("12:30", 35)}
BASE = {"headliner": 42000, "special guest": 16000, "support": 5000, "opener": 900}
for e, (f, yr, first, n, *_rest) in enumerate(EDITIONS):
    if EDITIONS[e][8]:
        continue
    focus = FESTIVALS[fest[f]][3]
    ok = [i for i in range(len(bands)) if formed[i] <= yr and (split[i] is None or split[i] >= yr)]
    core = [i for i in ok if bands[i][1] == focus]
    other = [i for i in ok if bands[i][1] != focus]
    chosen = rng.sample(core, min(len(core), rng.randint(4, 6)))
    chosen += rng.sample(other, rng.randint(3, 5))
    chosen = sorted(chosen, key=lambda i: -(listeners[i] or 0) * (2 if bands[i][1] == focus else 1) * rng.uniform(0.3, 1.7))
    mine = [s for s, x in enumerate(STAGES) if x[1] == f]
    heads = 1 if n == 1 else 2
    for k, i in enumerate(chosen):
        billing = "headliner" if k < heads else "special guest" if k == heads else "opener" if k >= len(chosen) - 2 else "support"
        fee = int(round(BASE[billing] * rng.uniform(0.5, 1.6) * (1.5 if f in ("Honeycomb", "Iron Lung Weekender") else 1), -2))
        played_at.append((i, e, billing, fee if rng.random() < 0.93 else None, rng.random() < 0.3))
        clock, mins = SLOTS[billing]
        clock = clock or f"{rng.randint(13, 18)}:{rng.choice(['00', '15', '30', '45'])}"
        st = mine[0] if billing in ("headliner", "special guest") else rng.choice(mine)
        when = date.fromisoformat(first) + timedelta(days=k % n if billing == "headliner" else rng.randrange(n))
        played_on.append((i, st, when, clock, mins + rng.choice([-10, -5, 0, 0, 5])))
t.edges("PLAYED_AT", "Band", "Edition", played_at, "billing feeEur:int merchStall:boolean")
t.edges("PLAYED_ON", "Band", "Stage", played_on, "setDate:date startTime set_mins:int")

# ---------------------------------------------------------------- sponsors
SPONSORS = [
    ("Gullwing Lager", "brewery", "Leeds"), ("Fenwick Cider", "brewery", "Bristol"), ("Halden Amps", "audio equipment", "Gothenburg"),
    ("Bluebird Mobile", "telecoms", "Rotterdam"), ("Northbank", "banking", "Glasgow"), ("Tentacle Outdoor", "camping gear", "Utrecht"),
    ("Oatwell", "food", "Malmö"), ("Pico Energy Drink", "soft drinks", "Graz"), ("Spokes Bike Hire", "transport", "Ghent"),
    ("Radio Wavelength", "media", "Cardiff"), ("Marlow Insurance", "insurance", "Norwich"), ("Volt Scooters", "transport", "Tallinn"),
    ("Hopworks", "brewery", "Antwerp"), ("Puddle Wellies", "clothing", "Sheffield"), ("Sunny Side Sunscreen", "cosmetics", "Porto"),
    ("Rietveld Coffee", "food", "Utrecht"), ("Hush Earplugs", "health", "Antwerp"), ("Tin Whistle Whiskey", "distillery", "Galway"),
]
t.nodes("Sponsor", "Sponsor", "Sponsor", "name industry ethicalOk:boolean", [(s[0], s[1], rng.random() < 0.75) for s in SPONSORS])
based_in("Sponsor", [(i, city[s[2]]) for i, s in enumerate(SPONSORS)])
based_in("Band", [(i, city[c]) for i, c in enumerate(band_city) if rng.random() < 0.95])
rows = []
for e, ed in enumerate(EDITIONS):
    for k, s in enumerate(rng.sample(range(len(SPONSORS)), rng.randint(2, 4))):
        tier = ["gold", "silver", "bronze", "bronze"][k]
        rows.append((s, e, tier, {"gold": 40000, "silver": 18000, "bronze": 6000}[tier] + rng.randrange(0, 80) * 250, ))
t.edges("SPONSORS", "Sponsor", "Edition", rows, "tier amount_eur:int")
PRESENTS = [("Gullwing Lager", "Anvil Stage"), ("Fenwick Cider", "Clover Tent"), ("Halden Amps", "The Crucible"), ("Bluebird Mobile", "Upper Deck"),
            ("Radio Wavelength", "Hive Main Stage"), ("Tin Whistle Whiskey", "The Boathouse"), ("Hopworks", "Engine Room"), ("Oatwell", "Little Drones"),
            ("Rietveld Coffee", "Blue Room"), ("Gullwing Lager", "Breakwater Stage")]
sp = {s[0]: i for i, s in enumerate(SPONSORS)}
st_ = {s[0]: i for i, s in enumerate(STAGES)}
t.edges("PRESENTS", "Sponsor", "Stage", [(sp[a], st_[b], y) for (a, b), y in zip(PRESENTS, [2022, 2023, 2019, 2024, 2019, 2023, 2025, 2022, 2024, 2025])], "sinceYr:int")

# ---------------------------------------------------------------- tickets
TICKETS = [("Weekend Pass", 3, False, 16, True), ("Weekend + Camping", 3, True, 16, True), ("Day Ticket", 1, False, None, False),
           ("Early Bird", 3, False, 16, True), ("VIP", 3, False, 18, True), ("Family Ticket", 3, True, None, False), ("Child", 3, False, None, False),
           ("Carers Ticket", 3, False, None, False), ("Campervan Pass", None, True, 18, True), ("Parking", None, False, None, True)]
t.nodes("TicketType", "TicketType", "TicketType", "name days:int camping:boolean minAge:int refundable:boolean", TICKETS)
PRICE = {"Saltmarsh": 120, "Iron Lung Weekender": 155, "Honeycomb": 140, "Night Ferry": 110, "Brass Monkey": 75, "Low Tide": 48}
FACTOR = [1, 1.3, 0.45, 0.8, 2.1, 2.6, 0.3, 0.0, 0.4, 0.12]
rows = []
for e, (f, yr, *_r) in enumerate(EDITIONS):
    camp = VENUES[venue[EDITIONS[e][4]]][5]
    sells = [0, 2, 3] + ([1, 8] if camp else []) + ([4] if f in ("Iron Lung Weekender", "Honeycomb", "Night Ferry") else [])
    sells += [5, 6] if FESTIVALS[fest[f]][4] else []
    sells += [9] if f in ("Honeycomb", "Iron Lung Weekender") else []
    sells += [7] if f in ("Saltmarsh", "Honeycomb", "Brass Monkey") else []
    if EDITIONS[e][3] == 1:
        sells = [2]
    for k in sorted(sells):
        price = round(PRICE[f] * FACTOR[k] * (1 + 0.045 * (yr - 2019)) * 2) / 2
        allotted = rng.randrange(2, 60) * 100
        sold = None if EDITIONS[e][8] else min(allotted, int(allotted * rng.uniform(0.6, 1.2)))
        rows.append((e, k, price, allotted, sold))
t.edges("SELLS", "Edition", "TicketType", rows, "price_eur:float qtyAvail:int qtySold:int")

# ---------------------------------------------------------------- volunteers
vols = [person() for _ in range(70)]
t.nodes("Volunteer", "Volunteer", "Volunteer", "name volNo birthDate:date shirtSize firstAider:boolean drivingLic:boolean dietReq",
        [(v, f"V{1001 + 7 * i}", day(rng, "1958-01-01", "2006-12-31") if rng.random() < 0.94 else None, rng.choice("XS S M M L L XL XXL".split()),
          rng.random() < 0.25, rng.random() < 0.6, rng.choice(["vegan", "vegetarian", "gluten-free", "nut allergy", None, None, None, None])) for i, v in enumerate(vols)])
t.edges("LIVES_IN", "Volunteer", "City", [(i, city[rng.choice(CITIES)[0]]) for i in range(70) if rng.random() < 0.96])
ROLES = ["bar", "gate", "litter picking", "stage crew", "first aid", "campsite", "box office", "artist liaison", "parking"]
rows = []
for i in range(70):
    open_ = [e for e in range(len(EDITIONS)) if not EDITIONS[e][8]]
    for e in sorted(rng.sample(open_, rng.choice([1, 1, 2, 2, 3, 5]))):
        rows.append((i, e, rng.choice(ROLES), rng.randint(6, 40) if rng.random() < 0.95 else None, rng.random() < 0.15))
t.edges("HELPED_AT", "Volunteer", "Edition", rows, "role hrs:int teamLead:boolean")

# ---------------------------------------------------------------- food stalls
STALLS = [("Bao Down", "Taiwanese", False, False), ("Falafel Waffle", "Middle Eastern", True, False), ("Dosa Dosa", "South Indian", True, True),
          ("The Cheese Toastie Co", "British", False, False), ("Pulled Apart Pork", "barbecue", False, True), ("Smoke & Mirrors BBQ", "barbecue", False, False),
          ("Crêpe Escape", "French", False, False), ("Jollof Junction", "West African", False, True), ("Vegan Vulture", "burgers", True, False),
          ("Bun Intended", "burgers", False, False), ("Oyster Cart", "seafood", False, True), ("Cod Almighty", "fish and chips", False, False),
          ("Taco Belter", "Mexican", False, True), ("Pho Real", "Vietnamese", True, True), ("Slice of Heaven", "pizza", False, False),
          ("Dough My Days", "pizza", True, False), ("Kimchi Cabin", "Korean", False, True), ("Frites Frites", "Belgian", True, True),
          ("Churro Churro", "Spanish", True, False), ("Gelato Grotto", "ice cream", False, True), ("Mister Softly", "ice cream", False, False),
          ("Bean Counter", "coffee", True, True), ("Flat White Lies", "coffee", False, False), ("Porridge & Co", "breakfast", True, None),
          ("Pierogi Palace", "Polish", False, False), ("Curry in a Hurry", "Indian", True, True), ("Noodle Doodle", "Thai", True, None),
          ("Loaded Spud", "British", False, True), ("Halloumi Hut", "Greek", False, True), ("Souvlaki Shack", "Greek", False, False),
          ("Wurst Case", "German", False, False), ("Paella Fella", "Spanish", False, True), ("Raclette Rescue", "Swiss", False, True),
          ("Gumbo Limbo", "Cajun", False, None), ("Cake That", "bakery", False, False)]
t.nodes("FoodStall", "FoodStall", "FoodStall", "name cuisine vegan:boolean glutenFree:boolean hygieneRtg:int cardOnly:boolean contactTel",
        [(*s, rng.choice([2, 3, 4, 4, 5, 5, 5, None]), rng.random() < 0.4, f"+44 7700 900{rng.randint(100, 999)}" if rng.random() < 0.8 else None) for s in STALLS])
rows = []
for e in range(len(EDITIONS)):
    if EDITIONS[e][8]:
        continue
    for k, s in enumerate(rng.sample(range(len(STALLS)), rng.randint(4, 8))):
        rows.append((s, e, f"{rng.choice('ABCD')}{k + 1}", rng.randrange(6, 50) * 25, rng.randrange(20, 480) * 50 if rng.random() < 0.88 else None))
t.edges("TRADED_AT", "FoodStall", "Edition", rows, "pitchNo pitchFee_eur:int takings_eur:int")
