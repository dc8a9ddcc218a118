"""The words of one schema for the two sides of events."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from clew.tools.queries.reading.forms.wider_relations import sides_told
from clew.tools.queries.reading.schema.contests import Contest, contests
from clew.tools.queries.reading.schema.role_words import RoleWords
from clew.tools.queries.sided import Sided


class SideWords(RoleWords):
    """What people say for the relations to either side, and who can be one."""

    @cached_property
    def sides_told(self) -> Mapping[str, frozenset[str]]:
        """What people say for each of two relations that make one together, and for that one all of it."""
        return sides_told(self.schema)

    @cached_property
    def contests(self) -> tuple[Contest, ...]:
        """The events of which one side wins."""
        return contests(self.schema)

    @cached_property
    def sided(self) -> bool:
        """Whether there are events that tell something of each of two sides."""
        return any(isinstance(each.name, Sided) for each in self.schema.relation_properties)
