"""`biomolkg molecules`: search structures, propose edges between two drugs, compare with published edges."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from app.commands import settings_of
from biomolkg.errors import InvalidMolecule, InvalidRequest, NotFound, SourceError
from biomolkg.settings import Settings

if TYPE_CHECKING:
    from cypher.client import Client
    from graph_loader.interactions.agreement import Agreement, PublishedEdge
    from graph_loader.interactions.asked import Proposer
    from retrievers.molecules import MoleculeHit

PUBLISHED = Path("data/OAI/molecular_interactions/molecular_interactions_df.csv")

app = typer.Typer(
    help="Search structures, propose molecular edges.\n\nExample: biomolkg molecules search --like Trazodone",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
AsSmiles = Annotated[
    bool, typer.Option("--smiles", help="The molecules are given as SMILES; for edges no graph is opened.")
]
AskModel = Annotated[
    bool, typer.Option("--model", help="Ask the language model of the settings instead of the rules.")
]


@app.command()
def interactions(
    context: typer.Context,
    first: Annotated[str, typer.Argument(help="A drug: name, id or cross-reference.", metavar="DRUG")],
    second: Annotated[str, typer.Argument(help="The other one.", metavar="DRUG")],
    *,
    smiles: AsSmiles = False,
    model: AskModel = False,
    as_json: AsJson = False,
) -> None:
    """Propose molecular edges between two drugs: kind of contact, mechanism, evidence, severity.

    Example: biomolkg molecules interactions Trazodone Warfarin
    """
    from biomolkg.molecules import parse_smiles  # noqa: PLC0415 - RDKit is slow to import
    from graph_loader.interactions.edges import evidence_text  # noqa: PLC0415

    settings = settings_of(context)
    with _proposer(settings, model=model) as propose:
        names, structures = _molecules(settings, (first, second), smiles=smiles)
        found = propose(*structures).proposals
    one, other = (parse_smiles(text, max_chars=settings.max_smiles_chars) for text in structures)
    edges = [
        {**proposal.model_dump(mode="json"), "evidence": evidence_text(proposal, one, other, names)}
        for proposal in found
    ]
    if as_json:
        sides = [{"name": name, "smiles": text} for name, text in zip(names, structures, strict=True)]
        _print_json({"first": sides[0], "second": sides[1], "proposals": edges})
        return
    console = Console(highlight=False, soft_wrap=True)
    if not edges:
        console.print(f"Nothing suggests an interaction of {names[0]} and {names[1]}.", markup=False)
    for edge in edges:
        console.print(f"{edge['score']:.2f} {edge['category']} ({edge['severity']})", markup=False)
        for text in (edge["mechanism"], edge["reason"], edge["evidence"]):
            console.print(f"     {text}", markup=False)


@app.command()
def search(
    context: typer.Context,
    like: Annotated[
        str | None, typer.Option(help="A drug that hits are similar to: name, id or cross-reference.")
    ] = None,
    substructure: Annotated[
        str | None, typer.Option(help="A fragment that they have: SMARTS, SMILES or the name of a group.")
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(help="A group that they have, as sulfonamide or sulfonamide:2; may be repeated."),
    ] = None,
    min_similarity: Annotated[float, typer.Option(min=0, max=1, help="The least similarity.")] = 0.0,
    k: Annotated[int, typer.Option("--k", "-k", min=1, max=100, help="Hits.")] = 10,
    *,
    smiles: AsSmiles = False,
    as_json: AsJson = False,
) -> None:
    """Find drugs of the graph by their structures; every condition has to hold.

    Example: biomolkg molecules search --like Celecoxib --group sulfonamide
    """
    from app.graph_access import open_graph  # noqa: PLC0415
    from retrievers.molecules import MoleculeQuery, read_molecules  # noqa: PLC0415

    settings = settings_of(context)
    groups = dict(_counted(text) for text in group or ())
    if like is None and substructure is None and not groups:
        raise InvalidRequest("Nothing is asked for.", remedy="Give --like, --substructure or --group.")
    with open_graph(settings) as client:
        similar_to = like if smiles or like is None else _find(client, like)[1]
        index = read_molecules(client, max_chars=settings.max_smiles_chars)
    if not len(index):
        raise NotFound("No entity of the graph has a structure.", remedy="Load one: biomolkg load starter.")
    query = MoleculeQuery(similar_to, min_similarity, substructure, groups)
    limits: dict[str, Any] = {
        "max_chars": settings.max_smarts_chars,
        "seconds": settings.substructure_timeout,
    }
    hits = index.search(query, k=k, **limits)
    if not as_json:
        _show_hits(hits)
        return
    rows = [
        {
            "rank": hit.rank,
            "score": hit.score,
            "id": hit.entity.id,
            "name": hit.entity.name,
            "preferred_name": hit.entity.preferred_name,
            "smiles": hit.entity.smiles,
            "matches": [{"name": match.name, "atoms": match.places} for match in matches],
        }
        for hit, matches in zip(hits, index.matches(hits, query, **limits), strict=True)
    ]
    _print_json({"hits": rows})


@app.command()
def edges(
    context: typer.Context,
    source: Annotated[
        Path, typer.Argument(help="BioMol-MQA's folder, or its table of molecular edges.", metavar="PATH")
    ],
    *,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first edges of the table.")] = None,
    model: AskModel = False,
    as_json: AsJson = False,
) -> None:
    """Measure how far proposed edges agree with the published ones.

    Example: biomolkg molecules edges ../shared/data/biomolmqa
    """
    from graph_loader.interactions.agreement import measure, read_published  # noqa: PLC0415
    from graph_loader.ledger import Omissions  # noqa: PLC0415

    settings = settings_of(context)
    published = read_published(source / PUBLISHED if source.is_dir() else source)[:limit]
    if not published:
        raise SourceError(f"{source} has no edges.", remedy="Give BioMol-MQA's table of molecular edges.")
    omissions = Omissions()
    with _proposer(settings, model=model) as propose:
        judged = _once_each(published, propose, omissions, source.name)
    parts = {
        "all": published,
        "tuned on": [edge for edge in published if edge.tuned],
        "held out": [edge for edge in published if not edge.tuned],
    }
    measured = {name: measure(part, judged) for name, part in parts.items() if part}
    if as_json:
        skipped = {item.reason: item.count for item in omissions.listed()}
        _print_json({"edges": {name: _agreement(it) for name, it in measured.items()}, "skipped": skipped})
        return
    _show_agreement(measured)
    for item in omissions.listed():
        typer.echo(f"{item.count} pairs: {item.reason} (first: {'; '.join(item.offenders)})")


@contextmanager
def _proposer(settings: Settings, *, model: bool) -> Iterator[Proposer]:
    """The rules, or the language model. Raises ConfigurationError when none is configured."""
    from biomolkg.language_model import LanguageModel  # noqa: PLC0415
    from graph_loader.interactions.asked import AskedProposer  # noqa: PLC0415
    from graph_loader.interactions.rules import propose  # noqa: PLC0415

    if not model:
        yield lambda one, other: propose(one, other, max_chars=settings.max_smiles_chars)
        return
    with LanguageModel(settings) as asked:
        yield AskedProposer(asked, settings)


def _molecules(
    settings: Settings, given: Sequence[str], *, smiles: bool
) -> tuple[tuple[str, str], tuple[str, str]]:
    """The names and the SMILES of two molecules."""
    from app.graph_access import open_graph  # noqa: PLC0415

    with ExitStack() as stack:
        if smiles:
            return ("The first molecule", "The second molecule"), (given[0], given[1])
        client = stack.enter_context(open_graph(settings))
        one, other = (_find(client, text) for text in given)
    return (one[0], other[0]), (one[1], other[1])


def _find(client: Client, text: str) -> tuple[str, str]:
    """The name and the SMILES of the drug that `text` names, by id or by a name that is written just so."""
    from retrievers.entities import get_entity, search_entities  # noqa: PLC0415

    if ":" in text:
        record = get_entity(client, text.strip())
    else:
        page = search_entities(client, text)
        exact = [item.entity for item in page.items if item.exact] or [
            item.entity for item in page.items[:1] if page.total == 1
        ]
        if not exact:
            near = ", ".join(item.entity.preferred_name for item in page.items[:5])
            raise NotFound(
                f"No entity of the graph is called {text[:80]!r}.",
                remedy=f"Is it one of these: {near}?"
                if near
                else "Is the graph loaded? biomolkg graph stats",
            )
        record = get_entity(client, exact[0].id)
    if record.smiles is None:
        raise InvalidMolecule(
            f"{record.preferred_name} ({record.id}) has no structure.", remedy="Give a drug."
        )
    return record.name, record.smiles


def _counted(text: str) -> tuple[str, int]:
    """A group and how often it is wanted."""
    name, colon, count = text.rpartition(":")
    if not colon:
        return text, 1
    if not count.isascii() or not count.isdigit() or not 1 <= int(count[:4]) <= 999:
        raise InvalidRequest(
            f"{text[:80]!r} asks for no number of groups.", field="group", remedy="Write sulfonamide:2."
        )
    return name, int(count[:4])


def _once_each(published: Sequence[PublishedEdge], propose: Proposer, omissions: Any, file: str) -> Proposer:
    """What was proposed for each pair; a pair that failed is counted, and has no proposals."""
    from app.commands.account import progress  # noqa: PLC0415
    from graph_loader.interactions.asked import propose_all  # noqa: PLC0415
    from graph_loader.interactions.edges import Proposals  # noqa: PLC0415

    pairs = {(edge.first, edge.second): f"edge {at}" for at, edge in enumerate(published, start=1)}
    found: dict[str, Proposals] = {}
    with progress("compared") as report:
        for done, ((first, second), name) in enumerate(pairs.items(), start=1):
            found.update(propose_all([(name, first, second)], propose, omissions, file=file))
            report("pairs", done, len(pairs))
    nothing = Proposals(proposals=())
    return lambda first, second: found.get(pairs[first, second], nothing)


def _agreement(measured: Agreement) -> dict[str, Any]:
    return {
        "edges": measured.edges,
        "baseline": measured.baseline,
        "first": measured.top1,
        "among": measured.among,
        "balanced": measured.balanced,
        "proposed_per_pair": measured.mean_proposed,
        "by_category": {
            str(category): {"published": it.published, "first": it.first, "proposed": it.proposed}
            for category, it in measured.by_category.items()
        },
    }


def _show_agreement(measured: dict[str, Agreement]) -> None:
    table = Table("edges", box=None, pad_edge=False)
    for name in ("number", "baseline", "first", "among", "balanced", "proposed a pair"):
        table.add_column(name, justify="right")
    for name, it in measured.items():
        shares = (it.baseline, it.top1, it.among, it.balanced)
        table.add_row(name, str(it.edges), *(f"{share:.1%}" for share in shares), f"{it.mean_proposed:.2f}")
    categories = Table("published category", box=None, pad_edge=False)
    for name in ("edges", "proposed first", "proposed"):
        categories.add_column(name, justify="right")
    for category, count in measured["all"].by_category.items():
        categories.add_row(category, str(count.published), str(count.first), str(count.proposed))
    console = Console(highlight=False, soft_wrap=True)
    console.print(table)
    console.print(categories)


def _show_hits(hits: Sequence[MoleculeHit]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if not hits:
        console.print("No structure of the graph meets every condition.")
        return
    table = Table("#", "score", "id", "name", "matches", box=None, pad_edge=False)
    for hit in hits:
        places = ", ".join(f"{name} × {count}" for name, count in hit.places.items())
        table.add_row(
            str(hit.rank),
            f"{hit.score:.3f}",
            hit.entity.id,
            _plain(hit.entity.preferred_name),
            _plain(places),
        )
    console.print(table)


def _plain(text: str) -> Any:
    from rich.text import Text  # noqa: PLC0415  (names may hold square brackets, which are markup otherwise)

    return Text(text)


def _print_json(fields: dict[str, Any]) -> None:
    typer.echo(json.dumps(fields, ensure_ascii=False, indent=2))
