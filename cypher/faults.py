"""The driver's errors as errors of `biomolkg.errors`, told apart by class and code, never by message."""

from __future__ import annotations

from neo4j import exceptions

from biomolkg.errors import (
    AuthenticationFailed,
    BioMolKGError,
    ConfigurationError,
    DatabaseError,
    DatabaseTimeout,
    DatabaseUnavailable,
    Overloaded,
)

_RATE_LIMIT = "Neo.ClientError.Security.AuthenticationRateLimit"
_LOGIN_CODES = {_RATE_LIMIT, "Neo.ClientError.Security.CredentialsExpired"}
_TIMEOUT_CODES = {
    "Neo.ClientError.Transaction.TransactionTimedOut",
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
    "Neo.TransientError.Transaction.LockAcquisitionTimeout",
}
_DATABASE_MISSING = "Neo.ClientError.Database.DatabaseNotFound"


def translate(error: exceptions.GqlError, statement: str, uri: str, timeout: float) -> BioMolKGError:
    """What `error` means for the caller who ran `statement` on `uri` with `timeout` seconds."""
    if isinstance(error, exceptions.Neo4jError):
        return _server_fault(error, statement, uri, timeout)
    return _driver_fault(error, statement, uri)


def _server_fault(error: exceptions.Neo4jError, statement: str, uri: str, timeout: float) -> BioMolKGError:
    """Neo4j's own answer."""
    if isinstance(error, exceptions.AuthError) or error.code in _LOGIN_CODES:
        return _login_fault(error, uri)
    if error.code in _TIMEOUT_CODES:
        return DatabaseTimeout(
            f"{statement} took longer than its {timeout:g} s.",
            remedy="Ask for less, or raise BIOMOLKG_NEO4J_TRANSACTION_TIMEOUT.",
        )
    if error.code == _DATABASE_MISSING:
        return ConfigurationError(
            f"The Neo4j at {uri} has no such database: {error.message}",
            remedy="Set BIOMOLKG_NEO4J_DATABASE to one that it has.",
        )
    if isinstance(error, exceptions.TransientError):
        return _silent(uri, error.code)
    return DatabaseError(f"Neo4j could not run {statement}: {error.code}: {error.message}")


def _driver_fault(error: exceptions.GqlError, statement: str, uri: str) -> BioMolKGError:
    """What kept the driver from an answer."""
    if isinstance(error, exceptions.ConnectionAcquisitionTimeoutError):
        return Overloaded(
            "All connections to Neo4j are in use.",
            remedy="Ask again later, or raise BIOMOLKG_NEO4J_POOL_SIZE.",
        )
    if isinstance(error, exceptions.IncompleteCommit):
        return DatabaseUnavailable(
            f"The connection to Neo4j at {uri} was lost while {statement} was committed: "
            "whether it was written is not known.",
            remedy="Run the same again: every write can be repeated.",
        )
    if isinstance(error, exceptions.ServiceUnavailable | exceptions.SessionExpired):
        cause = error.__cause__
        return _silent(uri, (isinstance(cause, OSError) and cause.strerror) or type(error).__name__)
    if isinstance(error, exceptions.ConfigurationError):
        return ConfigurationError(
            f"Neo4j at {uri} cannot be used: {error}.",
            remedy="Check BIOMOLKG_NEO4J_URI: its scheme must fit the server's encryption.",
        )
    return DatabaseError(f"Neo4j could not run {statement}: {type(error).__name__}: {error}")


def _silent(uri: str, reason: str | None) -> DatabaseUnavailable:
    return DatabaseUnavailable(
        f"Neo4j at {uri} does not answer ({reason}).",
        remedy="See that it runs (`biomolkg db status`) and that the address is right.",
    )


def _login_fault(error: exceptions.Neo4jError, uri: str) -> AuthenticationFailed:
    if error.code == _RATE_LIMIT:
        return AuthenticationFailed(
            f"Neo4j at {uri} refuses to log in for some seconds after too many wrong passwords.",
            remedy="Wait, then try again with the right password.",
        )
    return AuthenticationFailed(
        f"Neo4j at {uri} refused the user or the password.",
        remedy="Set BIOMOLKG_NEO4J_USER and BIOMOLKG_NEO4J_PASSWORD for a Neo4j of your own; "
        "the managed one's password is in the file that `biomolkg db status` names.",
    )
