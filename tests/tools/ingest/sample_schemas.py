"""Databases with the schemas of public samples, filled with generated rows.

The tables and columns of Chinook and Sakila are those of the published databases (Chinook by Luis Rocha, MIT; Sakila by
MySQL, BSD), the others are written for these tests; the rows are generated. A table is written as its number of rows
and its columns, each `name:kind`:

    id          the primary key, from 1            code        a primary key of letters
    T.c         a reference to the column c of T   T.c?        the same, missing in some rows
    T.c*        the same, missing in every row     word, name, text, int, small, num, date, time, flag    values
"""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Link = tuple[str, str, str]
"""Table, column, and the table to which the column refers."""

CHINOOK = {
    "Artist": (40, "ArtistId:id Name:name"),
    "Album": (60, "AlbumId:id Title:name ArtistId:Artist.ArtistId"),
    "Employee": (
        8,
        "EmployeeId:id LastName:word FirstName:word Title:role ReportsTo:Employee.EmployeeId? BirthDate:time "
        "HireDate:time Address:text City:word State:word Country:word PostalCode:int Phone:word Fax:word Email:name",
    ),
    "Customer": (
        59,
        "CustomerId:id FirstName:word LastName:word Company:word Address:text City:word State:word Country:word "
        "PostalCode:int Phone:word Fax:word Email:name SupportRepId:Employee.EmployeeId=3-5",
    ),
    "Genre": (25, "GenreId:id Name:name"),
    "MediaType": (5, "MediaTypeId:id Name:name"),
    "Track": (
        350,
        "TrackId:id Name:name AlbumId:Album.AlbumId MediaTypeId:MediaType.MediaTypeId GenreId:Genre.GenreId "
        "Composer:word Milliseconds:int Bytes:int UnitPrice:num",
    ),
    "Invoice": (
        120,
        "InvoiceId:id CustomerId:Customer.CustomerId InvoiceDate:time BillingAddress:text BillingCity:word "
        "BillingState:word BillingCountry:word BillingPostalCode:int Total:num",
    ),
    "InvoiceLine": (
        300,
        "InvoiceLineId:id InvoiceId:Invoice.InvoiceId TrackId:Track.TrackId UnitPrice:num Quantity:int",
    ),
    "Playlist": (18, "PlaylistId:id Name:name"),
    "PlaylistTrack": (250, "PlaylistId:Playlist.PlaylistId TrackId:Track.TrackId"),
}
SAKILA = {
    "actor": (50, "actor_id:id first_name:word last_name:word last_update:time"),
    "country": (40, "country_id:id country:name last_update:time"),
    "city": (90, "city_id:id city:name country_id:country.country_id last_update:time"),
    "address": (
        110,
        "address_id:id address:text address2:word district:word city_id:city.city_id postal_code:int phone:word "
        "last_update:time",
    ),
    "language": (6, "language_id:id name:name last_update:time"),
    "category": (16, "category_id:id name:name last_update:time"),
    "store": (
        2,
        "store_id:id manager_staff_id:staff.staff_id address_id:address.address_id last_update:time",
    ),
    "staff": (
        2,
        "staff_id:id first_name:word last_name:word address_id:address.address_id email:word store_id:store.store_id "
        "active:flag username:word password:word last_update:time",
    ),
    "customer": (
        100,
        "customer_id:id store_id:store.store_id first_name:word last_name:word email:name "
        "address_id:address.address_id active:flag create_date:time last_update:time",
    ),
    "film": (
        150,
        "film_id:id title:name description:text release_year:year language_id:language.language_id=1-1 "
        "original_language_id:language.language_id* rental_duration:int rental_rate:num length:int "
        "replacement_cost:num rating:word special_features:word last_update:time",
    ),
    "film_actor": (300, "actor_id:actor.actor_id film_id:film.film_id last_update:time"),
    "film_category": (140, "film_id:film.film_id category_id:category.category_id last_update:time"),
    "inventory": (300, "inventory_id:id film_id:film.film_id store_id:store.store_id last_update:time"),
    "rental": (
        600,
        "rental_id:id rental_date:time inventory_id:inventory.inventory_id customer_id:customer.customer_id "
        "return_date:time staff_id:staff.staff_id last_update:time",
    ),
    "payment": (
        600,
        "payment_id:id customer_id:customer.customer_id staff_id:staff.staff_id rental_id:rental.rental_id? "
        "amount:num payment_date:time last_update:time",
    ),
}
STAFF = {
    "departments": (9, "dept_no:code dept_name:name"),
    "employees": (
        200,
        "emp_no:id birth_date:date first_name:word last_name:word gender:word hire_date:date "
        "manager_emp_no:employees.emp_no?",
    ),
    "dept_emp": (220, "emp_no:employees.emp_no dept_no:departments.dept_no from_date:date to_date:date"),
    "salaries": (500, "emp_no:employees.emp_no from_date:date to_date:date salary:int"),
}
WORLD = {
    "country": (60, "Code:code Name:name Continent:word SurfaceArea:num Population:int GovernmentForm:word"),
    "city": (300, "ID:id Name:word CountryCode:country.Code District:word Population:int"),
    "countrylanguage": (150, "CountryCode:country.Code Language:word IsOfficial:flag Percentage:num"),
}
BLOG = {
    "users": (80, "id:id username:name email:name manager_id:users.id? created_at:time"),
    "posts": (200, "id:id title:name body:text author_id:users.id reviewed_by:users.id? rating:int published:flag"),
    "comments": (400, "id:id post_id:posts.id user_id:users.id parent_id:comments.id? body:text score:int"),
    "tags": (12, "id:id name:name"),
    "items": (150, "id:id name:name"),
    "lines": (90, "id:id item_no:small post_id:posts.id text:text"),
    "post_tags": (300, "post_id:posts.id tag_id:tags.id"),
    "ratings": (300, "id:id stars:int post_id:posts.id user_id:users.id text:text created_at:time"),
}
FREIGHT = {
    "ports": (30, "port_code:code port_name:name country:word"),
    "ships": (15, "ship_id:id name:name owner_company_id:companies.company_id capacity:int"),
    "companies": (10, "company_id:id company:name address:text city:word"),
    "voyages": (
        120,
        "voyage_id:id ship_id:ships.ship_id from_port_code:ports.port_code to_port_code:ports.port_code departed:date "
        "tons:int",
    ),
}
MOVIES = {
    "movies": (120, "movieId:id title:name genres:word"),
    "links": (120, "movieId:movies.movieId=own imdbId:int tmdbId:int"),
    "ratings": (900, "userId:small movieId:movies.movieId rating:num timestamp:int"),
    "tags": (200, "userId:small movieId:movies.movieId tag:word timestamp:int"),
}
STORE = {
    "store_customer": (90, "customer_id:hash customer_unique_id:hash customer_zip_code_prefix:int customer_city:word"),
    "store_order": (150, "order_id:hash customer_id:store_customer.customer_id order_status:word approved_at:time"),
    "store_item": (
        300,
        "order_id:store_order.order_id order_item_id:small product_id:store_product.product_id "
        "seller_id:store_seller.seller_id price:num freight_value:num shipping_limit_date:time",
    ),
    "store_product": (60, "product_id:hash product_category_name:store_category.product_category_name weight_g:int"),
    "store_seller": (20, "seller_id:hash seller_city:word seller_state:word"),
    "store_category": (15, "product_category_name:code product_category_name_english:name"),
    "store_review": (140, "review_id:hash order_id:store_order.order_id review_score:small review_comment:text"),
}
RACES = {
    "circuits": (20, "circuitId:id circuitRef:code name:name location:word country:word lat:num"),
    "constructors": (12, "constructorId:id constructorRef:code name:name nationality:word"),
    "drivers": (30, "driverId:id driverRef:code number:int code:word forename:word surname:word dob:date"),
    "status": (10, "statusId:id status:name"),
    "seasons": (15, "year:serial url:name"),
    "races": (60, "raceId:id year:seasons.year=own round:small circuitId:circuits.circuitId name:name date:date"),
    "results": (
        600,
        "resultId:id raceId:races.raceId driverId:drivers.driverId constructorId:constructors.constructorId number:int "
        "grid:small position:small points:num laps:int statusId:status.statusId",
    ),
    "lap_times": (700, "raceId:races.raceId driverId:drivers.driverId lap:small position:small milliseconds:int"),
}
FOLDED = {
    "customers": (90, "customerid:code companyname:name contactname:name city:word country:word"),
    "employees": (9, "employeeid:id lastname:word firstname:word title:word reportsto:employees.employeeid?"),
    "shippers": (3, "shipperid:id companyname:name phone:word"),
    "orders": (
        200,
        "orderid:id customerid:customers.customerid employeeid:employees.employeeid orderdate:date "
        "shipvia:shippers.shipperid freight:num shipcountry:word",
    ),
    "orderdetails": (
        400, "orderid:orders.orderid productid:products.productid unitprice:num quantity:int discount:num"
    ),
    "products": (77, "productid:id productname:name supplierid:suppliers.supplierid categoryid:categories.categoryid"),
    "suppliers": (29, "supplierid:id companyname:name"),
    "categories": (8, "categoryid:id categoryname:name description:text"),
}  # fmt: skip
ALL = {
    "movies": MOVIES,
    "store": STORE,
    "races": RACES,
    "folded": FOLDED,
    "chinook": CHINOOK,
    "sakila": SAKILA,
    "staff": STAFF,
    "world": WORLD,
    "blog": BLOG,
    "freight": FREIGHT,
}

