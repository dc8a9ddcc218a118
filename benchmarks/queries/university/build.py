"""Writes the university graph: `python -m benchmarks.queries.university.build [folder]`."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from benchmarks.queries.blind_graph import Tables, Value, day

HERE = Path(__file__).resolve().parent
SEED = 7717

FIRST = [
    "Aaron", "Amelia", "Benedikt", "Bronwen", "Chiara", "Declan", "Elif", "Femke", "Gareth", "Harriet", "Ibrahim",
    "Jonas", "Katarina", "Leonie", "Malik", "Niamh", "Oscar", "Priya", "Quentin", "Rosa", "Samuel", "Tamsin", "Ulrike",
    "Vikram", "Wendy", "Xavier", "Yasmin", "Zoltan", "Florence", "Hugh", "April", "Noor", "Stephen", "Margaret",
]  # fmt: skip
LAST = [
    "Abbott", "Ashworth", "Bishop", "Chapman", "Demir", "Doyle", "Eriksen", "Fletcher", "Field", "Ghosh", "Hall",
    "Hawthorn", "Ivanova", "Jansen", "Khalil", "Lang", "Lindqvist", "Marlowe", "Moreau", "Nowak", "O'Brien", "Page",
    "Penhaligon", "Quill", "Rahman", "Reeve", "Rossi", "Schuster", "Sharma", "Tanner", "Varga", "West", "Young",
    "Zimmer", "van Dam",
]  # fmt: skip
TOWNS = ["Wexcombe", "Wexcombe", "Wexcombe", "Little Harrow", "Port Ellery", "Ghent", "Dublin", "Krakow", "Turin"]
# name, code, faculty, founded, yearly budget in euros; then how many people work there
DEPARTMENTS: list[tuple[list[Value], int]] = [
    (["Mathematics", "MAT", "Science", 1874, 2100000], 9),
    (["Computer Science", "CSC", "Science", 1969, 3400000], 10),
    (["Physics", "PHY", "Science", 1880, 4800000], 8),
    (["Biology", "BIO", "Science", 1902, 3900000], 8),
    (["History", "HIS", "Humanities", 1851, 1500000], 7),
    (["English Literature", "ENG", "Humanities", 1851, 1350000], 7),
    (["Philosophy", "PHI", "Humanities", 1857, 800000], 5),
    (["Linguistics", "LIN", "Humanities", 1966, 950000], 5),
    (["Music", "MUS", "Arts", 1912, 1700000], 8),
    (["Theatre Studies", "THE", "Arts", 1978, 1250000], 5),
    (["Economics", "ECO", "Social Sciences", 1931, None], 8),
]
# name, degree, semesters, tuition a year in euros, places, taught in English; then the department
PROGRAMMES: list[tuple[list[Value], int]] = [
    (["Bachelor in Mathematics", "BSc", 6, 3200, 80, False], 0),
    (["Applied Statistics", "MSc", 4, 5400, 25, True], 0),
    (["Bachelor in Computer Science", "BSc", 6, 3200, 120, True], 1),
    (["Artificial Intelligence", "MSc", 4, 7900, 40, True], 1),
    (["Bachelor in Physics", "BSc", 6, 3200, 60, False], 2),
    (["Astrophysics", "MSc", 4, 5400, 15, True], 2),
    (["Bachelor in Biology", "BSc", 6, 3400, 90, False], 3),
    (["Marine Biology", "MSc", 3, 6100, 18, True], 3),
    (["Medieval Studies", "MA", 4, 4200, 20, False], 4),
    (["Bachelor in History", "BA", 6, 2900, 70, False], 4),
    (["English and Drama", "BA", 8, 2900, 55, True], 5),
    (["Philosophy, Politics and Economics", "BA", 6, 3600, 45, True], 6),
    (["Linguistics", "BA", 6, 2900, 30, None], 7),
    (["Musicology", "MA", 4, 4200, 12, False], 8),
    (["Performance and Composition", "BA", 8, 4900, 24, False], 8),
    (["Directing", "MA", 4, 5200, 8, False], 9),
    (["Bachelor in Economics", "BSc", 6, 3300, None, False], 10),
]
# department; then title, ECTS, level, elective, exam type of each course
COURSES: list[tuple[int, str, int, str, bool, str | None]] = [
    (0, "Linear Algebra I", 8, "bachelor", False, "written"),
    (0, "Linear Algebra II", 8, "bachelor", False, "written"),
    (0, "Real Analysis", 9, "bachelor", False, "written"),
    (0, "Probability", 6, "bachelor", False, "written"),
    (0, "Statistics for Everyone", 5, "bachelor", True, "written"),
    (0, "Bayesian Methods", 6, "master", True, "oral"),
    (0, "Number Theory", 6, "bachelor", True, "oral"),
    (1, "Programming I", 7, "bachelor", False, "written"),
    (1, "Programming II", 7, "bachelor", False, "written"),
    (1, "Algorithms", 8, "bachelor", False, "written"),
    (1, "Databases", 6, "bachelor", False, "written"),
    (1, "Operating Systems", 6, "bachelor", False, None),
    (1, "Machine Learning", 8, "master", False, "written"),
    (1, "Natural Language Processing", 6, "master", True, "portfolio"),
    (1, "Computer Music", 4, "bachelor", True, "portfolio"),
    (1, "Ethics of AI", 3, "master", True, "essay"),
    (2, "Mechanics", 8, "bachelor", False, "written"),
    (2, "Electrodynamics", 8, "bachelor", False, "written"),
    (2, "Quantum Physics", 9, "bachelor", False, "oral"),
    (2, "Acoustics", 4, "bachelor", True, "written"),
    (2, "Stellar Evolution", 6, "master", False, "oral"),
    (2, "Cosmology", 6, "master", True, "oral"),
    (3, "Cell Biology", 7, "bachelor", False, "written"),
    (3, "Genetics", 7, "bachelor", False, "written"),
    (3, "Ecology", 5, "bachelor", True, "portfolio"),
    (3, "Marine Mammals", 6, "master", True, "oral"),
    (3, "Field Methods", 4, "bachelor", False, "portfolio"),
    (4, "The Roman Republic", 5, "bachelor", True, "essay"),
    (4, "Europe since 1945", 5, "bachelor", False, "written"),
    (4, "Reading Medieval Manuscripts", 6, "master", False, "oral"),
    (4, "History of Wexcombe", 3, "bachelor", True, "essay"),
    (4, "The Black Death", 5, "bachelor", True, "essay"),
    (5, "Shakespeare", 6, "bachelor", False, "essay"),
    (5, "Hamlet and Its Afterlives", 4, "bachelor", True, "essay"),
    (5, "The Victorian Novel", 6, "bachelor", False, "essay"),
    (5, "Creative Writing", 5, "bachelor", True, "portfolio"),
    (6, "Logic", 6, "bachelor", False, "written"),
    (6, "Ethics", 6, "bachelor", False, "essay"),
    (6, "Kant", 5, "bachelor", True, "oral"),
    (6, "Philosophy of Mind", 6, "master", True, "essay"),
    (7, "Phonetics", 5, "bachelor", False, "written"),
    (7, "Syntax", 6, "bachelor", False, "written"),
    (7, "Old English", 4, "bachelor", True, "oral"),
    (7, "Language and Gender", 4, "bachelor", True, None),
    (8, "Harmony", 5, "bachelor", False, "written"),
    (8, "Counterpoint", 5, "bachelor", False, "written"),
    (8, "History of Jazz", 4, "bachelor", True, "essay"),
    (8, "Conducting", 6, "bachelor", True, "performance"),
    (8, "Bach", 4, "master", True, "oral"),
    (8, "Chamber Music", 8, "bachelor", False, "performance"),
    (9, "Stagecraft", 5, "bachelor", True, "portfolio"),
    (9, "Directing I", 10, "master", False, "performance"),
    (9, "Voice and Movement", 4, "bachelor", True, "performance"),
    (9, "Greek Tragedy", 5, "bachelor", True, "essay"),
    (10, "Microeconomics", 7, "bachelor", False, "written"),
    (10, "Macroeconomics", 7, "bachelor", False, "written"),
    (10, "Econometrics", 8, "bachelor", False, "written"),
    (10, "Game Theory", 5, "bachelor", True, "written"),
    (10, "Economic History", 5, "bachelor", True, "essay"),
]
# course, the course that it requires, whether that is strict
NEEDS = """Linear Algebra II:Linear Algebra I:1|Probability:Real Analysis:0|Bayesian Methods:Probability:1
Number Theory:Linear Algebra I:0|Programming II:Programming I:1|Algorithms:Programming II:1
Algorithms:Linear Algebra I:0|Databases:Programming I:0|Operating Systems:Programming II:1
Machine Learning:Probability:1|Machine Learning:Algorithms:1|Machine Learning:Linear Algebra II:1
Natural Language Processing:Machine Learning:0|Natural Language Processing:Syntax:0
Computer Music:Programming I:1|Electrodynamics:Mechanics:1|Quantum Physics:Electrodynamics:1
Quantum Physics:Linear Algebra II:1|Acoustics:Mechanics:0|Stellar Evolution:Quantum Physics:1
Cosmology:Stellar Evolution:0|Genetics:Cell Biology:1|Marine Mammals:Ecology:0|Field Methods:Ecology:0
Hamlet and Its Afterlives:Shakespeare:1|Kant:Ethics:0|Philosophy of Mind:Logic:1|Syntax:Phonetics:0
Counterpoint:Harmony:1|Conducting:Harmony:1|Bach:Counterpoint:1|Directing I:Stagecraft:0
Econometrics:Microeconomics:1|Econometrics:Probability:1|Game Theory:Microeconomics:0
Macroeconomics:Microeconomics:1"""
# name, short name, year built, floors, listed, street
BUILDINGS: list[list[Value]] = [
    ["Old College", "OC", 1851, 3, True, "Abbey Lane"],
    ["Bishop Building", "BB", 1964, 7, False, "Station Road"],
    ["Hawthorn House", "HH", 1889, 4, True, "Abbey Lane"],
    ["Marlowe Theatre", "MT", 1931, 2, True, "Market Square"],
    ["Science Tower", "ST", 1972, 12, False, "Station Road"],
    ["Turing Centre", "TC", 2008, 5, False, "Station Road"],
    ["Conservatory", None, 1912, 3, True, "Orchard Street"],
    ["Penhaligon Library", "PL", 1998, 5, False, "Abbey Lane"],
    ["Boathouse", None, 1905, 1, None, "River Walk"],
    ["Students' Union", "SU", 1977, 3, False, "Market Square"],
]
# name, kind, capacity, projector, step-free; then the building
ROOMS: list[tuple[list[Value], int]] = [
    (["Great Hall", "hall", 420, True, True], 0),
    (["Senate Room", "seminar room", 30, True, False], 0),
    (["Cloister Room", "seminar room", 24, False, False], 0),
    (["Founders' Library", "reading room", 40, False, False], 0),
    (["BB 1.01", "lecture hall", 180, True, True], 1),
    (["BB 1.02", "lecture hall", 120, True, True], 1),
    (["BB 2.10", "seminar room", 35, True, True], 1),
    (["BB 4.07", "seminar room", 28, True, True], 1),
    (["BB 6.15", "seminar room", 18, None, True], 1),
    (["HH 0.3", "seminar room", 22, False, True], 2),
    (["HH 2.1", "seminar room", 26, True, False], 2),
    (["HH 3.4", "seminar room", 16, False, False], 2),
    (["Main Stage", "stage", 310, True, True], 3),
    (["Black Box", "stage", 90, False, True], 3),
    (["Rehearsal Room 2", "studio", 25, False, False], 3),
    (["Curie Lecture Theatre", "lecture hall", 240, True, True], 4),
    (["ST 3.12", "laboratory", 32, True, True], 4),
    (["ST 5.01", "laboratory", 24, True, True], 4),
    (["ST 8.20", "laboratory", 20, False, True], 4),
    (["Observatory", "laboratory", 15, None, False], 4),
    (["TC 0.01", "lecture hall", 200, True, True], 5),
    (["TC 1.11", "computer lab", 48, True, True], 5),
    (["TC 1.12", "computer lab", 36, True, True], 5),
    (["TC 3.05", "seminar room", 20, True, True], 5),
    (["Recital Hall", "hall", 220, False, True], 6),
    (["Organ Loft", "studio", 12, False, False], 6),
    (["Practice Room 1", "studio", 4, False, True], 6),
    (["Practice Room 7", "studio", 10, False, True], 6),
    (["Recording Studio", "studio", 14, None, True], 6),
    (["Reading Room", "reading room", 150, False, True], 7),
    (["Seminar Room 5", "seminar room", 30, True, True], 7),
    (["Map Room", "reading room", 18, True, True], 7),
    (["Club Room", "hall", 60, False, False], 8),
    (["The Cellar", "hall", 130, True, False], 9),
    (["Debating Chamber", "hall", 160, True, True], 9),
    (["Meeting Room 3", "seminar room", 12, True, None], 9),
]
HOME_ROOMS = {
    0: [4, 5, 6, 15], 1: [20, 21, 22, 23], 2: [15, 16, 19, 4], 3: [15, 17, 18], 4: [1, 2, 9, 31], 5: [10, 11, 9, 30],
    6: [1, 2, 7], 7: [7, 8, 30], 8: [24, 25, 27, 28], 9: [12, 13, 14], 10: [4, 5, 7],
}  # fmt: skip
# name, short name, founded, fee a year, category, day on which it meets
SOCIETIES: list[list[Value]] = [
    ["Wexcombe University Drama Society", "DramSoc", 1923, 15.0, "performing arts", "Tuesday"],
    ["University Orchestra", None, 1912, 40.0, "performing arts", "Thursday"],
    ["Chamber Choir", None, 1934, 20.0, "performing arts", "Wednesday"],
    ["Jazz Orchestra", "WJO", 1988, 20.0, "performing arts", "Monday"],
    ["Film Society", "FilmSoc", 1951, 12.5, "culture", "Sunday"],
    ["Debating Union", None, 1866, 25.0, "debate", "Thursday"],
    ["Rowing Club", "WURC", 1881, 110.0, "sport", "Saturday"],
    ["Chess Club", None, 1949, 5.0, "games", "Wednesday"],
    ["Board Game Society", "BGS", 2011, 0.0, "games", "Friday"],
    ["Hill Walkers", None, 1960, 18.0, "sport", None],
    ["Astronomy Society", "AstroSoc", 1968, 10.0, "science", "Monday"],
    ["Philosophy Club", None, 2003, 0.0, "debate", "Tuesday"],
    ["Wexcombe Gazette", "The Gazette", 1902, None, "media", "Monday"],
    ["Radio Wex", None, 1994, 8.0, "media", "Friday"],
    ["Photography Society", "PhotoSoc", 1957, 22.0, "culture", None],
]
# society, event, kind, date, begin, ticket in euros, sold out, visitors, room
EVENTS: list[tuple[int, str, str, str, str | None, float | None, bool | None, int | None, int]] = [
    (0, "Hamlet", "play", "2024-11-22", "19:30", 12.0, True, 310, 12),
    (0, "The Cherry Orchard", "play", "2024-03-08", "19:30", 12.0, False, 204, 12),
    (0, "Waiting for Godot", "play", "2025-02-14", "20:00", 9.0, True, 90, 13),
    (0, "Antigone", "play", "2025-05-23", "20:00", 9.0, False, 71, 13),
    (0, "Improv Night", "comedy", "2025-03-03", "21:00", 4.0, False, 58, 33),
    (0, "The Mousetrap", "play", "2025-11-28", "19:30", 14.0, None, None, 12),
    (1, "Autumn Concert", "concert", "2024-10-25", "19:00", 16.0, False, 377, 0),
    (1, "Christmas Concert", "concert", "2024-12-14", "18:00", 16.0, True, 420, 0),
    (1, "Spring Concert", "concert", "2025-04-11", "19:00", 16.0, False, 352, 0),
    (1, "Beethoven Marathon", "concert", "2025-06-07", "11:00", 25.0, True, 420, 0),
    (2, "Evensong", "concert", "2025-01-19", "17:30", 0.0, False, 96, 24),
    (2, "Bach Cantatas", "concert", "2025-03-28", "19:30", 10.0, False, 143, 24),
    (2, "Carols by Candlelight", "concert", "2024-12-19", "20:00", 8.0, True, 220, 24),
    (3, "Midnight Swing", "concert", "2025-01-31", "23:00", 7.5, True, 130, 33),
    (3, "Ellington Night", "concert", "2025-05-09", "20:30", 9.5, False, 101, 33),
    (3, "Summer Jam", "festival", "2025-07-05", None, 0.0, False, 260, 32),
    (4, "Silent Film Evening", "film", "2024-10-09", "20:00", 5.0, False, 62, 15),
    (4, "Metropolis", "film", "2025-02-05", "20:00", 5.0, False, 117, 15),
    (4, "Short Film Festival", "festival", "2025-05-16", "14:00", 11.0, False, 188, 15),
    (4, "The Third Man", "film", "2025-03-19", "20:00", 5.0, False, None, 15),
    (5, "Great Debate: Tuition Fees", "debate", "2024-11-07", "18:30", 0.0, False, 152, 34),
    (5, "Great Debate: Artificial Intelligence", "debate", "2025-02-27", "18:30", 0.0, True, 160, 34),
    (5, "Freshers' Debate", "debate", "2024-09-26", "18:00", 0.0, False, 88, 34),
    (6, "Regatta Ball", "party", "2025-06-14", "20:00", 35.0, True, 60, 32),
    (7, "Blitz Tournament", "tournament", "2025-03-15", "10:00", 3.0, False, 44, 30),
    (7, "Simultaneous with a Grandmaster", "tournament", "2024-11-30", "14:00", 6.0, None, 32, 29),
    (8, "Twelve Hours of Catan", "tournament", "2025-04-26", "10:00", 2.0, False, 39, 35),
    (10, "Night of the Perseids", "observation", "2025-08-12", "22:30", 0.0, False, 15, 19),
    (10, "Black Holes for Beginners", "lecture", "2025-01-22", "19:00", 3.0, False, 173, 15),
    (11, "Kant in the Cellar", "lecture", "2025-04-22", "20:00", 0.0, False, 37, 33),
    (12, "Gazette Open Day", "open day", "2024-10-02", "13:00", None, False, None, 35),
    (13, "Battle of the Bands", "festival", "2025-05-30", "19:00", 8.0, True, 130, 33),
    (14, "Faces of Wexcombe", "exhibition", "2025-02-01", "10:00", 0.0, False, 512, 31),
    (14, "Old Town, New Light", "exhibition", "2025-06-01", "10:00", 2.0, False, 298, 31),
]
# title, acronym, begin, end, status, budget in euros, department
PROJECTS: list[tuple[str, str | None, str, str | None, str, int | None, int]] = [
    ("Sparse Models for Climate Data", "SPARC", "2022-03-01", "2026-02-28", "running", 820000, 0),
    ("Random Graphs and Epidemics", "RAGE", "2020-01-01", "2023-12-31", "finished", 415000, 0),
    ("Talking to Archives", "TALA", "2023-09-01", "2027-08-31", "running", 1240000, 1),
    ("Green Data Centres", None, "2021-05-01", "2024-10-31", "finished", 690000, 1),
    ("Robust Speech Recognition for Dialects", "ROSE", "2024-01-01", "2026-12-31", "running", 980000, 1),
    ("Dark Matter Detector Calibration", "DAMAC", "2019-10-01", "2025-03-31", "finished", 2650000, 2),
    ("Wexcombe Radio Telescope", "WERT", "2025-01-01", "2030-12-31", "running", 5100000, 2),
    ("Acoustics of Historic Theatres", "AHIT", "2023-02-01", "2026-01-31", "running", 310000, 2),
    ("Seagrass Recovery", "SEAGRASS", "2022-06-01", "2025-05-31", "finished", 760000, 3),
    ("Genomes of Grey Seals", "SEAL", "2024-04-01", "2028-03-31", "running", 1480000, 3),
    ("Soil Life under Orchards", None, "2021-03-01", "2022-08-31", "abandoned", 95000, 3),
    ("Merchants of Medieval Wexcombe", "MERCATOR", "2023-01-01", "2025-12-31", "running", 280000, 4),
    ("Letters from the Front", None, "2018-09-01", "2021-08-31", "finished", 175000, 4),
    ("Victorian Women Playwrights", "VIWOP", "2024-09-01", "2027-08-31", "running", 220000, 5),
    ("Reasoning under Uncertainty", "RUN", "2022-10-01", "2025-09-30", "running", 340000, 6),
    ("Atlas of Harrow Dialects", "HARDIA", "2021-01-01", "2024-12-31", "finished", 265000, 7),
    ("Lost Cantatas", "CANTA", "2025-02-01", None, "planned", 150000, 8),
    ("Machine Improvisation", "MIMP", "2024-02-01", "2027-01-31", "running", 445000, 8),
    ("Theatre without Barriers", "TWB", "2025-03-01", "2027-02-28", "running", None, 9),
    ("Housing Costs of Students", "HOCS", "2023-04-01", "2024-09-30", "finished", 120000, 10),
    ("Markets for Carbon", "MARC", "2024-06-01", "2027-05-31", "running", 530000, 10),
]
FUNDERS: list[list[Value]] = [
    ["European Research Council", "ERC", "public", "Belgium"],
    ["National Science Fund", "NSF", "public", "Ireland"],
    ["Arts Council", None, "public", "Ireland"],
    ["Penhaligon Foundation", None, "foundation", "United Kingdom"],
    ["Lindqvist Trust", None, "foundation", "Sweden"],
    ["Nordwind Energie", None, "industry", "Germany"],
    ["Voxel Systems", "Voxel", "industry", "Netherlands"],
    ["City of Wexcombe", None, "public", None],
]
GRANTS = """0:0 0:5 1:1 2:0 2:6 3:5 3:6 4:6 4:1 5:1 6:0 6:1 6:3 7:2 7:7 8:1 8:4 9:4 11:7 11:3 12:3 13:2 14:1 15:7 16:2
16:3 17:6 18:2 19:7 20:5 20:0"""
THESES: list[tuple[str, int]] = [
    ("Zeta Values at Odd Integers", 0), ("Sampling from Heavy Tails", 0), ("Random Walks on Trees", 0),
    ("A Query Language for Choirs", 1), ("Learning to Rank Manuscripts", 1), ("Small Language Models at the Edge", 1),
    ("Sorting in Almost No Memory", 1), ("Explaining Black Boxes", 1), ("Noise in Small Telescopes", 2),
    ("The Sound of the Marlowe Theatre", 2), ("Cooling Atoms with Light", 2), ("Dust around Young Stars", 2),
    ("Grey Seals and Ferries", 3), ("Moss on Listed Buildings", 3), ("Seagrass after Storms", 3),
    ("Bats of Hawthorn House", 3), ("Plague Years in Wexcombe", 4), ("The Abbey's Accounts", 4),
    ("Railway Strikes before 1914", 4), ("Ghosts in Shakespeare", 5), ("Servants in the Victorian Novel", 5),
    ("Ophelia Rewritten", 5), ("Kant on Lying", 6), ("Can Machines Mean It?", 6), ("Vowels of Little Harrow", 7),
    ("Swearing in Old English", 7), ("Late Bach and the Organ", 8), ("Improvising with Machines", 8),
    ("Ellington in Europe", 8), ("Beckett in the Round", 9), ("Light without Electricity", 9),
    ("Rent Control Revisited", 10), ("Auctions with Shy Bidders", 10), ("The Price of Concert Tickets", 10),
]  # fmt: skip
TITLES = ["professor", "associate professor", "lecturer", "lecturer", "lecturer", "research fellow", "research fellow"]
PAY = {"professor": 92000, "associate professor": 74000, "lecturer": 58000, "research fellow": 49000,
       "administrator": 43000, "technician": 41000}  # fmt: skip


def staff(rng: Random, t: Tables, names: list[tuple[str, str]]) -> dict[int, list[int]]:
    """Staff and their departments; gives the academic staff of each department, its professors first."""
    rows: list[list[Value]] = []
    works: list[list[Value]] = []
    heads: list[list[Value]] = []
    academics: dict[int, list[int]] = {}
    for d, (_, size) in enumerate(DEPARTMENTS):
        titles = ["professor", "professor" if size > 6 else "associate professor"]
        titles += [rng.choice(TITLES) for _ in range(size - 3)]
        titles.append(rng.choice(["administrator", "administrator", "technician"]))
        for n, title in enumerate(titles):
            i = len(rows)
            hired = day(rng, "1994-01-01", "2012-12-31" if title == "professor" else "2025-03-31")
            email = f"{names[i][0]}.{names[i][1]}@wexcombe.example".lower().replace(" ", "").replace("'", "")
            pay = PAY[title] + 500 * rng.randrange(-9, 25)
            office = f"{rng.choice('ABCD')}{rng.randrange(1, 6)}.{rng.randrange(10, 60)}"
            rows.append(
                [
                    *names[i],
                    title,
                    office if rng.random() < 0.9 else None,
                    hired,
                    pay,
                    rng.random() < 0.75,
                    email if rng.random() < 0.85 else None,
                ]
            )
            works.append(
                [i, d, max(hired, day(rng, "2000-01-01", "2025-03-31")), rng.choice([1.0, 1.0, 1.0, 0.8, 0.5])]
            )
            if n == 0 and d != 7:
                heads.append([i, d, rng.randrange(2013, 2025)])
            if title not in ("administrator", "technician"):
                academics.setdefault(d, []).append(i)
    for _ in range(7):
        i, d = rng.randrange(len(rows)), rng.randrange(len(DEPARTMENTS))
        if all(row[:2] != [i, d] for row in works):
            works.append([i, d, day(rng, "2019-01-01", "2025-03-31"), 0.2])
    t.nodes(
        "staff",
        "Staff",
        "Staff",
        "firstName lastName jobTitle office hiredOn:date salaryEur:int tenured:boolean email",
        rows,
    )
    t.edges("WORKS_AT", "Staff", "Department", works, "since:date fte:float")
    t.edges("HEADS", "Staff", "Department", heads, "since:int")
    return academics


def courses(rng: Random, t: Tables, academics: dict[int, list[int]]) -> None:
    """Courses, who teaches them, where, and what they require."""
    titles = [c[1] for c in COURSES]
    rows: list[list[Value]] = []
    taught: list[list[Value]] = []
    coordinated: list[list[Value]] = []
    rooms: list[list[Value]] = []
    for i, (d, title, ects, level, elective, exam) in enumerate(COURSES):
        code = f"{DEPARTMENTS[d][0][1]}-{(500 if level == 'master' else 100) + 7 * i}"
        language = "English" if d in (1, 5) or rng.random() < 0.4 else rng.choice(["German", "German", "French"])
        places = rng.choice([12, 20, 25, 30, 60, 120, 180]) if rng.random() < 0.9 else None
        rows.append([title, code, ects, level, language, elective, exam, places])
        team = rng.sample(academics[d], rng.choice([1, 1, 2, 2, 3]))
        if rng.random() < 0.1:
            team.append(rng.choice(academics[(d + 1) % 11]))
        for n, who in enumerate(team):
            role = "lecturer" if n == 0 else rng.choice(["tutor", "lab supervisor", "tutor"])
            taught.append([i, who, role, rng.choice([2, 3, 4]) if n == 0 else rng.choice([1, 2, 2, 6])])
        if rng.random() < 0.88:
            leader = team[0] if rng.random() < 0.6 else rng.choice(academics[d])
            coordinated.append([i, leader, rng.randrange(2012, 2026)])
        for room in rng.sample(HOME_ROOMS[d], rng.choice([1, 1, 2])):
            weekday = rng.choice(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"])
            rooms.append([i, room, weekday, rng.choice(["08:15", "10:15", "12:15", "14:15", "16:15", "18:00"])])
    t.nodes(
        "courses",
        "Course",
        "Course",
        "title code ects:int level language elective:boolean examType maxParticipants:int",
        rows,
    )
    t.edges("BELONGS_TO", "Course", "Department", [[i, c[0]] for i, c in enumerate(COURSES)])
    t.edges("taughtBy", "Course", "Staff", taught, "role hoursPerWeek:int")
    t.edges("coordinatedBy", "Course", "Staff", coordinated, "since:int")
    t.edges("heldIn", "Course", "Room", rooms, "weekday startsAt")
    needs = [x.split(":") for x in NEEDS.replace("\n", "|").split("|")]
    t.edges(
        "REQUIRES", "Course", "Course", [[titles.index(a), titles.index(b), c == "1"] for a, b, c in needs],
        "strict:boolean",
    )  # fmt: skip


def students(rng: Random, t: Tables, names: list[tuple[str, str]]) -> dict[int, list[int]]:
    """Students, programmes, courses taken and passed; gives the students of each department."""
    rows: list[list[Value]] = []
    enrolled: list[list[Value]] = []
    passed: list[list[Value]] = []
    takes: list[list[Value]] = []
    of: dict[int, list[int]] = {}
    nicknames = ["Baz", "Flo", "Ziggy", "Quill", "Maestro", "Dee", "The Captain", "Nini", "Tam"]
    for i, name in enumerate(names):
        p = rng.randrange(len(PROGRAMMES))
        (_, degree, length, *_), d = PROGRAMMES[p]
        master = str(degree).startswith("M")
        semester = rng.randrange(1, int(str(length)) + (3 if rng.random() < 0.15 else 1))
        rows.append(
            [
                *name,
                f"S{240000 + 37 * i + rng.randrange(37)}",
                nicknames[i // 15] if i % 15 == 4 and i // 15 < 9 else None,
                day(rng, "1996-01-01", "2001-12-31") if master else day(rng, "2001-01-01", "2007-06-30"),
                rng.choice(TOWNS) if rng.random() < 0.93 else None,
                semester,
                rng.random() < 0.15,
                rng.choice([0, 2500, 4000]) if rng.random() < 0.3 else None,
            ]
        )
        of.setdefault(d, []).append(i)
        track = rng.choice(["single honours", "joint honours", "with placement"])
        enrolled.append([i, p, f"{2025 - (semester + 1) // 2}-10-01", track if rng.random() < 0.8 else None])
        if rng.random() < 0.05:
            other = rng.randrange(len(PROGRAMMES))
            if other != p:
                enrolled.append([i, other, "2024-10-01", "second degree"])
        level = ["bachelor", "master"] if master else ["bachelor"]
        own = [c for c, x in enumerate(COURSES) if x[0] == d and x[3] in level]
        rest = [c for c, x in enumerate(COURSES) if x[0] != d and x[4] and x[3] in level]
        wanted = rng.sample(own, min(len(own), 4)) + rng.sample(rest, 2)
        done = rng.randrange(0, 5) if semester > 1 else 0
        for c in wanted[:done]:
            grade = rng.choice([1.0, 1.3, 1.7, 2.0, 2.3, 2.7, 3.0, 3.3, 3.7, 4.0])
            passed.append([i, c, grade, day(rng, "2023-01-20", "2025-07-20"), rng.choice([1, 1, 1, 1, 2, 3])])
        for c in wanted[done:]:
            if rng.random() < 0.6:
                takes.append([i, c, rng.choice(["winter 2024/25", "summer 2025", "summer 2025"])])
    t.nodes(
        "students",
        "Student",
        "Student",
        "firstName lastName studentNo nickname birthDate:date homeTown semester:int partTime:boolean "
        "scholarshipEur:int",
        rows,
    )
    t.edges("ENROLLED_IN", "Student", "Programme", enrolled, "since:date track")
    t.edges("PASSED", "Student", "Course", passed, "grade:float examDate:date attempts:int")
    t.edges("TAKES", "Student", "Course", takes, "term")
    return of


def research(rng: Random, t: Tables, academics: dict[int, list[int]], of: dict[int, list[int]]) -> None:
    """Projects, funders and theses."""
    t.nodes(
        "projects",
        "Project",
        "Project",
        "title acronym startsOn:date endsOn:date status budgetEur:int",
        [list(p[:6]) for p in PROJECTS],
    )
    t.nodes("funders", "Funder", "Funder", "name shortName type country", FUNDERS)
    led: list[list[Value]] = []
    works: list[list[Value]] = []
    for i, p in enumerate(PROJECTS):
        leader = rng.choice(academics[p[6]][:3])
        led.append([i, leader])
        team = [x for x in academics[p[6]] if x != leader]
        others = rng.sample(team, min(len(team), rng.randrange(1, 4)))
        if rng.random() < 0.5:
            others.append(rng.choice(academics[rng.choice([d for d in academics if d != p[6]])]))
        works += [
            [x, i, rng.choice(["researcher", "researcher", "data manager", "adviser"]), 3 * rng.randrange(1, 13)]
            for x in ([leader] if rng.random() < 0.5 else []) + others
        ]
    t.edges("LED_BY", "Project", "Staff", led)
    t.edges("WORKS_ON", "Staff", "Project", works, "role personMonths:int")
    grants: list[list[Value]] = []
    for pair in GRANTS.split():
        project, funder = map(int, pair.split(":"))
        amount = 1000 * rng.randrange(30, 900) if rng.random() < 0.92 else None
        grants.append([project, funder, amount, f"G{rng.randrange(10000, 99999)}"])
    t.edges("fundedBy", "Project", "Funder", grants, "amountEur:int grantNo")
    rows: list[list[Value]] = []
    written: list[list[Value]] = []
    supervised: list[list[Value]] = []
    examined: list[list[Value]] = []
    free = {d: rng.sample(s, len(s)) for d, s in of.items()}
    for i, (title, d) in enumerate(THESES):
        kind = rng.choice(["bachelor", "bachelor", "master", "master", "doctoral"])
        finished = rng.random() < 0.8
        pages = rng.randrange(120, 310) if kind == "doctoral" else rng.randrange(32, 110)
        rows.append(
            [
                title,
                kind,
                day(rng, "2022-02-01", "2025-07-15") if finished else None,
                pages if finished else None,
                rng.choice([1.0, 1.3, 1.7, 2.0, 2.3, 2.7]) if finished and rng.random() < 0.9 else None,
                rng.random() < 0.12,
            ]
        )
        written.append([i, free[d].pop()])
        if i == 3 and free[d]:
            written.append([i, free[d].pop()])
        team = rng.sample(academics[d], 2)
        supervised.append([i, team[0]])
        if rng.random() < 0.2:
            supervised.append([i, rng.choice(academics[(d + 3) % 11])])
        if finished:
            outside = rng.choice(academics[(d + 1) % 11])
            examined += [[i, x, rng.choice([1.0, 1.3, 1.7, 2.0, 2.3, 2.7])] for x in (team[rng.randrange(2)], outside)]
    t.nodes(
        "theses",
        "Thesis",
        "Thesis",
        "title type submittedOn:date pages:int finalGrade:float confidential:boolean",
        rows,
    )
    t.edges("writtenBy", "Thesis", "Student", written)
    t.edges("supervisedBy", "Thesis", "Staff", supervised)
    t.edges("examinedBy", "Thesis", "Staff", examined, "grade:float")


def town(rng: Random, t: Tables, count: int) -> None:
    """Buildings, rooms, societies and events."""
    t.nodes(
        "buildings", "Building", "Building", "name shortName yearBuilt:int floors:int listed:boolean street", BUILDINGS
    )
    t.nodes(
        "rooms", "Room", "Room", "name type capacity:int hasProjector:boolean stepFree:boolean", [r for r, _ in ROOMS]
    )
    t.edges("IN_BUILDING", "Room", "Building", [[i, b] for i, (_, b) in enumerate(ROOMS)])
    t.nodes(
        "societies", "Society", "Society", "name shortName founded:int annualFeeEur:float category meetsOn", SOCIETIES
    )
    members: list[list[Value]] = []
    crews: list[list[int]] = []
    for s, society in enumerate(SOCIETIES):
        crew = rng.sample(range(count), rng.choice([7, 9, 12, 15, 19]))
        crews.append(crew)
        posts: list[str | None] = ["president", "treasurer"] if s != 9 else ["president"]
        if s in (0, 5, 12):
            posts.append("secretary")
        for n, who in enumerate(crew):
            role = posts[n] if n < len(posts) else "member"
            first = max("2021-10-01", f"{society[2]}-01-01")
            members.append([s, who, role, day(rng, first, "2025-05-31") if rng.random() < 0.9 else None])
    t.edges("HAS_MEMBER", "Society", "Student", members, "role joined:date")
    t.nodes(
        "events",
        "Event",
        "Event",
        "title kind date:date startsAt ticketPriceEur:float soldOut:boolean visitors:int",
        [list(e[1:8]) for e in EVENTS],
    )
    t.edges("organisedBy", "Event", "Society", [[i, e[0]] for i, e in enumerate(EVENTS)])
    t.edges("takesPlaceIn", "Event", "Room", [[i, e[8]] for i, e in enumerate(EVENTS)])
    parts = {
        "play": ["lead", "supporting role", "chorus", "lighting"],
        "concert": ["violin", "piano", "soprano", "saxophone", "conductor"],
        "debate": ["speaker", "chair"],
        "comedy": ["actor"],
    }
    performs: list[list[Value]] = []
    for i, e in enumerate(EVENTS):
        if e[2] in parts:
            cast = rng.sample(crews[e[0]], rng.randrange(3, 6)) + ([rng.randrange(count)] if i % 3 == 0 else [])
            for who in dict.fromkeys(cast):
                fee = 10 * rng.randrange(2, 16) if rng.random() < 0.35 else None
                performs.append([who, i, rng.choice(parts[e[2]]), fee])
    t.edges("PERFORMS_IN", "Student", "Event", performs, "part feeEur:int")


def build(folder: Path) -> None:
    """Write the files of the graph."""
    rng, t = Random(SEED), Tables(folder)
    people = sum(size for _, size in DEPARTMENTS)
    names = rng.sample([(a, b) for a in FIRST for b in LAST], people + 190)
    t.nodes(
        "departments",
        "Department",
        "Department",
        "name code faculty founded:int budgetEur:int",
        [d for d, _ in DEPARTMENTS],
    )
    t.nodes(
        "programmes",
        "Programme",
        "Programme",
        "name degree durationSemesters:int tuitionEur:int places:int taughtInEnglish:boolean",
        [p for p, _ in PROGRAMMES],
    )
    t.edges("offeredBy", "Programme", "Department", [[i, d] for i, (_, d) in enumerate(PROGRAMMES)])
    academics = staff(rng, t, names[:people])
    courses(rng, t, academics)
    of = students(rng, t, names[people:])
    town(rng, t, len(names) - people)
    research(rng, t, academics, of)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "csv")
