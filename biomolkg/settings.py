"""One settings class: `BIOMOLKG_*` variables, a `.env` file, or flags of the command line.

Every limit of the system is a field here, with its unit in its description.
No other module reads the environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from biomolkg.errors import ConfigurationError

NEO4J_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


class Settings(BaseSettings):
    """Everything that can be set. `docs/settings.md` lists each field; a test compares the two."""

    model_config = SettingsConfigDict(
        env_prefix="BIOMOLKG_", env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True
    )

    home: Path = Field(
        default_factory=lambda: user_data_path("biomolkg", appauthor=False),
        description="Folder of the managed server, its data, caches and models.",
    )

    # Neo4j
    neo4j_uri: str | None = Field(
        default=None, description="Address of a Neo4j to use instead of the managed one."
    )
    neo4j_user: str = Field(default="neo4j", description="User name for Neo4j.")
    neo4j_password: SecretStr | None = Field(
        default=None, description="Password for the Neo4j given by URI; the managed one makes its own."
    )
    neo4j_password_file: Path | None = Field(
        default=None,
        description="File with that password, such as a container's secret: the password alone, or "
        "user/password as Neo4j's own image takes it.",
    )
    neo4j_database: str = Field(default="neo4j", description="Name of the database.")
    server_cache: Path | None = Field(
        default=None,
        description="Folder that fetched Neo4j servers are kept in; default: server/ under the home.",
    )
    maven_repository: str | None = Field(
        default=None,
        description="Address of a Maven repository, such as a company's mirror, to fetch Neo4j from; "
        "default: the public one.",
    )
    neo4j_home: Path | None = Field(
        default=None, description="An unpacked Neo4j 5.26 to run instead of the fetched one."
    )
    java_home: Path | None = Field(
        default=None, description="A Java 17 or 21 for the managed server; default: the bundled one."
    )
    neo4j_bolt_port: int = Field(
        default=0, ge=0, le=65535, description="Bolt port of the managed server; 0: 7687 if free, else any."
    )
    neo4j_http_port: int = Field(
        default=0,
        ge=0,
        le=65535,
        description="Browser port of the managed server; 0: 7474 if free, else any.",
    )
    neo4j_heap_mb: int = Field(default=1024, ge=256, description="Java heap of the managed server, MiB.")
    neo4j_pagecache_mb: int = Field(default=256, ge=16, description="Page cache of the managed server, MiB.")
    neo4j_start_timeout: float = Field(
        default=120.0, gt=0, description="Seconds the managed server may take until it answers a query."
    )
    neo4j_stop_timeout: float = Field(
        default=30.0, gt=0, description="Seconds the managed server may take to stop before it is killed."
    )
    neo4j_transaction_timeout: float = Field(
        default=60.0, gt=0, description="Seconds one transaction may take."
    )
    neo4j_retry_time: float = Field(
        default=10.0, ge=0, description="Seconds a transaction is retried while Neo4j cannot take it."
    )
    neo4j_pool_size: int = Field(default=20, ge=1, description="Connections kept to Neo4j.")
    neo4j_acquisition_timeout: float = Field(
        default=10.0, gt=0, description="Seconds to wait for a connection of the pool."
    )

    neo4j_variant: Literal["words", "paper"] = Field(
        default="words",
        description="How the neo4j retriever ranks: every word of the question, or as the paper does.",
    )
    neo4j_concurrency: int = Field(
        default=4, ge=1, description="Questions of one request that the neo4j retriever asks at once."
    )

    # service
    host: str = Field(default="127.0.0.1", description="Address the service listens on.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port the service listens on; 0: any free one."
    )
    worker_threads: int = Field(
        default=0, ge=0, description="Threads that score questions; 0: one a processor."
    )
    watch_interval: float = Field(
        default=2.0, gt=0, description="Seconds between two looks at the database and its graph version."
    )
    neo4j_restart_limit: int = Field(
        default=5, ge=0, description="Restarts of a managed server that died, in a row, before giving up."
    )
    shutdown_timeout: float = Field(
        default=10.0, gt=0, description="Seconds that running requests get to finish at the end."
    )
    starter_graph: bool = Field(
        default=True, description="Load the bundled starter graph into an empty database at the start."
    )
    snapshot_cache: bool = Field(
        default=True,
        description="Keep what was read of the graph in a file under the home, which the next start reads "
        "while Neo4j starts.",
    )
    starter_pathways: bool = Field(
        default=True,
        description="Load the starter graph's pathways and reactions too, while questions are answered.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="Log level.")
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto", description="Form of log lines; auto: console on a terminal, else json."
    )

    # models
    encoder_path: Path | None = Field(
        default=None, description="Folder of a sentence-transformers model; default: the bundled MiniLM."
    )
    question_precision: Literal["int8", "fp32"] = Field(
        default="int8", description="Weights with which questions are encoded; texts are always fp32."
    )
    gnn_variant: Literal["late", "published"] = Field(
        default="late",
        description="Form of the graph networks that are trained: token states against node states, or as "
        "published, one vector a question.",
    )
    threads: int = Field(default=1, ge=1, description="Threads of numerical libraries in one worker.")
    phrase_cache_size: int = Field(
        default=100_000, ge=0, description="Chemical phrases whose reading is remembered."
    )

    llm_base_url: str | None = Field(
        default=None,
        description="Address of an OpenAI-compatible language model, such as http://127.0.0.1:11434/v1; "
        "default: none is asked.",
    )
    llm_model: str | None = Field(default=None, description="Name of the language model to ask.")
    llm_api_key: SecretStr | None = Field(default=None, description="Key for the language model.")
    llm_timeout: float = Field(default=60.0, gt=0, description="Seconds one answer of it may take.")

    # limits
    max_questions: int = Field(default=256, ge=1, description="Questions in one request.")
    max_question_chars: int = Field(default=4_000, ge=1, description="Characters in one question.")
    max_text_chars: int = Field(default=20_000, ge=1, description="Characters of a text to find mentions in.")
    batch_questions: int = Field(
        default=8,
        ge=1,
        description="Questions scored in one piece of work at most; lists are spread over the threads.",
    )
    max_question_words: int = Field(
        default=120, ge=1, description="Words of one question that the neo4j retriever looks up."
    )
    max_k: int = Field(default=100, ge=1, description="Hits a question.")
    max_page: int = Field(default=200, ge=1, description="Rows of one page of a listing.")
    max_filter_values: int = Field(default=256, ge=1, description="Values in one filter.")
    max_body_bytes: int = Field(default=4_194_304, ge=1024, description="Bytes of one request body.")
    max_smiles_chars: int = Field(
        default=2_000, ge=1, le=2_000, description="Characters of a SMILES; longer ones can crash RDKit."
    )
    max_smarts_chars: int = Field(
        default=400, ge=1, le=2_000, description="Characters of a SMARTS pattern to search or highlight."
    )
    substructure_timeout: float = Field(
        default=5.0, gt=0, description="Seconds one search for a substructure may take."
    )
    max_concurrent_requests: int = Field(
        default=32, ge=1, description="Requests worked on at once; the next ones wait."
    )
    max_waiting_requests: int = Field(
        default=128, ge=0, description="Requests that wait; beyond that the answer is 503."
    )
    request_timeout: float = Field(default=60.0, gt=0, description="Seconds a request may take in all.")
    load_batch_rows: int = Field(default=5_000, ge=1, le=50_000, description="Rows of one write transaction.")
    load_threads: int = Field(default=2, ge=1, le=64, description="Threads that embed the texts of a load.")
    load_patience: float = Field(
        default=60.0, ge=0, description="Seconds a load waits for another one to finish before it gives up."
    )
    passage_chars: int = Field(
        default=1_200, ge=100, le=10_000, description="Characters of one passage at most."
    )
    passage_overlap: int = Field(
        default=0,
        ge=0,
        le=5_000,
        description="Characters of whole sentences that neighbouring passages share.",
    )
    label_max_bytes: int = Field(
        default=33_554_432, ge=1024, description="Bytes of one label file, unpacked; longer ones are skipped."
    )
    label_max_depth: int = Field(
        default=120, ge=8, le=250, description="Elements inside each other in a label file."
    )
    archive_max_ratio: int = Field(
        default=200, ge=1, description="Times a member of a zip may grow when it is unpacked."
    )

    @field_validator("neo4j_uri")
    @classmethod
    def _known_scheme(cls, value: str | None) -> str | None:
        if value is not None and value.split("://", 1)[0] not in NEO4J_SCHEMES:
            raise ValueError(
                f"{value!r} is no Neo4j address: it must start with one of "
                + ", ".join(f"{scheme}://" for scheme in NEO4J_SCHEMES)
            )
        return value

    @field_validator("passage_overlap")
    @classmethod
    def _overlap_below_passage(cls, value: int, info: ValidationInfo) -> int:
        if value >= info.data.get("passage_chars", value + 1):
            raise ValueError(f"an overlap of {value} characters is not below BIOMOLKG_PASSAGE_CHARS")
        return value

    @field_validator("home", "server_cache", "neo4j_password_file", "neo4j_home", "java_home", "encoder_path")
    @classmethod
    def _expand_user(cls, value: Path | None) -> Path | None:
        return None if value is None else value.expanduser().absolute()

    def read_neo4j_password(self) -> str | None:
        """The password for the Neo4j at `neo4j_uri`, None where it needs none.

        Raises ConfigurationError when its file cannot be read or holds none, or when it is given twice.
        """
        path = self.neo4j_password_file
        if path is None:
            return None if self.neo4j_password is None else self.neo4j_password.get_secret_value()
        remedy = "Put the password into that file, or unset BIOMOLKG_NEO4J_PASSWORD_FILE."
        if self.neo4j_password is not None:
            raise ConfigurationError(
                "BIOMOLKG_NEO4J_PASSWORD and BIOMOLKG_NEO4J_PASSWORD_FILE are both set.",
                remedy="Set one of them.",
            )
        try:
            content = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise ConfigurationError(
                f"The password file {path} cannot be read: {reason}.", remedy=remedy
            ) from error
        password = content.removeprefix(f"{self.neo4j_user}/")
        if not password:
            raise ConfigurationError(f"The password file {path} holds no password.", remedy=remedy)
        return password


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment and `.env`, with `overrides` (flags) on top; None means not given.

    Raises ConfigurationError that names each variable that is wrong.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        problems = "; ".join(
            f"BIOMOLKG_{'_'.join(map(str, item['loc'])).upper()}: "
            + item["msg"].removeprefix("Value error, ")
            for item in error.errors()
        )
        raise ConfigurationError(
            f"The settings cannot be used: {problems}.", remedy="docs/settings.md lists what each one takes."
        ) from error
