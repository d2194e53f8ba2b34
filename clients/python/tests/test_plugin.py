"""The plugin, by tests that are run with it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from subscription_sandbox import Sandbox
from subscription_sandbox._failure import bundle_folder, remove_bundle, write_bundle

pytest_plugins = ["pytester"]

TEST_FILE = """
    def test_pays(sandbox):
        sandbox.subscriptions.create(customer_id="cus_ada", plan="pro", trial_period_days=14)
        sandbox.clock.advance("P14D")
        assert sandbox.invoices.list()[0]["amount_paid"] == {amount}
"""


def test_a_failing_test_shows_what_happened(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST_FILE.replace("{amount}", "1"))
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*- sandbox timeline -*",
            "2027-01-01T00:00:00.000Z  subscription.created *  sub_000001*",
            "2027-01-15T00:00:00.000Z  subscription.activated *  sub_000001*",
            "2027-01-15T00:00:00.000Z  invoice.paid *",
            "2027-01-15T00:00:00.000Z  now",
            "*- sandbox requests, the last ones -*",
            "*POST /sandbox/subscriptions *cus_ada*",
            "*201*",
            "*POST /sandbox/clock/advance*P14D*",
        ]
    )


def test_a_failing_test_leaves_its_sandbox(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST_FILE.replace("{amount}", "1"))
    result = pytester.runpytest_subprocess()
    result.stdout.fnmatch_lines(["*--fixture .sandbox/*test_pays*/fixture.json"])
    (left,) = [each for each in (pytester.path / ".sandbox").iterdir() if each.is_dir()]
    names = sorted(each.name for each in left.iterdir())
    assert names == ["fixture.json", "recording.json", "recording.sh", "report.txt", "requests.json"]
    assert "subscription.activated" in (left / "report.txt").read_text()
    assert len(json.loads((left / "recording.json").read_text())["calls"]) == 2
    assert (pytester.path / ".sandbox" / ".gitignore").read_text() == "*\n"
    pytester.makepyfile(TEST_FILE.replace("{amount}", "2500"))
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    assert not left.exists()


def test_what_is_left_is_where_pytest_was_started(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_goes_elsewhere(sandbox, monkeypatch, tmp_path):
            monkeypatch.chdir(tmp_path)
            assert False
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(failed=1)
    (left,) = (pytester.path / ".sandbox").glob("*/report.txt")
    assert "It is in .sandbox/" in left.read_text()


def test_what_is_left_has_one_encoding_on_every_machine(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}.items():
        monkeypatch.setenv(name, value)
    pytester.makepyfile(
        """
        def test_names_a_customer(sandbox):
            sandbox.customers.create(name="Zo\\u00eb")
            assert False
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(failed=1)
    (left,) = (pytester.path / ".sandbox").glob("*/recording.json")
    assert "Zo\u00eb" in left.read_text(encoding="utf-8")


def test_runs_of_one_test_at_one_time_leave_it_whole(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = bundle_folder("test_pays")

    def leave(_: int) -> None:
        remove_bundle(folder)
        write_bundle(sandbox, [], folder)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(leave, range(40)))
    assert len(list(folder.iterdir())) == 4
    assert sorted(each.name for each in folder.parent.iterdir()) == [".gitignore", folder.name]


def test_a_sandbox_that_the_tests_make_themselves_is_left_too(pytester: pytest.Pytester) -> None:
    made = """
        import pytest
        from subscription_sandbox import create

        @pytest.fixture
        def sandbox(sandbox_url):
            with create(sandbox_url, fixture="empty") as made:
                yield made

        def test_pays(sandbox):
            assert {passes}
        """
    pytester.makepyfile(made.replace("{passes}", "False"))
    result = pytester.runpytest_subprocess()
    result.stdout.fnmatch_lines(["*--fixture .sandbox/*test_pays*/fixture.json"])
    pytester.makepyfile(made.replace("{passes}", "True"))
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    assert not list((pytester.path / ".sandbox").glob("*test_pays*"))


def test_a_fixture_that_fails_shows_and_leaves_it_too(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def shop(sandbox):
            sandbox.subscriptions.create(customer_id="cus_ada", plan="gold")

        def test_pays(shop):
            pass
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*- sandbox requests*", "*/sandbox/subscriptions*gold*", "*404*"])
    (left,) = [each for each in (pytester.path / ".sandbox").iterdir() if each.is_dir()]
    assert "gold" in (left / "report.txt").read_text()


def test_a_sandbox_may_be_deleted_by_its_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_deletes_it(sandbox):\n    sandbox.delete()")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_failing_test_shows_the_requests_with_a_wrong_key(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from urllib.error import HTTPError
        from urllib.request import Request, urlopen

        import pytest
        from subscription_sandbox import Unreachable

        def test_calls(sandbox):
            headers = {"Authorization": "Bearer sk_sandbox_mistyped"}
            with pytest.raises(HTTPError):
                urlopen(Request(f"{sandbox.url}/v1/subscriptions", b"plan=pro", headers))
            sandbox.faults.create(effect={"drop": True})
            with pytest.raises(Unreachable):
                sandbox.subscriptions.pause("sub_dropped")
            assert sandbox.subscriptions.list()
        """
    )
    result = pytester.runpytest_subprocess()
    result.stdout.fnmatch_lines(["*POST /v1/subscriptions/sub_dropped/pause", "    no answer"])
    result.stdout.fnmatch_lines(
        ["requests that did not reach it, for their key", "*POST /v1/subscriptions*", "*401*unauthorized*"]
    )


def test_a_test_that_passes_shows_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST_FILE.replace("{amount}", "2500"))
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*sandbox timeline*")


def test_a_timeline_that_cannot_be_asked_for_hides_no_failure(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_loses_its_sandbox(sandbox):
            sandbox.delete()
            sandbox._is_ours = False
            assert 1 == 2
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert 1 == 2*", "It cannot be asked: *404 not_found*"])


def test_a_marker_says_what_a_sandbox_begins_with(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.sandbox(fixture="empty", now="2030-06-01", settings={"after_retries": "keep_past_due"})
        def test_begins_as_it_says(sandbox):
            assert sandbox.plans.list() == []
            assert sandbox.clock.now == "2030-06-01T00:00:00.000Z"
            assert sandbox.settings.get()["after_retries"] == "keep_past_due"
        """
    )
    pytester.runpytest_subprocess("--strict-markers").assert_outcomes(passed=1)
    shown = pytester.runpytest_subprocess("--markers").stdout
    shown.fnmatch_lines(["*sandbox(fixture=None, now=None, settings=None, sandbox_id=None)*"])