Schema = dict[str, tuple[int, str]]


@dataclass
class Sample:
    """A filled schema."""

    keys: dict[str, str] = field(default_factory=dict)
    """Table to the column of its primary key, where it has one."""
    links: set[Link] = field(default_factory=set)
    columns: dict[str, list[str]] = field(default_factory=dict)
    rows: dict[str, list[list[Any]]] = field(default_factory=dict)


def filled(schema: Schema, seed: int = 1) -> Sample:
    """Rows for a schema; every run gives the same."""
    chance, sample = random.Random(seed), Sample()
    for table, (_rows, text) in schema.items():
        for column, kind in (part.split(":") for part in text.split()):
            sample.columns.setdefault(table, []).append(column)
            if kind in ("id", "code", "hash") and table not in sample.keys:
                sample.keys[table] = column
            elif "." in kind:
                sample.links.add((table, column, kind.split(".")[0]))
    for table, (rows, text) in schema.items():
        kinds = [part.split(":")[1] for part in text.split()]
        found: dict[tuple[Any, ...], list[Any]] = {}
        for number in range(1, rows + 1):
            row = [_value(schema, kind, number, chance) for kind in kinds]
            found.setdefault((number,) if table in sample.keys else tuple(row[:2]), row)
        sample.rows[table] = list(found.values())
    return sample


