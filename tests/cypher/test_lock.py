import re
from pathlib import Path

import pytest

from biomolkg.errors import ServerError
from cypher.lock import Jar, format_lock, parse_lock, read_lock, server_version


def test_the_bundled_lock_is_a_whole_server() -> None:
    jars = read_lock()
    assert len(jars) == 214
    assert server_version(jars) == "5.26.30"
    assert {"neo4j-browser-5.24.0.jar", "neo4j-server-5.26.30.jar"} <= {jar.filename for jar in jars}
    assert len({jar.filename for jar in jars}) == len(jars), "two jars would overwrite each other"
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) and jar.size > 0 for jar in jars)


def test_what_is_written_is_read() -> None:
    assert parse_lock(format_lock(read_lock())) == read_lock()


@pytest.mark.parametrize(
    "line", ["a:b:1 12", "a:b 12 00", "a:b:1 many 00", "a:b:1:c:d 12 00", "a:b:1 12 00 11"]
)
def test_a_malformed_line_is_named(line: str) -> None:
    with pytest.raises(ServerError, match="Line 2 "):
        parse_lock(f"# made by hand\n{line}\n")


def test_each_kind_of_damage_is_told(tmp_path: Path) -> None:
    content = b"the content of a jar"
    digest = "c06afb0bbf0ee64ab9e01ad4dbd0d4e5a0d29ee8c9fc36d1d9c1f7bd9bd9a8e4"
    path = tmp_path / "b-1.jar"
    jar = Jar("a", "b", "1", "", digest, len(content))
    assert "missing" in (jar.fault(path) or "")
    path.write_bytes(content[:-1])
    assert "19 bytes instead of 20" in (jar.fault(path) or "")
    path.write_bytes(content)
    assert "SHA-256" in (jar.fault(path) or "")
    path.unlink()
    path.mkdir()
    assert "cannot be read" in (jar.fault(path) or "")
