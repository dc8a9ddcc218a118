"""Writes the hospital graph: `python -m benchmarks.queries.hospital.build [folder]`."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from random import Random

from benchmarks.queries.blind_graph import Tables, Value, day

HERE = Path(__file__).resolve().parent
SEED = 7331

FIRST = [
    "Amelia", "Bruno", "Carla", "Dieter", "Elena", "Farid", "Greta", "Hassan", "Ingrid", "Jonas", "Kiran", "Leila",
    "Marco", "Nadia", "Oscar", "Priya", "Quentin", "Rosa", "Stefan", "Tamara", "Umar", "Vera", "Walter", "Xenia",
    "Yusuf", "Zoe", "Agnes", "Boris", "Clara", "Dario", "Edith", "Felix",
]  # fmt: skip
LAST = [
    "Abbott", "Becker", "Costa", "Dvorak", "Ekström", "Fischer", "Gallo", "Haddad", "Ivanov", "Jansen", "Kowalski",
    "Lindqvist", "Moreau", "Novak", "Okafor", "Petrov", "Quinn", "Rossi", "Schulz", "Tanaka", "Ueda", "Vargas",
    "Weiss", "Yilmaz", "Zimmer", "Brandt", "Carvalho", "Drummond", "Falk", "Osei",
]  # fmt: skip
CITIES = ["Lindenau", "Marwick", "Oberfeld", "Saltbridge", "Ternhill", "Westerby"]

DEPARTMENTS: list[list[Value]] = [
    ["Cardiology", "North Building", 4200000, 1968],
    ["Neurology", "North Building", 3900000, 1974],
    ["Orthopedics", "South Building", 3100000, 1968],
    ["Pediatrics", "Garden House", 2700000, 1981],
    ["Oncology", "West Wing", 5600000, 1990],
    ["Emergency Medicine", "South Building", 4800000, 1968],
    ["Gastroenterology", "West Wing", 2300000, 1985],
    ["Pulmonology", "North Building", 2100000, 1979],
    ["Endocrinology", "Garden House", 1500000, 1996],
    ["Dermatology", "Garden House", 900000, 2003],
    ["Radiology", "South Building", 3300000, 1971],
]
WARDS: list[list[Value]] = [
    ["Maple Ward", 24, 1, False],
    ["Birch Ward", 18, 2, False],
    ["Cedar Ward", 12, 3, True],
    ["Willow Ward", 20, 2, False],
    ["Rowan Ward", 28, 1, False],
    ["Aspen Ward", 16, 4, False],
    ["Juniper Ward", 10, 3, True],
    ["Linden Ward", 22, 2, False],
    ["Oak Ward", 32, 1, False],
    ["Hazel Ward", 14, 4, False],
    ["Alder Ward", 8, 0, True],
    ["Larch Ward", 26, 3, False],
    ["Elm Ward", 19, 5, False],
    ["Poplar Ward", 15, 5, False],
    ["Sorrel Ward", 6, 0, True],
]
WARD_DEPARTMENT = [0, 1, 0, 2, 2, 3, 1, 4, 4, 6, 5, 7, 8, 9, 5]
DIAGNOSES: list[list[Value]] = [
    ["Hypertension", "I10", True, False],
    ["Atrial fibrillation", "I48", True, False],
    ["Heart failure", "I50", True, False],
    ["Migraine", "G43", True, False],
    ["Epilepsy", "G40", True, False],
    ["Stroke", "I63", False, False],
    ["Hip fracture", "S72", False, False],
    ["Osteoarthritis", "M19", True, False],
    ["Asthma", "J45", True, False],
    ["Pneumonia", "J18", False, True],
    ["COPD", "J44", True, False],
    ["Tuberculosis", "A15", False, True],
    ["Type 2 diabetes", "E11", True, False],
    ["Hypothyroidism", "E03", True, False],
    ["Gastritis", "K29", False, False],
    ["Crohn's disease", "K50", True, False],
    ["Breast cancer", "C50", True, False],
    ["Lung cancer", "C34", True, False],
    ["Psoriasis", "L40", True, False],
    ["Eczema", "L30", True, False],
    ["Measles", "B05", False, True],
    ["Influenza", "J11", False, True],
    ["Concussion", "S06", False, False],
    ["Appendicitis", "K35", False, False],
    ["Anemia", "D64", None, False],
    ["Lyme disease", "A69", False, False],
]
MEDICATIONS: list[list[Value]] = [
    ["Lisinopril", "ACE inhibitor", "tablet", 8.5, 420],
    ["Bisoprolol", "beta blocker", "tablet", 6.9, 380],
    ["Warfarin", "anticoagulant", "tablet", 5.4, 150],
    ["Apixaban", "anticoagulant", "tablet", 62.0, 90],
    ["Furosemide", "diuretic", "tablet", 4.2, 310],
    ["Atorvastatin", "statin", "tablet", 9.8, 500],
    ["Sumatriptan", "triptan", "nasal spray", 28.0, 75],
    ["Topiramate", "anticonvulsant", "capsule", 31.5, 60],
    ["Levetiracetam", "anticonvulsant", "tablet", 22.4, 110],
    ["Clopidogrel", "antiplatelet", "tablet", 14.6, 130],
    ["Ibuprofen", "NSAID", "tablet", 3.1, 900],
    ["Naproxen", "NSAID", "tablet", 4.8, 260],
    ["Morphine", "opioid", "injection", 12.0, 45],
    ["Tramadol", "opioid", "capsule", 7.7, 85],
    ["Salbutamol", "bronchodilator", "inhaler", 6.3, 240],
    ["Budesonide", "corticosteroid", "inhaler", 19.9, 120],
    ["Amoxicillin", "antibiotic", "capsule", 5.9, 600],
    ["Azithromycin", "antibiotic", "tablet", 11.2, 175],
    ["Rifampicin", "antibiotic", "capsule", 26.0, 40],
    ["Metformin", "biguanide", "tablet", 4.4, 720],
    ["Insulin glargine", "insulin", "injection", 48.5, 95],
    ["Levothyroxine", "thyroid hormone", "tablet", 3.7, 330],
    ["Omeprazole", "proton pump inhibitor", "capsule", 5.2, 450],
    ["Adalimumab", "biologic", "injection", 890.0, 12],
    ["Tamoxifen", "hormone therapy", "tablet", 17.3, 70],
    ["Cisplatin", "chemotherapy", "infusion", 145.0, 18],
    ["Pembrolizumab", "immunotherapy", "infusion", 3150.0, 6],
    ["Methotrexate", "antimetabolite", "tablet", 13.4, 55],
    ["Hydrocortisone", "corticosteroid", "cream", 4.9, 210],
    ["Oseltamivir", "antiviral", "capsule", 33.0, 65],
    ["Ferrous sulfate", "mineral", "tablet", 2.8, None],
    ["Doxycycline", "antibiotic", "capsule", 8.1, 140],
    ["Paracetamol", "analgesic", "tablet", 1.9, 1500],
    ["Prednisolone", "corticosteroid", "tablet", 4.6, 190],
]
TREATS = """0:0,2 1:0,1,2 2:1,5 3:1 4:2 5:5 6:3 7:3,4 8:4 9:5 10:7,3 11:7 12:6,17 13:6 14:8,10 15:8,10,15 16:9 17:9,11
18:11 19:12 20:12 21:13 22:14 23:15,18 24:16 25:17 26:17 27:18,15 28:19,18 29:21 30:24 31:25,9 32:22,21 33:8,10,15"""
INTERACTS = "2:10 2:9 2:17 3:10 0:11 12:13 18:2 18:3 27:10 9:22 1:14 24:2 21:30 33:11"
PROCEDURES: list[list[Value]] = [
    ["Coronary angiography", 60, 3200, "moderate"],
    ["Pacemaker implantation", 90, 9800, "moderate"],
    ["Hip replacement", 120, 12500, "high"],
    ["Knee arthroscopy", 45, 4100, "low"],
    ["Appendectomy", 60, 5200, "moderate"],
    ["Colonoscopy", 30, 950, "low"],
    ["Gastroscopy", 20, 700, "low"],
    ["Bronchoscopy", 40, 1100, "low"],
    ["MRI scan", 45, 620, None],
    ["CT scan", 15, 380, None],
    ["Mastectomy", 150, 11400, "high"],
    ["Lumbar puncture", 30, 540, "moderate"],
    ["Thrombectomy", 110, 14900, "high"],
    ["Skin biopsy", 20, 260, "low"],
    ["Electroencephalogram", 50, 310, None],
    ["Coronary bypass", 240, 31000, "high"],
]
PERFORMED_IN = {
    0: [0, 1, 15],
    1: [11, 12, 14],
    2: [2, 3],
    3: [11],
    4: [10],
    5: [4, 9],
    6: [5, 6],
    7: [7],
    8: [],
    9: [13],
    10: [8, 9],
}
INSURERS: list[list[Value]] = [
    ["Helvia Mutual", "public", "Marwick", 80],
    ["Norden Krankenkasse", "public", "Lindenau", 85],
    ["Sana Private", "private", "Saltbridge", 100],
    ["CareFirst Union", "public", "Westerby", 75],
    ["Aurelia Health", "private", "Oberfeld", 95],
    ["Miners' Fund", "public", "Ternhill", 70],
    ["BlueHarbor", "private", None, 90],
]


def people(rng: Random, count: int) -> list[tuple[str, str]]:
    """Different pairs of first and last name; first and last names repeat."""
    return rng.sample([(a, b) for a in FIRST for b in LAST], count)


def build(folder: Path) -> None:
    """Write the tables of the graph."""
    rng, t = Random(SEED), Tables(folder)
    names = people(rng, 218)
    doctors, nurses, patients = names[:36], names[36:78], names[78:]
    home = [i % 11 for i in range(36)]
    t.nodes("departments", "Department", "Department", "name building budgetEur:int founded:int", DEPARTMENTS)
    t.nodes("wards", "Ward", "Ward", "name beds:int floor:int intensiveCare:boolean", WARDS)
    t.nodes("diagnoses", "Diagnosis", "Diagnosis", "name icd10 chronic:boolean contagious:boolean", DIAGNOSES)
    t.nodes("medications", "Medication", "Medication", "name drugClass form priceEur:float stock:int", MEDICATIONS)
    t.nodes("procedures", "Procedure", "Procedure", "name typicalMinutes:int costEur:int risk", PROCEDURES)
    t.nodes("insurers", "Insurer", "Insurer", "name type headquarters coveragePercent:int", INSURERS)
    grades = ["consultant", "consultant", "registrar", "resident"]
    t.nodes(
        "doctors",
        "Staff",
        "Doctor;Staff",
        "firstName lastName grade birthDate:date hiredOn:date salaryEur:int languages:string[]",
        [
            [
                *n,
                grades[i // 9],
                day(
                    rng,
                    *[
                        ("1956-01-01", "1970-12-31"),
                        ("1960-01-01", "1975-12-31"),
                        ("1976-01-01", "1986-12-31"),
                        ("1987-01-01", "1996-12-31"),
                    ][i // 9],
                ),
                day(
                    rng,
                    *[
                        ("1995-01-01", "2008-12-31"),
                        ("2000-01-01", "2014-12-31"),
                        ("2012-01-01", "2020-12-31"),
                        ("2020-01-01", "2024-06-30"),
                    ][i // 9],
                ),
                [118, 104, 82, 61][i // 9] * 1000 + 250 * rng.randrange(60),
                ";".join(
                    ["English", *rng.sample(["German", "French", "Turkish", "Polish", "Arabic"], rng.randrange(3))]
                ),
            ]
            for i, n in enumerate(doctors)
        ],
    )
    nurse_rows: list[list[Value]] = [
        [
            i,
            *n,
            rng.choice(["junior", "senior", "senior", "specialist"]),
            day(rng, "1998-01-01", "2024-06-30"),
            rng.random() < 0.7,
            "Nurse;Staff",
        ]
        for i, n in enumerate(nurses, 36)
    ]
    t._write(
        "nurses",
        [":ID(Staff)", "firstName", "lastName", "level", "hiredOn:date", "fullTime:boolean", ":LABEL"],
        nurse_rows,
    )
    born = [day(rng, "1934-01-01", "2019-12-31") for _ in patients]
    t.nodes(
        "patients",
        "Patient",
        "Patient",
        "firstName lastName birthDate:date city bloodType smoker:boolean weightKg:float heightCm:int phone",
        [
            [
                *n,
                b,
                rng.choice(CITIES),
                rng.choice(["A+", "A-", "B+", "O+", "O+", "O-", "AB+", None]),
                b.year < 2005 and rng.random() < 0.25,
                round(rng.uniform(48, 112) if b.year < 2007 else 18 + 2.6 * (2019 - b.year) + 6 * rng.random(), 1),
                rng.randrange(150, 197) if b.year < 2007 else 105 + 5 * (2019 - b.year) + rng.randrange(9),
                f"555-{rng.randrange(10000):04}" if rng.random() < 0.6 else None,
            ]
            for n, b in zip(patients, born, strict=True)
        ],
    )
    t.edges("PART_OF", "Ward", "Department", [[i, d] for i, d in enumerate(WARD_DEPARTMENT)])
    t.edges(
        "TREATS",
        "Medication",
        "Diagnosis",
        [[m.split(":")[0], d] for m in TREATS.split() for d in m.split(":")[1].split(",")],
    )
    t.edges(
        "INTERACTS_WITH",
        "Medication",
        "Medication",
        [[*p.split(":"), rng.choice(["mild", "moderate", "severe"])] for p in INTERACTS.split()],
        "severity",
    )
    t.edges("WORKS_IN", "Staff", "Department", [[i, d] for i, d in enumerate(home)])
    t.edges(
        "HEADS",
        "Staff",
        "Department",
        [[d if d != 8 else 7, d, 2008 + rng.randrange(15)] for d in range(11) if d != 9],
        "since:int",
    )
    t.edges("SUPERVISES", "Staff", "Staff", [[rng.randrange(18), i] for i in range(18, 36)])
    t.edges(
        "PERFORMS",
        "Staff",
        "Procedure",
        [[i, p] for i, d in enumerate(home) for p in PERFORMED_IN[d] if rng.random() < 0.7],
    )
    t.edges(
        "ASSIGNED_TO",
        "Staff",
        "Ward",
        [
            [
                36 + i,
                i % 15,
                rng.choice(["day", "day", "night"]),
                day(rng, max("2015-01-01", str(nurse_rows[i][4])), "2024-12-31"),
            ]
            for i in range(42)
        ],
        "shift since:date",
    )
    t.edges("HEAD_NURSE_OF", "Staff", "Ward", [[36 + i, i] for i in range(15) if i not in (5, 13)])
    takes: list[list[Value]] = []
    diagnosed: list[list[Value]] = []
    treated: list[list[Value]] = []
    cures = {
        m: [int(d) for d in ds.split(",")]
        for m, ds in ((int(x.split(":")[0]), x.split(":")[1]) for x in TREATS.split())
    }
    for p in range(len(patients)):
        for d in rng.sample(range(26), rng.choice([0, 1, 1, 1, 2, 2, 3])):
            found = day(rng, max("2016-01-01", str(born[p])), "2025-03-31")
            diagnosed.append([p, d, found, rng.choice(["mild", "moderate", "severe"])])
            for m in rng.sample(
                [m for m, ds in cures.items() if d in ds], min(1, sum(d in ds for ds in cures.values()))
            ):
                if all(row[:2] != [p, m] for row in takes):
                    takes.append(
                        [
                            p,
                            m,
                            rng.choice([5, 10, 20, 25, 40, 50, 100, 250, 500]),
                            rng.randrange(1, 4),
                            day(rng, max("2020-01-01", str(found)), "2025-05-31"),
                        ]
                    )
        for doctor in rng.sample(range(36), rng.choice([1, 1, 1, 2])):
            treated.append([p, doctor, day(rng, max("2019-01-01", str(born[p])), "2025-05-31")])
    t.edges("HAS_DIAGNOSIS", "Patient", "Diagnosis", diagnosed, "diagnosedOn:date severity")
    t.edges("TAKES", "Patient", "Medication", takes, "doseMg:int timesPerDay:int startDate:date")
    t.edges("TREATED_BY", "Patient", "Staff", treated, "since:date")
    t.edges("REFERRED_BY", "Patient", "Staff", [[p, rng.randrange(36)] for p in range(140) if rng.random() < 0.25])
    t.edges(
        "ALLERGIC_TO",
        "Patient",
        "Medication",
        [
            [p, rng.choice([16, 10, 11, 12, 31, 2, 32]), rng.choice(["rash", "nausea", "anaphylaxis"])]
            for p in range(140)
            if rng.random() < 0.2
        ],
        "reaction",
    )
    t.edges(
        "INSURED_BY",
        "Patient",
        "Insurer",
        [
            [p, rng.choice([0, 0, 1, 1, 2, 3, 3, 4, 5]), rng.randrange(max(1995, born[p].year), 2025)]
            for p in range(140)
            if rng.random() < 0.93
        ],
        "memberSince:int",
    )
    t.edges(
        "UNDERWENT",
        "Patient",
        "Procedure",
        [
            [
                p,
                rng.randrange(15),
                day(rng, "2021-01-01", "2025-05-31"),
                rng.choice(["successful", "successful", "successful", "complications"]),
            ]
            for p in range(140)
            if rng.random() < 0.5
        ],
        "date:date outcome",
    )
    stays: list[list[Value]] = []
    places: list[list[Value]] = []
    for i in range(100):
        start = day(rng, "2024-01-01", "2025-05-31")
        end = start + timedelta(days=rng.randrange(1, 24))
        stays.append(
            [
                f"ADM-{2001 + i}",
                start,
                None if end.isoformat() > "2025-05-31" else end,
                rng.random() < 0.4,
                400 + 50 * rng.randrange(20, 500),
            ]
        )
        places.append([i, rng.randrange(140), rng.choice(list(range(14)))])
    t.nodes(
        "admissions",
        "Admission",
        "Admission",
        "admissionNo admittedOn:date dischargedOn:date emergency:boolean costEur:int",
        stays,
    )
    t.edges("OF_PATIENT", "Admission", "Patient", [row[:2] for row in places])
    t.edges("IN_WARD", "Admission", "Ward", [[row[0], row[2]] for row in places])
    visits: list[list[Value]] = []
    for i in range(70):
        when = day(rng, "2025-04-01", "2025-07-31")
        status = (
            "scheduled"
            if when.isoformat() > "2025-05-31"
            else rng.choice(["completed", "completed", "completed", "cancelled", "no-show"])
        )
        visits.append(
            [
                f"APT-{501 + i}",
                when,
                f"{rng.randrange(8, 17):02}:{rng.choice(['00', '15', '30', '45'])}",
                status,
                rng.choice([15, 20, 30, 45, 60]),
                f"R{rng.randrange(1, 4)}{rng.randrange(1, 20):02}",
            ]
        )
    t.nodes(
        "appointments",
        "Appointment",
        "Appointment",
        "appointmentNo date:date time status durationMinutes:int room",
        visits,
    )
    t.edges("FOR_PATIENT", "Appointment", "Patient", [[i, rng.randrange(140)] for i in range(70)])
    t.edges("WITH_DOCTOR", "Appointment", "Staff", [[i, rng.randrange(36)] for i in range(70)])


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "csv")