def _value(schema: Schema, kind: str, number: int, chance: random.Random) -> Any:
    if "." in kind:
        target, _, span = kind.partition("=")
        if span == "own":
            return number
        if target.endswith("*") or (target.endswith("?") and chance.random() < 0.3):
            return None
        other = target.split(".")[0]
        low, high = map(int, span.split("-")) if span else (1, schema[other][0])
        chosen = chance.randint(low, high)
        key = next((part for part in schema[other][1].split() if part.endswith((":code", ":hash", ":id"))), "")
        return chosen if key.endswith(":id") else _value(schema, key.split(":")[1], chosen, chance)
    if kind == "id":
        return number
    if kind == "serial":
        return 1999 + number
    if kind == "hash":
        return f"{number * 2654435761 % 2**32:08x}{number:04x}"
    if kind == "code":
        return _code(number)
    if kind == "role":
        return "Sales Support Agent" if 3 <= number <= 5 else f"Manager {number}"
    if kind == "name":
        return f"{_word(chance)} {_word(chance)} {number}"
    if kind == "text":
        return " ".join(_word(chance) for _ in range(12))
    day = f"20{chance.randint(10, 20)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
    return {
        "word": lambda: _word(chance),
        "int": lambda: chance.randint(0, 400),
        "small": lambda: chance.randint(1, 5),
        "num": lambda: chance.randint(1, 5000) / 100,
        "date": lambda: day,
        "time": lambda: f"{day} {chance.randint(0, 23):02}:{chance.randint(0, 59):02}:05",
        "flag": lambda: chance.choice(["true", "false"]),
        "year": lambda: chance.randint(2000, 2010),
    }[kind]()


def _code(number: int) -> str:
    return "".join(chr(65 + number // 26**place % 26) for place in (2, 1, 0))


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bdfgklmnprst") + chance.choice("aeiou") for _ in range(chance.randint(2, 3))).title()


def as_sqlite(schema: Schema, path: Path, *, declared: bool) -> Sample:
    """Write the filled schema as a SQLite database, with its keys declared or not."""
    sample = filled(schema)
    with sqlite3.connect(path) as db:
        for table, columns in sample.columns.items():
            parts = [f'"{column}"' for column in columns]
            if declared:
                key = sample.keys.get(table)
                parts = [part + (" PRIMARY KEY" if part == f'"{key}"' else "") for part in parts]
                for at, column, other in sorted(sample.links):
                    if at == table:
                        parts.append(f'FOREIGN KEY ("{column}") REFERENCES "{other}" ("{sample.keys[other]}")')
            db.execute(f'CREATE TABLE "{table}" ({", ".join(parts)})')
            marks = ", ".join("?" * len(columns))
            db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', sample.rows[table])
    return sample
