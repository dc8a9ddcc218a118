"""A driver that is connected already, and that its owner closes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neo4j import Driver, Session
    from neo4j.api import ServerInfo


class LentDriver:
    """What a connection asks of a driver. The server's notices are not wanted, as with a driver of its own, and closing
    it does nothing."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def session(self, **options: Any) -> Session:
        return self._driver.session(notifications_min_severity="OFF", **options)

    def execute_query(self, query: str, **options: Any) -> Any:
        return self._driver.execute_query(query, **options)

    def get_server_info(self) -> ServerInfo:
        return self._driver.get_server_info()

    def close(self) -> None:
        """It is the owner's to close."""
