"""Runs the steps of the Dockerfile in an empty folder, where no container engine is at hand.

    python docker/run_steps.py [--extra train] [--keep FOLDER] [--serve]

Each stage is a folder, and the absolute paths that the Dockerfile names lie in it. ARG, ENV, WORKDIR, COPY
and RUN are carried out as they stand, with this machine's Python in place of the base image's; steps that
install Debian packages are only checked by `apt-get --simulate`, where there is one. At the end the entry
point is run as the image would. With `--serve` it is run with CMD: against a Neo4j that this script starts
in place of the other container, with the password in a file, until it has answered a question.

That is no proof that the image can be built: the base image, layers, users and a read-only root are an
engine's matter.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
# Absolute paths of the Dockerfile that are put below the folder of a stage.
PLACES = ("/src", "/opt/biomolkg", "/data", "/empty", "/run/secrets")
QUESTION = "Which proteins does Trazodone inhibit?"
READY_SECONDS = 600


class StepFailed(Exception):
    """A step of the Dockerfile ended with another code than 0."""


@dataclass
class Stage:
    """A stage of the build: its folder, its environment, and what the image starts with."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    folder: Path = Path("/")
    entry: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def placed(self, text: str) -> str:
        """`text` with the Dockerfile's absolute paths below the folder of this stage."""
        pattern = "|".join(re.escape(place) for place in PLACES)
        return re.sub(rf"(?<![\w.-])({pattern})(?=[/:\s]|$)", lambda found: f"{self.root}{found[1]}", text)


def instructions(path: Path) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile and their arguments; lines that go on are one."""
    lines = [
        line for line in path.read_text(encoding="utf-8").splitlines() if not re.match(r"\s*(#|$)", line)
    ]
    whole = re.sub(r"\\\n\s*", " ", "\n".join(lines)).splitlines()
    return [(name.upper(), rest.strip()) for name, _, rest in (line.partition(" ") for line in whole)]


def ignored(path: str) -> bool:
    """Whether the build context leaves a file or folder out; the last rule that fits decides."""
    out = False
    for line in (HERE / "Dockerfile.dockerignore").read_text(encoding="utf-8").split():
        rule = line.removeprefix("!").removeprefix("**/")
        parts = path.split("/")
        names = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
        names += parts if line.startswith("**/") else []
        if any(fnmatch(name, rule) for name in names):
            out = not line.startswith("!")
    return out


class Build:
    """Carries out instructions, stage after stage."""

    def __init__(self, folder: Path, arguments: dict[str, str]) -> None:
        self.folder = folder
        self.arguments = arguments
        self.stages: dict[str, Stage] = {}
        self.known: dict[str, str] = {}
        self.stage = Stage(folder)

    def run(self, steps: list[tuple[str, str]]) -> Stage:
        """The last stage."""
        for number, (name, rest) in enumerate(steps, start=1):
            began = time.perf_counter()
            print(f"[{number}/{len(steps)}] {name} {rest}", flush=True)
            getattr(self, f"_{name.lower()}", self._nothing)(rest)
            print(f"    {time.perf_counter() - began:.1f} s", flush=True)
        return self.stage

    def _nothing(self, _rest: str) -> None:
        print("    an engine's matter")

    def _from(self, rest: str) -> None:
        words = rest.split()
        name = words[2] if len(words) == 3 else str(len(self.stages))
        root = self.folder / f"stage-{name}"
        (root / "bin").mkdir(parents=True)
        (root / "bin" / "python").symlink_to(sys.executable)
        search = f"{root / 'bin'}:{os.environ['PATH']}"
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("BIOMOLKG_", "PYTHON"))
        }
        self.stage = Stage(root, {**kept, "PATH": search, "HOME": str(root)}, root)
        self.known = {}
        self.stages[name] = self.stage

    def _arg(self, rest: str) -> None:
        name, _, default = rest.partition("=")
        self.known[name] = self.arguments.get(name, default)

    def _env(self, rest: str) -> None:
        for word in shlex.split(rest):
            name, _, value = word.partition("=")
            self.stage.environment[name] = self.stage.placed(self._filled(value))

    def _filled(self, text: str) -> str:
        values = {**self.stage.environment, **self.known}
        return re.sub(r"\$\{?(\w+)\}?", lambda found: values.get(found[1], ""), text)

    def _workdir(self, rest: str) -> None:
        self.stage.folder = Path(self.stage.placed(rest))
        self.stage.folder.mkdir(parents=True, exist_ok=True)

    def _copy(self, rest: str) -> None:
        words = shlex.split(rest)
        options = dict(word.removeprefix("--").split("=", 1) for word in words if word.startswith("--"))
        *sources, target = [word for word in words if not word.startswith("--")]
        into = self.stage.folder / self.stage.placed(target)
        if "from" in options:
            other = self.stages[options["from"]]
            for source in sources:
                shutil.copytree(other.placed(source), into, symlinks=True, dirs_exist_ok=True)
                self._moved(into, other.root)
            return
        for source in sources:
            self._take(source, into)

    def _take(self, source: str, into: Path) -> None:
        if source != ".":
            if ignored(source):
                raise StepFailed(f"{source} is not in the build context: see Dockerfile.dockerignore")
            shutil.copy2(PROJECT / source, into)
            return

        def left_out(folder: str, names: list[str]) -> list[str]:
            at = Path(folder).relative_to(PROJECT)
            # Of a folder that is left out, something below may be taken again.
            return [
                name
                for name in names
                if ignored((at / name).as_posix()) and (at / name).as_posix() != "docker"
            ]

        shutil.copytree(PROJECT, into, ignore=left_out, dirs_exist_ok=True)

    def _moved(self, folder: Path, before: Path) -> None:
        """Scripts name the Python that they were installed for; here that has another path in each stage."""
        for script in folder.glob("bin/*"):
            if script.is_file() and not script.is_symlink() and script.read_bytes().startswith(b"#!"):
                text = script.read_text(encoding="utf-8").replace(str(before), str(self.stage.root))
                script.write_text(text, encoding="utf-8")

    def _run(self, rest: str) -> None:
        if "apt-get" in rest:
            self._simulate(rest)
            return
        environment = {**self.stage.environment, **self.known}
        done = subprocess.run(
            ["/bin/sh", "-ec", self.stage.placed(rest)], cwd=self.stage.folder, env=environment, check=False
        )
        if done.returncode:
            raise StepFailed(f"RUN {rest} ended with code {done.returncode}")

    def _simulate(self, rest: str) -> None:
        found = re.search(r"apt-get install ((?:[\w.+-]+ ?)+)", rest)
        packages = [word for word in found[1].split() if not word.startswith("-")] if found else []
        if not packages or shutil.which("apt-get") is None:
            print("    not checked: this machine has no apt-get")
            return
        done = subprocess.run(
            ["apt-get", "install", "--simulate", *packages], capture_output=True, text=True, check=False
        )
        print(
            f"    simulated: {', '.join(packages)}: "
            + ("found" if done.returncode == 0 else done.stderr.strip())
        )

    def _entrypoint(self, rest: str) -> None:
        self.stage.entry = json.loads(rest)

    def _cmd(self, rest: str) -> None:
        self.stage.command = json.loads(rest)


def _found(image: Stage) -> str:
    """The path of the program that the image starts."""
    entry = shutil.which(image.entry[0], path=image.environment["PATH"])
    if entry is None:
        raise StepFailed(f"the entry point {image.entry[0]} is not on the PATH")
    return entry


def serve(image: Stage) -> None:
    """Run the image's command against a Neo4j of its own, and ask it a question."""
    own = {**image.environment, "BIOMOLKG_HOME": str(image.root / "neo4j")}
    for name in ("BIOMOLKG_NEO4J_URI", "BIOMOLKG_NEO4J_PASSWORD_FILE"):
        own.pop(name, None)
    start = [_found(image), *image.entry[1:]]
    secret = Path(image.environment["BIOMOLKG_NEO4J_PASSWORD_FILE"])
    given = {**image.environment, "BIOMOLKG_PORT": "0", "BIOMOLKG_HOST": "127.0.0.1"}
    refused = subprocess.run([*start, *image.command], env=given, capture_output=True, text=True, check=False)
    print(f"Without a password: code {refused.returncode}: {refused.stderr.strip()}")
    if refused.returncode == 0 or "password" not in refused.stderr:
        raise StepFailed("the service started without a password")
    subprocess.run([*start, "db", "start"], env=own, check=True)
    try:
        told = subprocess.run(
            [*start, "db", "status", "--json"], env=own, capture_output=True, text=True, check=True
        )
        status = json.loads(told.stdout)
        secret.parent.mkdir(parents=True, exist_ok=True)
        password = Path(status["password_file"]).read_text(encoding="utf-8").strip()
        secret.write_text(f"neo4j/{password}\n", encoding="utf-8")
        _ask([*start, *image.command], {**given, "BIOMOLKG_NEO4J_URI": status["bolt"]})
    finally:
        subprocess.run([*start, "db", "stop"], env=own, check=True)


