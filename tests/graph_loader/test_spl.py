import contextlib
import io
import itertools
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biomolkg.errors import SourceError
from biomolkg.settings import Settings
from graph_loader.labels import Label, Substance
from graph_loader.ledger import Omissions
from graph_loader.sources.spl import parse_label, read_labels

LOINC = "2.16.840.1.113883.6.1"
PRODUCT = """
<component><section><code code="48780-1" codeSystem="2.16.840.1.113883.6.1"/><subject><manufacturedProduct>
<manufacturedProduct><code code="0001-0002" codeSystem="2.16.840.1.113883.6.69"/>
<name>Exemplin<suffix>XR</suffix></name>
<formCode code="C1" displayName="TABLET"/>
<asEntityWithGeneric><genericMedicine><name>exemplinol</name></genericMedicine></asEntityWithGeneric>
<ingredient classCode="ACTIM">
<quantity><numerator value="5" unit="mg"/><denominator value="1" unit="1"/></quantity>
<ingredientSubstance><code code="AAAAAAAAA1" codeSystem="2.16.840.1.113883.4.9"/>
<name>EXEMPLINOL SODIUM</name>
<activeMoiety><activeMoiety><code code="AAAAAAAAA2" codeSystem="2.16.840.1.113883.4.9"/>
<name>EXEMPLINOL</name>
</activeMoiety></activeMoiety></ingredientSubstance></ingredient>
<ingredient classCode="IACT"><ingredientSubstance><name>STARCH</name></ingredientSubstance></ingredient>
</manufacturedProduct><consumedIn><substanceAdministration>
<routeCode displayName="ORAL"/></substanceAdministration>
</consumedIn></manufacturedProduct></subject></section></component>
"""


def section(
    text: str | None = None,
    *inner: str,
    code: str | None = "34067-9",
    system: str | None = LOINC,
    title: str | None = None,
    excerpt: str | None = None,
) -> str:
    parts = []
    if code is not None:
        parts.append(f'<code code="{code}"' + ("" if system is None else f' codeSystem="{system}"') + "/>")
    if title is not None:
        parts.append(f"<title>{title}</title>")
    if text is not None:
        parts.append(f"<text>{text}</text>")
    if excerpt is not None:
        parts.append(f"<excerpt><highlight><text>{excerpt}</text></highlight></excerpt>")
    return f"<component><section>{''.join(parts)}{''.join(inner)}</section></component>"


def document(
    *sections: str,
    set_id: str | None = "11111111-2222-3333-4444-555555555555",
    version: str = "3",
    time: str = "20130930",
    title: str = "Exemplin label",
    namespace: str = ' xmlns="urn:hl7-org:v3"',
    before: str = "",
) -> bytes:
    identity = "" if set_id is None else f'<setId root="{set_id}"/>'
    return (
        f'{before}<document{namespace}><code code="34391-3" displayName="HUMAN PRESCRIPTION DRUG LABEL"/>'
        f'<title>{title}</title><effectiveTime value="{time}"/>{identity}<versionNumber value="{version}"/>'
        "<author><assignedEntity><representedOrganization><name>Maker</name></representedOrganization>"
        f"</assignedEntity></author><component><structuredBody>{''.join(sections)}"
        "</structuredBody></component></document>"
    ).encode()


def parse(*sections: str, **changes: str | None) -> Label:
    return parse_label(document(*sections, **changes), "label.xml", Settings())


def text(inner: str) -> str:
    return parse(section(inner)).sections[0].text


def test_names_and_identity() -> None:
    label = parse(PRODUCT, section("Take it."))
    assert (label.id, label.version, label.effective) == (
        "dailymed:11111111-2222-3333-4444-555555555555",
        3,
        "2013-09-30",
    )
    assert (label.name, label.generic_names, label.maker) == ("Exemplin XR", ("exemplinol",), "Maker")
    assert label.substances == (
        Substance("EXEMPLINOL SODIUM", "AAAAAAAAA1"),
        Substance("EXEMPLINOL", "AAAAAAAAA2"),
    )
    product = label.products[0]
    assert (product.ndc, product.form, product.routes) == ("0001-0002", "TABLET", ("ORAL",))
    assert [each.strength for each in product.ingredients] == ["5 mg"]


