"""Importing files and tables into the database, with progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from clew.app.files import private_home
from clew.tools.errors import BadInput, ClewError
from clew.tools.ingest.records import KINDS as KINDS
from clew.tools.ingest.records import Kind as Kind

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.tools.ingest import ImportOptions
    from clew.tools.ingest import ImportReport as ImportReport
    from clew.tools.ingest.records import Format
    from clew.tools.ingest.tables.model_names import Rename
    from clew.tools.ingest.tables.plan import ImportPlan
    from clew.tools.ingest.tables.sources import Source

MODEL = "model.yaml"
"""In the folder of a graph's imports: the model of its tables."""


@dataclass(slots=True)
class PlannedImport:
    """Files that were recognised, and tables that were read, for an import. Nothing is written before it is imported.

    Use it in a `with` block: it holds temporary files.
    """

    files: Sequence[Format]
    plan: ImportPlan | None = None
    """Of tables; None for graph files."""
    notes: tuple[str, ...] = ()
    """What was left out of folders and archives."""
    renames: tuple[Rename, ...] = ()
    """What the language model called otherwise."""
    keeps_names: bool = False
    """Whether the graph has its names from an earlier import of tables, so that none are suggested."""

    def lines(self) -> list[str]:
        """The plan for people; for graph files only what is left out."""
        from clew.tools.ingest.tables import plan_text

        said = [*(plan_text.lines(self.plan) if self.plan is not None else []), *self.notes]
        if self.renames:
            said += ["", "Names by the language model:", *(f"  {each.line()}" for each in self.renames)]
        return said

    def to_json(self) -> dict[str, Any]:
        """The plan as plain JSON values: `files` with their formats, `notes`, and what the tables become.

        The keys `tables`, `labels`, `edges`, `suggestions`, `renames`, `keeps_names` and `model` are there for
        tables only.
        """
        from clew.tools.ingest.tables import plan_json

        files = [{"file": str(each.path), "kind": each.kind, "why": each.why} for each in self.files]
        notes = [*self.notes, *(self.plan.notes if self.plan is not None else [])]
        if self.plan is None:
            return {"files": files, "notes": notes}
        renames = [each.line() for each in self.renames]
        told = {"files": files, "notes": notes, "renames": renames, "keeps_names": self.keeps_names}
        return {**told, **plan_json.fields(self.plan)}

    def write_model(self, path: Path) -> None:
        """Write the model of the tables as YAML. Raises BadInput where there are none."""
        from clew.tools.ingest.tables import model_file

        if self.plan is None:
            raise BadInput("Only tables have a model that can be written.", "Leave out --plan.")
        model_file.write(self.plan.model, path)

    def options(self, options: ImportOptions) -> ImportOptions:
        """The settings of the import with what the plan adds."""
        options = replace(options, notes=self.notes)
        if self.plan is None:
            return options
        return replace(
            options,
            name_properties={**self.plan.model.name_properties(), **options.name_properties},
            tables=tuple(self.plan.counts.values()),
            owned=self.plan.owned(),
            notes=(*self.notes, *self.plan.notes),
        )

    def close(self) -> None:
        """Delete the temporary files."""
        if self.plan is not None:
            self.plan.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Planning:
    """How files and tables are read for an import."""

    format: Kind | None = None
    """The format of all files; None recognises it."""
    model: Path | Mapping[str, Any] | None = None
    """A file with the model of the tables, or its fields. Without, that of the graph's last import of tables holds."""
    value_nodes: tuple[tuple[str, str], ...] = ()
    """(table, column) of columns whose values become nodes."""
    anew: bool = False
    """Infer the model anew."""
    suggest_names: bool = False
    """Let the language model replace labels, relationship types and properties that say little."""


def checked_graph_name(name: str) -> str:
    """A name that a new graph can have. Raises BadInput."""
    from clew.tools.graph.store.graph_entries import checked_name

    return checked_name(name)


