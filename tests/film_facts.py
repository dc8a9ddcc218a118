"""Facts about films, for tests that import them by the command line."""

from __future__ import annotations

FACTS = """\
Heat|directed_by|Michael Mann
Heat|starred_actors|Al Pacino
Heat|starred_actors|Robert De Niro
Heat|release_year|1995
Collateral|directed_by|Michael Mann
Collateral|starred_actors|Tom Cruise
Collateral|release_year|2004
Casino|directed_by|Martin Scorsese
Casino|starred_actors|Robert De Niro
Casino|starred_actors|Sharon Stone
Casino|release_year|1995
Taxi Driver|directed_by|Martin Scorsese
Taxi Driver|starred_actors|Robert De Niro
Taxi Driver|written_by|Paul Schrader
Taxi Driver|release_year|1976
"""