def test_names_in_the_layout_of_2005() -> None:
    older = re.sub(
        r"(<subject><manufacturedProduct>\s*)<manufacturedProduct>", r"\1<manufacturedMedicine>", PRODUCT
    )
    older = older.replace("</manufacturedProduct><consumedIn>", "</manufacturedMedicine><consumedIn>")
    older = re.sub(
        r'<ingredient classCode="ACTIM">(.*?)</ingredient>',
        r"<activeIngredient>\1</activeIngredient>",
        older,
        flags=re.DOTALL,
    )
    older = re.sub(
        r"ingredientSubstance(?=.*</activeIngredient>)", "activeIngredientSubstance", older, flags=re.DOTALL
    )
    assert parse(older).products == parse(PRODUCT).products


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("2013", "2013"),
        ("201309", "2013-09"),
        ("20130930101500", "2013-09-30"),
        ("20131399", None),
        ("", None),
    ],
)
def test_effective_times_keep_their_precision(time: str, expected: str | None) -> None:
    assert parse(section("Text."), time=time).effective == expected


def test_a_label_without_title_and_product_name_still_has_a_name() -> None:
    nameless = PRODUCT.replace("Exemplin<suffix>XR</suffix>", "")
    assert parse(nameless, title="").name == "exemplinol"
    assert parse(section("Text."), title="").name == "HUMAN PRESCRIPTION DRUG LABEL"


def test_codes_are_inherited_from_the_nearest_coded_ancestor() -> None:
    label = parse(
        section(
            "Own.",
            section("Deep.", section("Deeper.", code=None, title="B"), code="42229-5", title="A"),
            section("Coded.", code="42228-7"),
            section("Blank.", code=""),
            code="43685-7",
            title="5 WARNINGS",
        ),
        section("Nowhere.", code="42229-5"),
    )
    found = [(each.text, each.own_code, each.code, each.path, each.parent) for each in label.sections]
    assert found == [
        ("Own.", "43685-7", "43685-7", ("5 WARNINGS",), None),
        ("Deep.", "42229-5", "43685-7", ("5 WARNINGS", "A"), 0),
        ("Deeper.", None, "43685-7", ("5 WARNINGS", "A", "B"), 1),
        ("Coded.", "42228-7", "42228-7", ("5 WARNINGS",), 0),
        ("Blank.", None, "43685-7", ("5 WARNINGS",), 0),
        ("Nowhere.", "42229-5", "42229-5", (), None),
    ]


@pytest.mark.parametrize(
    ("code", "system", "expected"),
    [
        ("34067-9", "", "34067-9"),
        ("34067-9", None, "34067-9"),
        ("34067-9", "2.16.840.1.113883.3.26.1.1", None),
        ("C1234", "", None),
    ],
)
def test_a_blank_code_system_is_loinc(code: str, system: str | None, expected: str | None) -> None:
    assert parse(section("Text.", code=code, system=system)).sections[0].own_code == expected


def test_two_sections_of_one_topic_and_of_one_code_stay_apart() -> None:
    label = parse(
        *(section(f"Text {code} {at}.", code=code) for code in ("34071-1", "43685-7") for at in (1, 2))
    )
    assert [each.topic for each in label.sections] == ["Warnings"] * 4
    assert len({passage.document for passage in label.passages()}) == 4


def test_a_boxed_warning_code_on_other_text_counts_as_what_is_around_it() -> None:
    label = parse(
        section("Deaths occurred.", code="34066-1"),
        section("Take.", section("5 mg daily.", code="34066-1"), code="34068-7"),
        section("Beware.", section("Liver failure.", code="34066-1"), code="34071-1"),
        section("Seal.", section("Tamper-evident.", code="34066-1"), code="42229-5"),
        section("Other.", section("WARNING: bleeding.", code="34066-1"), code="42229-5"),
    )
    boxes = {each.text: (each.boxed, each.code) for each in label.sections if each.own_code == "34066-1"}
    assert boxes == {
        "Deaths occurred.": (True, "34066-1"),
        "5 mg daily.": (False, "34068-7"),
        "Liver failure.": (True, "34066-1"),
        "Tamper-evident.": (False, "42229-5"),
        "WARNING: bleeding.": (True, "34066-1"),
    }
    assert label.left_out["boxed warning code on other text"] == 2


def test_titles_without_text() -> None:
    label = parse(
        section(None, section("Inner.", code="42229-5", title="Sub"), title="Outer"),
        section(None, code="34070-3", title="Never with alcohol"),
        section("", code="34071-1", title=""),
    )
    passages = [(each.title, each.text) for each in label.passages()]
    assert passages == [("Outer > Sub", "Inner."), ("Never with alcohol", "Never with alcohol")]