def _ask(command: list[str], environment: dict[str, str]) -> None:
    began = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            address = ""
            for line in service.stdout:
                print(f"    {line.rstrip()}", flush=True)
                if found := re.search(r"http://[\w.:]+", line):
                    address = found.group()
                if "is ready" in line:
                    break
            request = urllib.request.Request(
                f"{address}/v1/retrieve/triple",
                json.dumps({"question": QUESTION, "k": 1}).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=60) as answer:
                (hit, *_) = json.load(answer)["results"][0]["hits"]
        finally:
            service.terminate()
            service.communicate(timeout=60)
    print(f"Answered after {time.perf_counter() - began:.1f} s: {json.dumps(hit['triple'])}")


def main() -> int:
    """Build in a folder, and say what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--extra", default="", help="the build argument EXTRA, such as train")
    parser.add_argument("--keep", type=Path, help="an empty folder to build in; default: one that is removed")
    parser.add_argument("--serve", action="store_true", help="run the service against a Neo4j, and ask it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep.resolve() if options.keep else Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            image = Build(folder, {"EXTRA": options.extra}).run(instructions(HERE / "Dockerfile"))
            subprocess.run([_found(image), "--version"], env=image.environment, check=True)
            kilobytes = sum(path.lstat().st_blocks for path in image.root.rglob("*")) // 2
            print(f"The last stage has {kilobytes / 1e6:.2f} GB beside its base image.")
            if options.serve:
                serve(image)
        except (StepFailed, subprocess.SubprocessError, urllib.error.URLError) as error:
            print(f"Failed: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
