"""Databases as people have them at work, written as `sample_schemas` are: odd keys, roles, and columns in German."""

from __future__ import annotations

LIBRARY = {
    "publishers": (6, "id:id name:name city:word"),
    "authors": (45, "author_id:id first_name:word last_name:word born:year"),
    "books": (120, "isbn:code title:name publisher_id:publishers.id language:word"),
    "book_authors": (180, "isbn:books.isbn author_id:authors.author_id position:small"),
    "branches": (4, "code:code name:name city:word"),
    "copies": (200, "copy_no:id isbn:books.isbn branch_code:branches.code shelf:word"),
    "members": (90, "card_no:code name:name joined:date home_branch:branches.code"),
    "loans": (250, "loan_id:id copy_no:copies.copy_no card_no:members.card_no due_on:date fine_eur:num"),
    "reservations": (80, "isbn:books.isbn card_no:members.card_no reserved_at:time"),
}
CLINIC = {
    "patients": (90, "patient_id:id mrn:hash surname:word given_name:word dob:date gp_id:int"),
    "doctors": (14, "doctor_id:id name:name specialty:word supervisor_id:doctors.doctor_id?"),
    "rooms": (18, "room_no:code floor:small beds:small"),
    "appointments": (
        300,
        "id:id patient:patients.patient_id doctor:doctors.doctor_id room:rooms.room_no starts_at:time status:word",
    ),
    "diagnoses": (36, "code:code description:name"),
    "appointment_diagnoses": (
        250, "appointment_id:appointments.id diagnosis_code:diagnoses.code severity:small"
    ),
    "allergies": (80, "patient_id:patients.patient_id drug_id:drugs.id noted_by:doctors.doctor_id"),
    "drugs": (9, "id:id name:name manufacturer:word"),
}  # fmt: skip
WEBSHOP = {
    "customers": (90, "kunden_nr:id vorname:word nachname:word email:hash straße:name plz:int ort:word"),
    "categories": (12, "kategorie_id:id bezeichnung:name oberkategorie_id:categories.kategorie_id?"),
    "suppliers": (9, "lieferant_id:id firma:name ansprechpartner:name land:word"),
    "products": (
        70,
        "artikel_nr:code bezeichnung:name beschreibung:text preis:num kategorie_id:categories.kategorie_id "
        "lieferant_id:suppliers.lieferant_id",
    ),
    "orders": (200, "bestell_nr:id kunden_nr:customers.kunden_nr bestelldatum:date status:word"),
    "order_items": (300, "bestell_nr:orders.bestell_nr artikel_nr:products.artikel_nr menge:small einzelpreis:num"),
}
SCHOOL = {
    "schools": (3, "school_id:id name:name town:word"),
    "teachers": (24, "teacher_id:id name:name hired:date school_id:schools.school_id mentor_id:teachers.teacher_id?"),
    "courses": (12, "course_code:code title:name credits:small"),
    "prerequisites": (20, "course_code:courses.course_code required_course_code:courses.course_code"),
    "classes": (
        60, "class_id:id course_code:courses.course_code teacher_id:teachers.teacher_id room:word term:year"
    ),
    "students": (100, "student_id:id first_name:word last_name:word school_id:schools.school_id"),
    "enrolments": (200, "student_id:students.student_id class_id:classes.class_id grade:word"),
}  # fmt: skip
TRACKER = {
    "projects": (3, "key:code name:name lead_id:users.id"),
    "users": (30, "id:id login:hash display_name:name"),
    "issues": (
        240,
        "id:id project_key:projects.key number:int title:name reporter_id:users.id assignee_id:users.id? "
        "duplicate_of:issues.id? opened_at:time",
    ),
    "issue_links": (90, "from_issue:issues.id to_issue:issues.id"),
    "votes": (200, "issue_id:issues.id user_id:users.id voted_at:time"),
    "comments": (300, "id:id issue_id:issues.id author_id:users.id body:text created_at:time"),
}
ALL = {"library": LIBRARY, "clinic": CLINIC, "webshop": WEBSHOP, "school": SCHOOL, "bug tracker": TRACKER}
NAMES = {
    "library": {"authors": "first_name last_name", "books": "title", "members": "name"},
    "clinic": {"patients": "given_name surname", "diagnoses": "description", "doctors": "name"},
    "webshop": {
        "customers": "vorname nachname", "categories": "bezeichnung", "suppliers": "firma", "products": "bezeichnung",
    },
    "school": {"courses": "title", "teachers": "name", "students": "first_name last_name"},
    "bug tracker": {"projects": "name", "users": "display_name", "issues": "title"},
}  # fmt: skip
"""Table to the columns that name its rows."""
JOINS = {
    "library": {("Book", "HAS_AUTHOR", "Author"), ("Member", "RESERVATION", "Book")},
    "clinic": {("Appointment", "HAS_DIAGNOSIS", "Diagnosis")},
    "webshop": {("Order", "HAS_PRODUCT", "Product")},
    "school": {("Course", "PREREQUISITES", "Course"), ("Student", "ENROLMENT", "Class")},
    "bug tracker": {("Issue", "LINKED_TO", "Issue"), ("User", "VOTES", "Issue")},
}
"""The relationships that tables become."""
TYPES = {
    "library": {("books", "publisher_id"): "HAS_PUBLISHER", ("copies", "isbn"): "HAS_BOOK",
                ("loans", "card_no"): "HAS_MEMBER", ("members", "home_branch"): "HAS_HOME_BRANCH"},
    "clinic": {("appointments", "doctor"): "HAS_DOCTOR", ("doctors", "supervisor_id"): "HAS_SUPERVISOR",
               ("allergies", "noted_by"): "NOTED_BY"},
    "webshop": {("orders", "kunden_nr"): "HAS_CUSTOMER", ("products", "lieferant_id"): "HAS_SUPPLIER"},
    "school": {("teachers", "mentor_id"): "HAS_MENTOR", ("classes", "course_code"): "HAS_COURSE"},
    "bug tracker": {("issues", "duplicate_of"): "DUPLICATE_OF", ("projects", "lead_id"): "HAS_LEAD"},
}  # fmt: skip
"""(table, column) to the type of its relationship."""