def test_a_long_title_is_shortened_in_paths_and_kept_in_the_text() -> None:
    title = " ".join(f"word{at}" for at in range(100))
    outer, inner = parse(section(None, section("Inner.", code=None), title=title)).sections
    assert outer.text == title
    assert len(inner.path[0]) <= 200
    assert inner.path[0].endswith("…")


def test_highlights_are_left_out_unless_nothing_else_is_there() -> None:
    label = parse(
        section("Full text.", excerpt="Highlight."),
        section(None, section("Below.", code=None), excerpt="Highlight too."),
        section(None, code="43683-2", excerpt="Changed 9/2013."),
    )
    assert [each.text for each in label.passages()] == ["Full text.", "Below.", "Changed 9/2013."]
    assert label.left_out["repeated highlights"] == 2


@pytest.mark.parametrize("namespace", ["", ' xmlns="urn:hl7-org:v3"', ' xmlns="urn:somebody:else"'])
def test_any_namespace(namespace: str) -> None:
    assert parse(PRODUCT, section("Take it."), namespace=namespace).name == "Exemplin XR"


def test_a_prefixed_namespace() -> None:
    plain = document(PRODUCT, section("<list><item>Take it.</item></list>")).decode()
    prefixed = re.sub(r"<(/?)(\w)", r"<\1hl7:\2", plain).replace("xmlns=", "xmlns:hl7=")
    assert parse_label(prefixed.encode(), "x", Settings()) == parse_label(plain.encode(), "x", Settings())


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<paragraph>a</paragraph><paragraph>b</paragraph>", "a\nb"),
        ("<list><item>a</item><item>b</item></list>", "- a\n- b"),
        ("a<br/>b", "a\nb"),
        (
            "Exemplin<sup>®</sup> at 10<sup>6</sup>/mm<sup>3</sup>, C<sub>max</sub>",
            "Exemplin® at 10^6/mm^3, Cmax",
        ),
        ("Pain<sup>b</sup> on the 1<sup>st</sup> day", "Pain^b on the 1st day"),
        ('<content styleCode="bold">a</content>b &#160; c\u200bd', "ab cd"),
        ('see <linkHtml href="#x">5.1</linkHtml>.<!-- no --> End', "see 5.1. End"),
        (
            (
                '<list listType="ordered" styleCode="LittleRoman"><item>a</item><item>b'
                '<list listType="ordered">'
                "<item>c</item><item><caption>*</caption>d</item></list></item></list>"
            ),
            "i. a\nii. b\n    1. c\n    * d",
        ),
        (
            "<list><item><list><item>a</item><item>b</item></list></item><item/><item>c</item></list>",
            "- - a\n  - b\n- c",
        ),
        ("<list><item><caption>alone</caption></item></list>", "alone"),
        ("<list><item><paragraph>a</paragraph><paragraph>b</paragraph></item></list>", "- a\n  b"),
        ('a<footnote ID="n">note</footnote> b<footnoteRef IDREF="n"/>', "a [1] b [1]\n[1] note"),
        (
            'x <renderMultiMedia referencedObject="m"><caption>Figure 1</caption></renderMultiMedia>',
            "x\nFigure 1",
        ),
        ("<unknown>kept</unknown>", "kept"),
    ],
)
def test_narrative(inner: str, expected: str) -> None:
    assert text(inner) == expected


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (
            (
                "<table><caption>T</caption><thead><tr><th>Drug</th><th colspan='2'>Change in</th></tr>"
                "<tr><th/><th>AUC</th><th>Cmax</th></tr></thead>"
                "<tfoot><tr><td colspan='3'>End</td></tr></tfoot>"
                "<tbody><tr><td rowspan='2'>A</td><td>1</td><td>2</td></tr>"
                "<tr><td>3</td><td>4</td></tr></tbody></table>"
            ),
            (
                "T\nDrug | Change in\nAUC | Cmax\nDrug: A; Change in, AUC: 1; Change in, Cmax: 2\n"
                "Drug: A; Change in, AUC: 3; Change in, Cmax: 4\nEnd"
            ),
        ),
        (
            "<table><tbody><tr><td>A</td><td>1</td></tr><tr><td>B</td><td/></tr></tbody></table>",
            "A | 1\nB",
        ),
        (
            "<table><tr><th>K</th><th>V<footnote>n</footnote></th></tr><tr><td>a</td><td>b</td></tr></table>tail",
            "K | V [1]\nK: a; V: b\n[1] n\ntail",
        ),
        (
            "<table><tbody>"
            + "".join(
                f"<tr><td>{a}</td><td>{b}</td></tr>"
                for a, b in [
                    ('<content styleCode="bold">K</content>', '<content styleCode="bold">V</content>'),
                    ("a", "b"),
                    ("c", "d"),
                ]
            )
            + "</tbody></table>",
            "K | V\nK: a; V: b\nK: c; V: d",
        ),
        (
            "<list><item>before<table><tr><td>a</td><td>b</td></tr></table>after</item></list>",
            "- before\n  a | b\n  after",
        ),
        ("<table><tr><td><list><item>a</item><item>b</item></list></td></tr></table>", "- a\n- b"),
        ("<table><tr><td>x<table><tr><td>a</td><td>b</td></tr></table></td></tr></table>", "x\na | b"),
        ("<table><tr><td colspan='-1' rowspan='x'>a</td><td colspan='0'>b</td></tr></table>", "a | b"),
        ("<table/>end", "end"),
    ],
)
def test_tables(inner: str, expected: str) -> None:
    assert text(inner) == expected