def checked_address(url: str) -> str:
    """The URL of a database whose tables can be read, without its password, for people. Raises BadInput."""
    from clew.tools.ingest.tables.sources import databases

    return databases.checked(url)


def named(graph: str | None) -> str:
    """The name of the graph to import into. Raises BadInput where there is none."""
    if graph is None:
        raise BadInput("An import needs the name of a graph.", 'Name it: clew.connect("films").')
    return graph


def plan_import(container: Container, graph: str | None, given: Sequence[str | Path], how: Planning) -> PlannedImport:
    """Recognise files, and read tables; nothing is written to the graph, which need not exist.

    Args:
        container: the graphs.
        graph: the graph's name.
        given: files, folders, wildcards, archives and database URLs.
        how: the settings.

    Raises:
        BadInput: something cannot be used.
        ModelFailed: the language model suggests no names.
    """
    from clew.tools.ingest import inputs
    from clew.tools.ingest.tables import plan as planning

    name = named(graph)
    private_home(container.settings.home)
    folder = container.folder(name) / "import"
    scratch = planning.new_scratch(folder)
    try:
        found = inputs.read(given, scratch, how.format)
        notes = tuple(found.notes)
        if found.tables:
            known = folder / MODEL
            again = known.exists() and not how.anew and container.database.exists(name)
            return _of_tables(container, name, found.tables, how, scratch, notes, known if again else None)
        if how.model is not None or how.value_nodes or how.suggest_names:
            remedy = "Leave out --model, --value-nodes and --suggest-names."
            raise BadInput("A model is for tables, and there are none.", remedy)
        planning.remove_scratch(scratch)
        return PlannedImport(found.files, notes=notes)
    except BaseException:
        planning.remove_scratch(scratch)
        raise


def _of_tables(
    container: Container,
    graph: str,
    tables: Sequence[Source],
    how: Planning,
    scratch: Path,
    notes: tuple[str, ...],
    known: Path | None,
) -> PlannedImport:
    """The plan of tables; `known` is the model of the last import into the graph."""
    from clew.app.api.table_names import namer_of, suggest_names
    from clew.tools.ingest.tables import model_file
    from clew.tools.ingest.tables import plan as planning

    if how.suggest_names:  # What cannot be done is said before anything is read.
        if known is not None:
            remedy = "Leave out --suggest-names, or import with --replace."
            raise BadInput(f"{graph} keeps the names of its last import.", remedy)
        namer_of(container)
    used = how.model or known
    plan = planning.make(
        tables,
        scratch,
        container.progress.task,
        model_file.read(used) if isinstance(used, Path) else model_file.checked(used) if used is not None else None,
        how.value_nodes,
        complete=how.model is None,
    )
    try:
        renames = suggest_names(container, plan) if how.suggest_names else []
        return PlannedImport(plan.formats(), plan, notes, tuple(renames), keeps_names=known is not None)
    except BaseException:
        plan.close()
        raise


def import_files(
    container: Container, graph: str, paths: Sequence[Path] | PlannedImport, options: ImportOptions
) -> ImportReport:
    """Import files into a graph, which is created where it is missing, and removed again where nothing was written.

    Raises ClewError.
    """
    from clew.tools.graph.store.replacement import Replacement
    from clew.tools.ingest import ImportRunning, is_unfinished, load

    database = container.database
    is_new = not database.exists(graph)
    store = database.open(graph, create=True)
    planned = paths if isinstance(paths, PlannedImport) else None
    files = planned.files if planned is not None else list(paths)  # type: ignore[arg-type]
    try:
        options = planned.options(options) if planned else options
        report = load(store, files, options, container.progress.task, Replacement(database, graph))
        if planned is not None and planned.plan is not None:
            planned.write_model(options.state_dir / MODEL)
    except ImportRunning:
        raise  # The graph is the other import's.
    except BaseException:
        if is_new:
            with suppress(ClewError):
                if not is_unfinished(store.version()):
                    container.drop(graph)
        raise
    container.forget(graph)
    return report
