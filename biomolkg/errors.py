"""Every error that BioMolKG raises on purpose.

    BioMolKGError
    ├── InputError                 what the caller gave cannot be used
    │   ├── InvalidRequest         a field of a request is missing, malformed or over a limit
    │   │   └── AmbiguousName      a name means several things, and one is needed
    │   ├── NotFound               the named thing is not in the graph
    │   ├── SourceError            a file to be loaded is not what it should be
    │   └── InvalidMolecule        a SMILES or SMARTS that cannot be read
    ├── ConfigurationError         a setting is wrong or contradicts another
    ├── ModelError                 a model is missing, damaged or of another graph version
    ├── NotReady                   the service cannot answer yet
    ├── Overloaded                 more requests than the limits allow
    ├── RequestTimeout             a request took longer than its limit
    ├── RequestFailed              a service that was called is away, or did not answer as it should
    └── DatabaseError              Neo4j could not do what was asked
        ├── DatabaseUnavailable    no connection, or the connection was lost
        ├── AuthenticationFailed   Neo4j refused the user or the password
        ├── DatabaseTimeout        a transaction took longer than its limit
        └── ServerError            the managed server cannot be fetched, started or stopped

`status` is the HTTP status that a class answers with, `slug` the last part of
its problem type, `retryable` whether the same call can succeed later, and
`exit_code` what the command line ends with. A message names the offending
input; `remedy` says what to do about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class BioMolKGError(Exception):
    """Root of the tree; catch it to catch everything that is raised on purpose."""

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "internal-error"
    retryable: ClassVar[bool] = False
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}" if self.remedy else self.message


class InputError(BioMolKGError):
    """What the caller gave cannot be used."""

    status = 422
    slug = "invalid-input"
    exit_code = 2


class InvalidRequest(InputError):
    """A field of a request is missing, malformed or over a limit; `field` is its path."""

    slug = "invalid-request"

    def __init__(self, message: str, *, field: str | None = None, remedy: str | None = None) -> None:
        super().__init__(message, remedy=remedy)
        self.field = field


class AmbiguousName(InvalidRequest):
    """A name means several things, and one is needed; `candidates` are what it may mean."""

    slug = "ambiguous-name"

    def __init__(self, message: str, *, field: str, candidates: Sequence[str]) -> None:
        super().__init__(message, field=field, remedy="Give the id of the one that is meant.")
        self.candidates = tuple(candidates)


class NotFound(InputError):
    """The named thing is not in the graph."""

    status = 404
    slug = "not-found"


class SourceError(InputError):
    """A file to be loaded is not what it should be."""

    slug = "invalid-source"


class InvalidMolecule(InputError):
    """A SMILES or SMARTS that cannot be read."""

    slug = "invalid-molecule"


class ConfigurationError(BioMolKGError):
    """A setting is wrong or contradicts another."""

    slug = "configuration"
    exit_code = 2


class ModelError(BioMolKGError):
    """A model is missing, damaged or of another graph version."""

    status = 503
    slug = "model-not-ready"
    exit_code = 2


class NotReady(BioMolKGError):
    """The service cannot answer yet."""

    status = 503
    slug = "not-ready"
    retryable = True


class Overloaded(BioMolKGError):
    """More requests than the limits allow; `retry_after` is in seconds."""

    status = 503
    slug = "overloaded"
    retryable = True

    def __init__(self, message: str, *, retry_after: int = 1, remedy: str | None = None) -> None:
        super().__init__(message, remedy=remedy)
        self.retry_after = retry_after


class RequestTimeout(BioMolKGError):
    """A request took longer than its limit."""

    status = 504
    slug = "request-timeout"
    retryable = True


class RequestFailed(BioMolKGError):
    """A service that was called is away, or did not answer as it should."""

    status = 502
    slug = "request-failed"


class DatabaseError(BioMolKGError):
    """Neo4j could not do what was asked."""

    slug = "database-error"


class DatabaseUnavailable(DatabaseError):
    """No connection to Neo4j, or the connection was lost."""

    status = 503
    slug = "database-unavailable"
    retryable = True


class AuthenticationFailed(DatabaseError):
    """Neo4j refused the user or the password."""

    status = 503
    slug = "database-authentication"
    exit_code = 2


class DatabaseTimeout(DatabaseError):
    """A transaction took longer than its limit."""

    status = 503
    slug = "database-timeout"
    retryable = True


class ServerError(DatabaseError):
    """The managed Neo4j server cannot be fetched, started or stopped."""

    status = 503
    slug = "database-server"