def test_what_a_table_repeats_is_bounded() -> None:
    rows = "<tr><td>a</td><td>b</td></tr>" * 3_000
    long_header = (
        f"<table><thead><tr><th>{'h' * 4_000}</th><th>v</th></tr></thead><tbody>{rows}</tbody></table>"
    )
    spans = '<td rowspan="65000" colspan="99">s</td>' * 300
    wide_spans = f"<table><tr>{spans}</tr>{'<tr><td>x</td></tr>' * 3_000}</table>"
    for table in (long_header, wide_spans):
        assert len(text(table)) < len(table)


def test_passages_keep_to_one_section_and_the_limit() -> None:
    guide = " ".join(f"Ask your doctor about effect number {at}." for at in range(800))
    label = parse(
        section(
            guide,
            section("Inner.", code="42229-5", title="Inner title"),
            code="42231-1",
            title="MEDICATION GUIDE",
        )
    )
    passages = list(label.passages(limit=1_200))
    assert len(guide) > 32_000
    assert all(len(each.text) <= 1_200 for each in passages)
    assert " ".join(each.text for each in passages[:-1]) == guide
    assert (passages[-1].text, passages[-1].title) == ("Inner.", "MEDICATION GUIDE > Inner title")
    assert [each.position for each in passages] == [*range(len(passages) - 1), 0]
    assert len({(each.document, each.position) for each in passages}) == len(passages)
    assert passages[0].source == "spl:11111111-2222-3333-4444-555555555555:3:0"


