"""Results die with their last reference, and scripts end silently: nanobind tells at the end what is still alive."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGIN = """
import gc, signal, sys
import credenet
from credenet import _core

_core.set_poll_interval(0)
network = credenet.textbook.asia()
data = network.sample(200, seed=1).select(network.variables[:5])

class OwnError(Exception):
    pass

class Callback:
    def __init__(self):
        self.results, self.seen = [], []
    def __call__(self, progress):
        self.seen.append((self, progress))

class Failing(Callback):
    def __call__(self, progress):
        super().__call__(progress)
        raise OwnError(self)

class CtrlC(Callback):
    def __call__(self, progress):
        super().__call__(progress)
        signal.raise_signal(signal.SIGINT)
"""

CALLS = {
    "learn": "credenet.learn(data, on_progress=tell)",
    "a network of bounded tree-width": "credenet.learn(data, tree_width=1, on_progress=tell)",
    "ilp": "credenet.learn(data, method='ilp', on_progress=tell)",
    "tests of independence": "credenet.learn(data, method='pc', on_progress=tell)",
    "families": "credenet.score_families(data, on_progress=tell)",
    "credible networks": "credenet.credible_networks(data, bayes_factor=20, on_progress=tell)",
    "credible classes": "credenet.credible_classes(data, bayes_factor=20, on_progress=tell)",
    "posterior": "credenet.posterior(data, on_progress=tell)",
    "chains": "credenet.posterior(data, method='mcmc', time_limit=1, on_progress=tell)",
    "bootstrap": "credenet.bootstrap(data, method='hill_climb', n_samples=3, on_progress=tell)",
    "effects": "credenet.effects(credenet.credible_networks(data), data=data, on_progress=tell)",
}

IN_EACH_WAY = """
kept = []
for kind in (Callback, Failing, CtrlC):
    tell = kind()
    try:
        tell.results.append(CALL)
    except (OwnError, KeyboardInterrupt) as error:
        kept.append(error)
    kept.append(tell)
"""

DEAD = """
types = {type(result) for held in kept for result in getattr(held, "results", [])}
types |= {type(part) for held in kept for result in getattr(held, "results", []) for part in gc.get_referents(result)}
types = {one for one in types if one.__module__.startswith("credenet.")} - {type(data)}
assert types
del kept, tell
gc.collect()
alive = [one for one in gc.get_objects() if type(one) in types and one not in (network.dag,)]
assert not alive, alive
"""


def check_silent(script: str) -> None:
    """The script ends well, and says nothing."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_results_die(call: str) -> None:
    """Also when a callback holds them, raises an error or Ctrl-C; and nothing is left if they live until the end."""
    alive_at_the_end = f"last = {call.replace(', on_progress=tell', '')}\n"
    check_silent(BEGIN + IN_EACH_WAY.replace("CALL", call) + DEAD + alive_at_the_end)


def test_answers_of_a_network_die() -> None:
    check_silent(
        BEGIN
        + """
answers = network.infer()
answers.marginals(), answers.mpe()
class Holder:
    pass
holder = Holder()
holder.itself, holder.answers = holder, answers
types = {type(answers)}
del answers, holder
gc.collect()
assert not [one for one in gc.get_objects() if type(one) in types]
last = network.infer(evidence={"smoke": "yes"})
last.marginals()
"""
    )


@pytest.mark.parametrize(
    "start",
    ["threading.Thread(target=hold, args=held, daemon=True).start()", "_thread.start_new_thread(hold, held)"],
    ids=["threading", "below it, as other libraries have them"],
)
def test_threads_that_never_end_are_no_leak(start: str) -> None:
    check_silent(
        BEGIN
        + f"""
import _thread, threading
begun = threading.Semaphore(0)
def hold(*results):
    begun.release()
    threading.Event().wait()
held = (credenet.learn(data), network)
network.infer().marginals()
{start}
begun.acquire()
"""
    )


def test_callbacks_of_the_garbage_collector_are_no_leak() -> None:
    """Python frees what they lead to after its last collection."""
    check_silent(
        BEGIN
        + """
class Kept:
    def __call__(self, phase, information):
        pass
kept = Kept()
kept.itself, kept.result, kept.network = kept, credenet.learn(data), network
network.infer().marginals()
gc.callbacks.append(kept)
"""
    )


def test_a_script_that_fails_tells_its_error_only() -> None:
    script = BEGIN + "result = credenet.credible_networks(data)\ncredenet.learn(data, on_progress=Failing())\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "Traceback (most recent call last):"
    assert "OwnError" in done.stderr.splitlines()[-1]