def test_of_several_markers_each_argument_of_the_closest_one_counts(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        pytestmark = pytest.mark.sandbox(fixture="empty", now="2030-06-01")

        @pytest.mark.sandbox(now="2031-06-01")
        def test_begins_as_both_say(sandbox):
            assert sandbox.plans.list() == []
            assert sandbox.clock.now == "2031-06-01T00:00:00.000Z"

        @pytest.mark.sandbox(fixtures="empty")
        def test_is_misspelled(sandbox):
            pass
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*The marker sandbox takes fixture, now, settings, sandbox_id; got 'fixtures'"])


def test_a_marker_without_names_is_refused(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.sandbox("empty")
        def test_begins_empty(sandbox):
            assert sandbox.plans.list() == []
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*takes arguments with names, such as fixture='empty'; got 'empty'"])


def test_what_a_server_that_runs_ignores_is_said(
    pytester: pytest.Pytester, sandbox_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_URL", sandbox_url)
    monkeypatch.setenv("SANDBOX_SETTINGS", "sandbox.yaml")
    monkeypatch.delenv("SANDBOX_API_KEY", raising=False)
    pytester.makepyfile("def test_uses_it(sandbox):\n    pass")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*SANDBOX_SETTINGS is for a new server; that of SANDBOX_URL*"])
    monkeypatch.setenv("SANDBOX_API_KEY", "sk_sandbox_default")
    pytester.runpytest_subprocess().assert_outcomes(passed=1, warnings=0)


def test_tests_in_parallel_have_sandboxes_of_their_own(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("number", range(12))
        def test_finds_nothing_of_others(sandbox, number):
            made = sandbox.subscriptions.create(customer_id="cus_ada", plan="pro")
            assert made["subscription_id"] == "sub_000001"
            sandbox.clock.advance("P1M")
            assert len(sandbox.invoices.list()) == 2
        """
    )
    pytester.runpytest_subprocess("-n", "3").assert_outcomes(passed=12)


def test_a_failure_in_a_parallel_run_shows_it_too(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST_FILE.replace("{amount}", "1"))
    result = pytester.runpytest_subprocess("-n", "2")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- sandbox timeline -*", "*subscription.activated*"])


def test_sandboxes_are_gone_after_their_tests(
    pytester: pytest.Pytester, sandbox_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from subscription_sandbox import connect

    monkeypatch.setenv("SANDBOX_URL", sandbox_url)
    before = connect()._call("GET", "/sandboxes")["data"]
    pytester.makepyfile(TEST_FILE.replace("{amount}", "2500"))
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    assert connect()._call("GET", "/sandboxes")["data"] == before


def test_a_server_that_does_not_start_is_an_error_with_its_reason(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SANDBOX_URL", raising=False)
    monkeypatch.setenv("SANDBOX_COMMAND", "sh -c 'echo the port is taken; exit 3'")
    pytester.makepyfile(TEST_FILE.replace("{amount}", "2500"))
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*Unreachable: *the port is taken*"])


def test_a_session_fails_below_its_coverage(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST_FILE.replace("{amount}", "2500"))
    low = pytester.runpytest_subprocess("--sandbox-min", "transitions=50")
    low.assert_outcomes(passed=1)
    low.stdout.fnmatch_lines(["*= sandbox coverage =*", "transitions * 50 * no"])
    assert low.ret == pytest.ExitCode.TESTS_FAILED
    met = pytester.runpytest_subprocess("--sandbox-min", "transitions=1")
    met.stdout.fnmatch_lines(["transitions * 1 * yes"])
    assert met.ret == pytest.ExitCode.OK
    wrong = pytester.runpytest_subprocess("--sandbox-min", "moves=50")
    wrong.stderr.fnmatch_lines(["*--sandbox-min must be MEASURE=PERCENT*got 'moves=50'*"])


def test_a_parallel_run_says_how_to_get_its_coverage(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST_FILE.replace("{amount}", "2500"))
    result = pytester.runpytest_subprocess("-n", "2", "--sandbox-min", "transitions=1")
    result.stdout.fnmatch_lines(["*under pytest -n *`npx subscription-sandbox exec --coverage`*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_request_is_sent_as_it_is(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bearer {sandbox.api_key}", "Content-Type": "text/plain"}
    answer = sandbox.send("POST", "/v1/subscriptions", headers=headers, body=b"plan")
    assert answer.status == 415
    assert answer.json()["error"] == "unsupported_media_type"
    sandbox.faults.create(effect={"cut": True})
    cut = sandbox.send("POST", "/v1/subscriptions", headers=headers, body=b"plan")
    assert cut.is_cut
    assert cut.status == 415
    with pytest.raises(ValueError, match="target must be a path without spaces; got '/v1/a b'"):
        sandbox.send("GET", "/v1/a b")
