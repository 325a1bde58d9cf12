"""The documents of a file, a folder or a zip, one at a time and never unpacked to the disk."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from biomolkg.errors import SourceError
from biomolkg.settings import Settings
from graph_loader.ledger import Omissions

# A release of DailyMed is a zip of zips; nothing is published deeper.
ARCHIVE_DEPTH = 2
# A short text of one repeated character compresses well and harms nobody.
SMALL_BYTES = 1_048_576
NO_DOCUMENT = "a file of another kind"
# All that zipfile raises on damaged, encrypted and unknown members.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)


def documents(
    path: Path, suffix: str, settings: Settings, omissions: Omissions
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the documents that end in `suffix`, in the order of their names.

    `path` is one document, a folder (searched below, links to folders not
    followed) or a zip. What is too long, encrypted, damaged, named to escape its
    folder or nested too deeply is left out, counted under the name of `path`.

    Raises SourceError when the path is missing or is no such thing.
    """
    if path.is_dir():
        yield from _in_folder(path, suffix, settings, omissions)
    elif not path.exists():
        raise SourceError(f"{path} does not exist.", remedy="Give a file, a folder or a zip.")
    elif path.suffix.lower() == ".zip":
        yield from _members(path, path.name, suffix, settings, omissions, path.name)
    else:
        content = _content(path, settings)
        if content is None:
            raise SourceError(
                f"{path} is longer than {settings.label_max_bytes:,} bytes.",
                remedy="Raise BIOMOLKG_LABEL_MAX_BYTES if it is one document.",
            )
        yield path.name, content


def _in_folder(
    path: Path, suffix: str, settings: Settings, omissions: Omissions
) -> Iterator[tuple[str, bytes]]:
    for found in _files(path):
        ending = found.suffix.lower()
        name = found.relative_to(path).as_posix()
        if ending == suffix:
            try:
                content = _content(found, settings)
            except SourceError:
                omissions.add(path.name, "unreadable", name)
                continue
            if content is None:
                omissions.add(path.name, "too long", name)
            else:
                yield name, content
        elif ending == ".zip":
            try:
                yield from _members(found, name, suffix, settings, omissions, path.name)
            except SourceError:
                omissions.add(path.name, "a damaged zip", name)
        else:
            omissions.add(path.name, NO_DOCUMENT, name)


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield Path(parent, name)


def _content(path: Path, settings: Settings) -> bytes | None:
    """The bytes of a file; None when there are more than the limit. Raises SourceError when unreadable."""
    try:
        if not path.is_file():
            raise SourceError(f"{path} is no regular file.", remedy="Give a file, a folder or a zip.")
        with path.open("rb") as stream:
            content = stream.read(settings.label_max_bytes + 1)
    except OSError as error:
        raise SourceError(
            f"{path} cannot be read: {error.strerror}.", remedy="Check its permissions."
        ) from error
    return content if len(content) <= settings.label_max_bytes else None


def _members(
    archive: Path | io.BytesIO,
    name: str,
    suffix: str,
    settings: Settings,
    omissions: Omissions,
    counted_under: str,
    depth: int = 1,
) -> Iterator[tuple[str, bytes]]:
    """The documents of a zip and of the zips in it. Raises SourceError when it is no zip."""
    try:
        opened = zipfile.ZipFile(archive)
    except UNREADABLE as error:
        raise SourceError(
            f"{name} is no readable zip: {error}.", remedy="Fetch it again; it may be cut short."
        ) from error
    with opened:
        for member in sorted(opened.infolist(), key=lambda info: info.filename):
            ending = PurePosixPath(member.filename).suffix.lower()
            shown = f"{name}/{member.filename}"
            if member.is_dir():
                continue
            if ending not in {suffix, ".zip"}:
                omissions.add(counted_under, NO_DOCUMENT, shown)
                continue
            reason = _refusal(member, settings, depth, is_zip=ending == ".zip")
            content = b""
            if reason is None:
                content, reason = _unpacked(opened, member, settings)
            if reason is not None:
                omissions.add(counted_under, reason, shown)
            elif ending == suffix:
                yield shown, content
            else:
                try:
                    yield from _members(
                        io.BytesIO(content), shown, suffix, settings, omissions, counted_under, depth + 1
                    )
                except SourceError:
                    omissions.add(counted_under, "a damaged zip", shown)


def _refusal(member: zipfile.ZipInfo, settings: Settings, depth: int, *, is_zip: bool) -> str | None:
    """Why a member is not unpacked, judged by what the archive says of it."""
    parts = PurePosixPath(member.filename.replace("\\", "/")).parts
    if not parts or parts[0] == "/" or ".." in parts or parts[0].endswith(":"):
        return "a name that leaves its folder"
    if parts[0] == "__MACOSX" or parts[-1].startswith("._"):
        return "a resource fork of macOS"
    if is_zip and depth >= ARCHIVE_DEPTH:
        return "a zip nested too deeply"
    if member.flag_bits & 0x1:
        return "encrypted"
    if member.file_size > settings.label_max_bytes:
        return "too long"
    return "unpacks to too much" if unpacks_to_too_much(member, settings) else None


def unpacks_to_too_much(member: zipfile.ZipInfo, settings: Settings) -> bool:
    """Whether a member grows more than text does when it is unpacked, and is not short anyway."""
    grown = member.file_size > settings.archive_max_ratio * max(member.compress_size, 1)
    return grown and member.file_size > SMALL_BYTES


def _unpacked(
    opened: zipfile.ZipFile, member: zipfile.ZipInfo, settings: Settings
) -> tuple[bytes, str | None]:
    """The member's bytes, read to the limit whatever size the archive claims; else the reason."""
    try:
        with opened.open(member) as stream:
            content = stream.read(settings.label_max_bytes + 1)
    except UNREADABLE:
        return b"", "a damaged member"
    return (b"", "too long") if len(content) > settings.label_max_bytes else (content, None)
