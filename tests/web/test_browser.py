"""Each view clicked through in headless Chromium: a counterexample, a lasso, a running check, and the state space."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import LONGEST, NoBrowser, browser, checked, explorer
from tests.web.conftest import ENDLESS

BROKEN = "examples/promela/peterson_broken.pml"  # shortest counterexample: 9 steps
LASSO = ("examples/promela/peterson_broken.pml", ["--ltl", "[] <> (turn == 0)"])


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    context = browser()
    try:
        opened = context.__enter__()
    except NoBrowser as missing:
        pytest.skip(f"the pages could not be tried in a browser: {missing}")
    yield opened
    context.__exit__(None, None, None)


@contextlib.contextmanager
def sound_page(chromium: Any) -> Iterator[Any]:
    """A new page; nothing may go wrong in it, and it is left before its server ends."""
    found = chromium.new_page(viewport={"width": 1440, "height": 900})
    wrong: list[str] = []
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    found.set_default_timeout(LONGEST)
    yield found
    found.close()
    assert wrong == []


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    with sound_page(chromium) as found:
        yield found


@pytest.fixture
def explored(page: Any) -> Iterator[Callable[..., Any]]:
    """The page at an Explorer that is started with these words and part of an address."""
    with contextlib.ExitStack() as running:

        def opened(*words: str, at: str = "") -> Any:
            address = running.enter_context(explorer(*words))
            running.callback(page.goto, "about:blank")
            page.goto(address + at)
            return page

        yield opened


def role(page: Any, name: str) -> Any:
    return page.locator(f'[data-role="{name}"]:visible')


def address_words(page: Any) -> str:
    return str(page.evaluate("location.hash"))


class Late:
    """The answer to the first request at an address, which comes when it is told to."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.answer: tuple[Any, Any] | None = None
        page.route(address, self._asked)

    def _asked(self, route: Any) -> None:
        if self.answer is None:
            self.answer = (route, route.fetch())
        else:
            route.continue_()

    def wait(self) -> None:
        while self.answer is None:
            self.page.wait_for_timeout(20)

    def release(self) -> None:
        assert self.answer is not None
        route, answer = self.answer
        with self.page.expect_response(lambda found: found.request == route.request):
            route.fulfill(response=answer)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The Explorer on the run of a violated assertion."""
    runs = tmp_path_factory.mktemp("runs")
    checked(runs, BROKEN)
    with explorer("last", "--runs-dir", str(runs)) as address:
        yield address


def test_a_counterexample_is_stepped_through(page: Any, broken: str) -> None:
    page.goto(broken)
    role(page, "reason").wait_for()
    assert "assertion violated: inside == 1" in role(page, "reason").inner_text()
    assert role(page, "position").inner_text() == "0 / 9"
    page.locator('[data-role="steps"]').press("ArrowRight")
    assert role(page, "position").inner_text() == "1 / 9"
    page.locator('[data-role="steps"]').press("End")
    assert role(page, "position").inner_text() == "9 / 9"
    assert "step=9" in address_words(page)
    assert page.locator(".line.now .chip").first.inner_text() == "▸ Worker(1)"
    assert page.locator(".cell.current.changed").count() == 0  # an assertion changes nothing
    page.locator('[data-role="chart"] [data-step="3"]').first.click()
    assert role(page, "position").inner_text() == "3 / 9"
    assert page.locator(".cell.current.changed").inner_text() == "true"


def test_a_permalink_opens_at_its_step(page: Any, broken: str) -> None:
    page.goto(f"{broken}#tab=trace&trace=0&step=4")
    role(page, "position").wait_for()
    assert role(page, "position").inner_text() == "4 / 9"


def test_a_trace_that_is_being_opened_is_not_opened_again(page: Any, broken: str) -> None:
    """The first answer about what has changed may come before the trace does; what was typed meanwhile has to stay."""
    held: list[Any] = []
    page.route("**/api/traces/0", lambda route: held.append(route))
    with page.expect_response("**/api/status"):
        page.goto(f"{broken}#tab=trace&trace=0&step=8")
    with page.expect_response("**/api/status"):  # the next question: the first answer has been acted on
        pass
    for route in held:
        route.continue_()
    role(page, "position").wait_for()
    assert len(held) == 1
    assert role(page, "position").inner_text() == "8 / 9"


def test_watches_and_filters(page: Any, broken: str) -> None:
    page.goto(f"{broken}#tab=trace&trace=0&step=8")
    role(page, "watch").fill("inside > 1")
    role(page, "watch").press("Enter")
    page.locator(".name.watch").wait_for()
    assert page.locator('[aria-rowindex="2"] .cell.current').inner_text() == "true"  # below the heads of the columns
    role(page, "watch").fill("outside")
    role(page, "watch").press("Enter")
    page.locator('[data-role="note"]:visible').wait_for()
    assert "no variable 'outside'; did you mean inside?" in role(page, "note").inner_text()
    role(page, "lane").select_option(label="Worker(0)")
    rows = page.locator('[data-role="steps"] .step .chip').all_inner_texts()
    assert set(rows) == {"Worker(0)"}


@pytest.mark.parametrize(
    ("form", "beginning"),
    [
        ("HTML", "<!doctype html>"),
        ("SVG", "<svg"),
        ("PNG", "\x89PNG"),
        ("Mermaid", "sequenceDiagram"),
        ("PlantUML", "@startuml"),
        ("JSON", "{"),
    ],
)
def test_exports(page: Any, broken: str, form: str, beginning: str) -> None:
    page.goto(f"{broken}#tab=trace&trace=0")
    role(page, "exports").locator("summary").click()
    with page.expect_download() as waiting:
        page.locator(f'[data-export="{form}"]').click()
    data = Path(waiting.value.path()).read_bytes()
    assert data.decode("latin-1").startswith(beginning)
    if form == "JSON":
        assert len(json.loads(data)["steps"]) == 9


def test_an_exported_page_works_without_the_server(page: Any, broken: str, tmp_path: Path) -> None:
    page.goto(f"{broken}#tab=trace&trace=0")
    role(page, "exports").locator("summary").click()
    with page.expect_download() as waiting:
        page.locator('[data-export="HTML"]').click()
    alone = tmp_path / "trace.html"
    waiting.value.save_as(alone)
    page.goto(f"{alone.as_uri()}#step=9")
    role(page, "position").wait_for()
    assert role(page, "position").inner_text() == "9 / 9"


def test_a_lasso_shows_where_its_cycle_is(explored: Callable[..., Any], tmp_path: Path) -> None:
    checked(tmp_path, LASSO[0], LASSO[1])
    page = explored("last", "--runs-dir", str(tmp_path))
    role(page, "position").wait_for()
    assert page.locator(".timeline-cycle").inner_text().startswith("↻ cycle: ")
    first = page.locator(".step.cycle-start")
    begin = int(first.get_attribute("data-step"))
    page.locator('[data-role="steps"]').press("End")
    assert role(page, "position").inner_text().endswith("↻")
    role(page, "on").click()  # round the cycle once more
    assert role(page, "position").inner_text().startswith(f"{begin} /")


def test_from_a_trace_into_the_state_space(page: Any, broken: str) -> None:
    page.goto(f"{broken}#tab=trace&trace=0&step=8")
    role(page, "explore").click()
    role(page, "trail").wait_for()
    assert page.locator('[data-role="trail"] li').count() == 9
    assert page.locator('[data-variable="inside"] td').inner_text() == "2"
    assert page.locator('[data-role="offers"] .trouble').first.inner_text() == "✗ assertion violated: inside == 1"


def test_the_state_space_is_a_debugger(page: Any, broken: str) -> None:
    page.goto(f"{broken}#tab=space")
    page.locator('[data-choice="1"]').click()
    page.locator('[data-role="trail"] li').nth(1).wait_for()
    assert page.locator('[data-variable="turn"].changed td').inner_text() == "1"
    page.locator('[data-role="trail"]').press("1")
    page.locator('[data-role="trail"] li').nth(2).wait_for()
    role(page, "state-watch").fill("turn + inside")
    role(page, "state-watch").press("Enter")
    page.locator('[data-watch="turn + inside"]').wait_for()
    assert page.locator('[data-watch="turn + inside"] td').inner_text() == "0"  # the other worker gave the turn back
    role(page, "undo").click()
    page.locator('[data-role="trail"] li').nth(2).wait_for(state="detached")
    assert "walk=0.1" in address_words(page)
    role(page, "as-trace").click()
    role(page, "position").wait_for()
    assert role(page, "position").inner_text() == "0 / 1"


def test_graphs_of_states_classes_and_processes(page: Any, broken: str) -> None:
    page.goto(f"{broken}#tab=space&graph=all")
    page.locator('.node[data-state="97"]').wait_for()
    assert page.locator('[data-role="graph"] .node').count() == 98  # as `clew count` says
    assert role(page, "graph-summary").inner_text() == "98 states, all there are"
    page.locator('.node[data-state="5"]').click()
    page.locator('.node[data-state="5"].current').wait_for()
    role(page, "layout").select_option("force")
    role(page, "colour").fill("inside")
    role(page, "colour").press("Enter")
    page.locator('[data-role="legend"] li').nth(2).wait_for()
    page.locator('[data-graph="classes"]').click()
    role(page, "by").fill("inside")
    role(page, "by").press("Enter")
    page.locator('[data-role="graph"] .box, [data-role="graph"] .node').nth(2).wait_for()
    page.locator('[data-role="graph-summary"]', has_text="3 classes").wait_for()
    page.locator('[data-graph="automata"]').click()
    page.locator('[data-role="graph"] .lane-title').nth(1).wait_for()  # the states above have current ones, too
    assert page.locator('[data-role="graph"] .lane-title').count() == 2


def test_colours_that_come_late_are_not_put_on_another_picture(page: Any, broken: str) -> None:
    page.goto(f"{broken}#tab=space&graph=all")
    page.locator('.node[data-state="97"]').wait_for()
    late = Late(page, "**/api/colours")
    role(page, "colour").fill("inside")
    role(page, "colour").press("Enter")
    late.wait()
    page.locator('[data-graph="classes"]').click()
    page.locator('[data-role="graph-summary"]', has_text="classes of").wait_for()
    late.release()
    assert page.locator('[data-role="legend"] li, [data-role="graph"] [class*="paint"]').count() == 0


def test_what_is_typed_while_a_watch_is_evaluated_stays(page: Any, broken: str) -> None:
    page.goto(f"{broken}#tab=trace&trace=0")
    late = Late(page, "**/watch")
    role(page, "watch").fill("inside > 1")
    role(page, "watch").press("Enter")
    late.wait()
    role(page, "watch").fill("turn")
    late.release()
    page.locator(".name.watch").wait_for()
    assert role(page, "watch").input_value() == "turn"


def test_a_running_check_is_watched_and_stopped(explored: Callable[..., Any], tmp_path: Path) -> None:
    model = tmp_path / "endless.pml"
    model.write_text(ENDLESS)
    page = explored(str(model), "--check", "--engine reference --max-memory 1G", "--runs-dir", str(tmp_path / "runs"))
    page.locator('[data-figure="states per second"] .line').wait_for()
    for figure in ("depth", "memory", "queue"):
        assert page.locator(f'[data-figure="{figure}"] output').inner_text() != "–"
    role(page, "stop").click()
    role(page, "verdict").wait_for()
    assert "interrupted" in page.locator(".notes").inner_text()
    assert role(page, "check-state").inner_text().startswith("finished")


def test_a_check_is_begun_here_and_seen_by_a_second_browser(chromium: Any, tmp_path: Path) -> None:
    with (
        explorer(BROKEN, "--runs-dir", str(tmp_path)) as address,
        sound_page(chromium) as page,
        sound_page(chromium) as second,
    ):
        page.goto(address)
        second.goto(address)
        page.locator('input[value="assertions"]').check()
        role(page, "check").click()
        role(page, "show-trace").wait_for()
        second.locator('[data-role="show-trace"]').wait_for()
        role(page, "show-trace").click()
        role(page, "position").wait_for()
        assert role(page, "position").inner_text() == "0 / 9"


def test_an_edited_model_is_noticed(explored: Callable[..., Any], tmp_path: Path) -> None:
    """Also: a step asked of the model as it was, whose answer comes when the new one is shown, is not shown."""
    model = tmp_path / "edited.pml"
    model.write_text("byte x; active proctype p() { x = 1; x = 2 }")
    page = explored(str(model), "--runs-dir", str(tmp_path / "runs"), at="#tab=space")
    page.locator('[data-choice="0"]').wait_for()
    late = Late(page, "**/api/walk")
    page.locator('[data-choice="0"]').click()
    late.wait()
    model.write_text("byte x, y; active proctype p() { if :: x = 1 :: y = 1 fi }")
    role(page, "reload").click()
    page.locator('[data-choice="1"]').wait_for()
    late.release()
    assert page.locator('[data-choice="1"]').count() == 1
    assert page.locator('[data-role="trail"] li').count() == 1


def test_dark_and_light(page: Any, broken: str) -> None:
    page.goto(broken)
    ground = "getComputedStyle(document.body).backgroundColor"
    role(page, "theme").click()
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    role(page, "theme").click()
    assert page.evaluate(ground) == "rgb(20, 23, 28)"