ENTITIES = "<!DOCTYPE document [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {chr(98 + at)} '{f'&{chr(97 + at)};' * 10}'>" for at in range(9)
)
REFUSED = {
    "entity bomb": (document(section("&j;"), before=ENTITIES + "]>"), "label.xml"),
    "entity bomb in an attribute": (
        document(section('<content ID="&j;">x</content>'), before=ENTITIES + "]>"),
        "label.xml",
    ),
    "entity of a file": (
        document(section("&x;"), before="<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>"),
        "declares entities",
    ),
    "unknown entity": (document(section("a&nbsp;b")), "nbsp"),
    "cut short": (document(section("Text."))[:-20], "no well-formed XML"),
    "100,000 deep": (document(section("<content>" * 100_000 + "</content>" * 100_000)), "deep"),
    "sections 5,000 deep": (
        document("<component><section>" * 5_000 + "</section></component>" * 5_000),
        "deep",
    ),
    "deeper than the setting": (document(section("<content>" * 150 + "</content>" * 150)), "120 deep"),
    "no XML": (b"\x00\x01PK not a label", "no well-formed XML"),
    "empty": (b"", "no well-formed XML"),
    "NUL byte": (document(section("a\x00b")), "no well-formed XML"),
    "bytes of another encoding": (
        document(section("caf\xe9")).decode().encode("latin-1"),
        "no well-formed XML",
    ),
    "another kind of XML": (b'<document setID="x"><sentence text="t"/></document>', "no SPL document"),
    "a page of HTML": (b"<html><body>Not found</body></html>", "no SPL document"),
    "no identity": (document(section("Text."), set_id=None), "neither a set id"),
    "nothing said": (document(), "no text, product or substance"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_label_is_refused_by_name(kind: str) -> None:
    content, message = REFUSED[kind]
    with pytest.raises(SourceError, match=message) as caught:
        parse_label(content, "label.xml", Settings())
    assert "label.xml" in str(caught.value)
    assert caught.value.remedy


def test_too_long_is_refused() -> None:
    content = document(section("word " * 1_000))
    with pytest.raises(SourceError, match="longer than 2,048 bytes"):
        parse_label(content, "label.xml", Settings(label_max_bytes=2_048))


def test_other_encodings_and_an_outer_dtd_are_read_without_fetching() -> None:
    before = "<!DOCTYPE document SYSTEM 'http://label.invalid/x.dtd'>"
    assert parse(section("Text."), before=before).sections[0].text == "Text."
    utf16 = '<?xml version="1.0" encoding="UTF-16"?>' + document(section("café")).decode()
    assert parse_label(utf16.encode("utf-16"), "x", Settings()).sections[0].text == "café"


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def read(path: Path, **limits: int) -> tuple[list[Label], dict[str, tuple[str, ...]]]:
    omissions = Omissions()
    labels = list(read_labels(path, Settings(**limits), omissions))
    assert {each.file for each in omissions.listed()} <= {path.name}
    return labels, {each.reason: each.offenders for each in omissions.listed()}


def one(set_id: str, version: str = "1") -> bytes:
    return document(section("Text."), set_id=set_id, version=version)


def test_a_release_of_zips_in_a_zip_gives_each_label_once_and_counts_the_rest(tmp_path: Path) -> None:
    damaged = bytearray(zipped({"x.xml": one("broken")}))
    damaged[40:60] = b"\xff" * 20
    inner = zipped({"b.xml": one("b"), "b.jpg": b"image", "bad.xml": b"<document>"})
    encrypted = bytearray(zipped({"e.xml": one("e")}))
    central = encrypted.index(b"PK\x01\x02")
    encrypted[6] |= 1
    encrypted[central + 8] |= 1
    release = tmp_path / "release.zip"
    release.write_bytes(
        zipped(
            {
                "a.xml": one("a", "2"),
                "again.xml": one("a", "1"),
                "bomb.xml": b" " * 2_000_000,
                "inner.zip": inner,
                "later.xml": one("a", "3"),
                "long.xml": bytes(range(256)) * 12_000,
                "deep.zip": zipped({"deeper.zip": zipped({"x.xml": one("x")})}),
                "damaged.zip": bytes(damaged),
                "encrypted.zip": bytes(encrypted),
                "nozip.zip": b"PK\x03\x04",
                "../up.xml": one("up"),
                "/root.xml": one("root"),
                "c:\\x\\..\\drive.xml": one("drive"),
                "__MACOSX/._a.xml": b"fork",
            }
        )
    )
    labels, skipped = read(release, label_max_bytes=3_000_000)
    assert [(each.set_id, each.version) for each in labels] == [("a", 2), ("b", 1), ("a", 3)]
    names = {
        reason: {name.removeprefix("release.zip/") for name in found} for reason, found in skipped.items()
    }
    assert names == {
        "a set id again, not in a later version": {"again.xml"},
        "unpacks to too much": {"bomb.xml"},
        "a file of another kind": {"inner.zip/b.jpg"},
        "no well-formed XML": {"inner.zip/bad.xml"},
        "too long": {"long.xml"},
        "a zip nested too deeply": {"deep.zip/deeper.zip"},
        "a damaged member": {"damaged.zip/x.xml"},
        "encrypted": {"encrypted.zip/e.xml"},
        "a damaged zip": {"nozip.zip"},
        "a name that leaves its folder": {"../up.xml", "/root.xml", "c:\\x\\..\\drive.xml"},
        "a resource fork of macOS": {"__MACOSX/._a.xml"},
    }
    assert not list(tmp_path.parent.glob("up.xml"))


def test_a_zip_that_lies_about_sizes_is_read_no_further_than_the_limit(tmp_path: Path) -> None:
    content = bytearray(zipped({"a.xml": one("a") + b" " * 500_000}))
    size = (len(one("a")) + 500_000).to_bytes(4, "little")
    path = tmp_path / "lies.zip"
    path.write_bytes(bytes(content).replace(size, (100).to_bytes(4, "little")))
    with pytest.raises(SourceError, match="holds no label"):
        read(path, label_max_bytes=100_000)


def test_a_folder_gives_what_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.XML").write_bytes(one("a"))
    (tmp_path / "b.zip").write_bytes(zipped({"b.xml": one("b")}))
    (tmp_path / "bad.xml").write_bytes(b"no label")
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    (tmp_path / "long.xml").write_bytes(one("long") + b" " * 5_000)
    (tmp_path / "readme.txt").write_bytes(b"text")
    (tmp_path / "loop").symlink_to(tmp_path)
    labels, skipped = read(tmp_path, label_max_bytes=4_000)
    assert [each.set_id for each in labels] == ["b", "a"]
    assert {reason: set(names) for reason, names in skipped.items()} == {
        "no well-formed XML": {"bad.xml"},
        "a damaged zip": {"bad.zip"},
        "too long": {"long.xml"},
        "a file of another kind": {"readme.txt"},
    }


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.xml", b"no label", "a.xml is no well-formed XML"),
        ("a.zip", b"PK\x03\x04 cut", "no readable zip"),
        ("a.zip", zipped({"a.xml": b"<a/>"}), "holds no label: no SPL document .a.zip/a.xml"),
        ("a.zip", zipped({}), "no .xml file in it"),
        ("a.zip", zipped({"a.xml": one("a")})[:-30], "no readable zip"),
        ("missing.xml", None, "does not exist"),
    ],
)
def test_a_path_without_labels_is_an_error(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=message):
        read(tmp_path / name)


