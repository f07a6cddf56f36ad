"""Chart servers: our client with a real one, and our renderer in their protocol."""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.api_server import API, HOW_MANY, Served, served, streamed

SERVER = Path(__file__).parent / "chart_server.py"
COLUMNS = [{"category": "北京", "value": 2, "group": "a"}, {"category": "Paris", "value": 1.5, "group": "b"}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("charts")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Served]:
    command = shlex.join([sys.executable, str(SERVER), str(folder / "starts")])
    with served(folder, charts={"command": command, "timeout_s": 60}) as found:
        found.settings.charts.render_url = f"{found.url}{API}/charts/render"  # known once the port is
        yield found


def picture_of(server: Served, **options: Any) -> str:
    """The picture of an answer that has a chart."""
    with server.client() as client:
        events = streamed(client, "/query/stream", {"question": HOW_MANY + " Draw a bar chart", "refresh": True})
    answer = events[-1]["answer"]
    (drawn,) = [event["chart"]["picture"] for event in events if event["type"] == "chart"]
    assert answer["chart"]["picture"] == drawn
    return str(drawn)


def starts(folder: Path) -> list[str]:
    return (folder / "starts").read_text().splitlines()


def is_picture(server: Served, url: str) -> bool:
    assert url.startswith(f"{server.url}{API}/charts/pictures/")
    with server.client() as client:
        got = client.get(url)
    return got.headers["content-type"] == "image/png" and got.content.startswith(b"\x89PNG")


def test_a_chart_is_drawn_by_a_chart_server_that_stays_open_and_is_started_again(server: Served, folder: Path) -> None:
    server.writer._script = lambda request: ["SELECT city, COUNT(*) AS n FROM customers GROUP BY city ORDER BY city"]
    assert is_picture(server, picture_of(server))
    assert is_picture(server, picture_of(server))
    (first,) = starts(folder)
    assert first.endswith(" []"), "the chart server sees nothing of our environment"
    os.kill(int(first.split()[0]), signal.SIGKILL)
    pictures = [picture_of(server) for _ in range(2)]
    assert is_picture(server, pictures[-1])
    assert len(starts(folder)) == 2


def test_what_must_not_leave_the_machine_is_not_sent(server: Served, folder: Path) -> None:
    before, server.settings.privacy = server.settings.charts.render_url, "schema_only"
    server.writer._script = lambda request: ["SELECT city, COUNT(*) AS n FROM stores GROUP BY city ORDER BY city"]
    try:
        assert is_picture(server, picture_of(server))
        server.settings.charts.render_url = ""
        assert picture_of(server) == ""
    finally:
        server.settings.charts.render_url, server.settings.privacy = before, "full"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("column", COLUMNS),
        ("bar", COLUMNS[:1]),
        ("line", [{"time": "2024-01", "value": 1}, {"time": "2024-02", "value": 3}]),
        ("area", [{"time": "2024", "value": 1, "group": "x"}, {"time": "2024", "value": 2, "group": "y"}]),
        ("pie", [{"category": "A", "value": 1}, {"category": "B", "value": 3}]),
        ("scatter", [{"x": 1, "y": 2}, {"x": 1, "y": 4}]),
    ],
)
def test_our_renderer_speaks_the_protocol_of_chart_servers(
    server: Served, kind: str, data: list[dict[str, Any]]
) -> None:
    body = {
        "type": kind,
        "data": data,
        "title": "销售 <b>",
        "style": {"texture": "rough"},
        "source": "mcp-server-chart",
    }
    with server.client() as client:
        answer = client.post(API + "/charts/render", json=body).json()
    assert answer["success"], answer
    assert is_picture(server, answer["resultObj"])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"type": "sankey", "data": [{"source": "a"}]}, "sankey"),
        ({"type": "pie", "data": []}, "1 to 5000"),
        ({"type": "pie", "data": [{"category": "a", "value": "many"}]}, "number value"),
        ({"type": "line", "data": [["2024", 1]]}, "time"),
        ({"type": "column", "data": [{"category": {"deep": 1}, "value": 1}]}, "category"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_the_protocol(server: Served, body: dict[str, Any], words: str) -> None:
    with server.client() as client:
        sent = client.post(API + "/charts/render", json=body)
    assert (sent.status_code, sent.json()["success"]) == (200, False)
    assert words in sent.json()["errorMessage"]


def test_pictures_are_found_by_their_name_alone(server: Served) -> None:
    with server.client() as client:
        for name in ("x" * 32 + ".png", "..%2Finquery.sqlite", "%2e%2e", "a.png"):
            assert client.get(f"{API}/charts/pictures/{name}").status_code == 404