def test_reading_is_lazy(tmp_path: Path) -> None:
    for at in range(3):
        (tmp_path / f"{at}.xml").write_bytes(one(f"label-{at}"))
    omissions = Omissions()
    labels = read_labels(tmp_path, Settings(), omissions)
    assert next(labels).set_id == "label-0"
    (tmp_path / "2.xml").unlink()
    assert [each.set_id for each in labels] == ["label-1"]
    assert omissions.of(tmp_path.name) == 1


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_bytes_give_a_label_or_a_clear_error(data: st.DataObject) -> None:
    content = bytearray(document(PRODUCT, section("<list><item>Take it.</item></list>", title="1 USES")))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 30))] = data.draw(
            st.sampled_from([b"", b"<", b">", b"&", b"\x00", b"\xff", b"</text>", b"<table>"])
        )
    label = None
    with contextlib.suppress(SourceError):
        label = parse_label(bytes(content), "label.xml", Settings())
    if label is not None:
        assert label.name
        assert all(passage.text for passage in label.passages())


def test_the_example_of_the_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path(__file__).parents[2] / "docs" / "labels.md"
    (example,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "a.xml").write_bytes(document(PRODUCT, section("Take it.", title="1 USES")))
    (tmp_path / "labels" / "b.xml").write_bytes(b"no label")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, str(page), "exec"), {})
    assert capsys.readouterr().out.splitlines() == [
        "dailymed:11111111-2222-3333-4444-555555555555 3 2013-09-30 Exemplin XR",
        "1 USES 34067-9 34067-9 Take it.",
        "no well-formed XML 1 ('b.xml',)",
    ]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_word_is_lost_whatever_the_nesting(data: st.DataObject) -> None:
    words = (f"w{at}" for at in itertools.count())

    def narrative(depth: int) -> str:
        def children() -> str:
            return "".join(narrative(depth + 1) for _ in range(data.draw(st.integers(0, 2))))

        kinds = ["word", "paragraph", "content", "br", "sup", "footnote", "list", "table", "caption"]
        kind = data.draw(st.sampled_from(kinds if depth < 3 else ["word"]))

        if kind == "word":
            return f" {next(words)} "
        if kind == "br":
            return "<br/>"
        if kind == "list":
            return f"<list>{''.join(f'<item>{children()}</item>' for _ in range(2))}</list>"
        if kind == "table":
            rows = []
            for _ in range(data.draw(st.integers(1, 3))):
                spans = (data.draw(st.sampled_from(["", " rowspan='2'", " colspan='3'"])) for _ in range(2))
                cells = (
                    f"<{tag}{span}>{children()}</{tag}>"
                    for tag, span in zip(("th", "td"), spans, strict=True)
                )
                rows.append(f"<tr>{''.join(cells)}</tr>")
            head = data.draw(st.booleans())
            thead = f"<thead>{rows.pop()}</thead>" if head else ""
            return f"<table>{thead}<tbody>{''.join(rows)}</tbody></table>"
        return f"<{kind}>{children()}</{kind}>"

    inner = "".join(narrative(0) for _ in range(4))
    label = parse(PRODUCT, section(inner))
    found = set(re.findall(r"w\d+", " ".join(each.text for each in label.passages(limit=100))))
    assert found == set(re.findall(r"w\d+", inner))
