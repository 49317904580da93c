"""A session: what was opened, the answers so far with undo, the work in progress, and all that can be asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from credenet.errors import ArgumentError, CredenetError
from credenet.explorer import exports, networks, picture
from credenet.explorer.answer import ExplorerAnswer
from credenet.explorer.contract import (
    Bars,
    DataSummary,
    EffectTable,
    ExplorerAbilities,
    ExplorerEvent,
    ExplorerState,
    ExportedFile,
    GraphLayout,
    Notice,
    RuleCheck,
)
from credenet.explorer.evidence import AveragedInference
from credenet.explorer.influence import effects_of
from credenet.explorer.source import OpenedSource
from credenet.explorer.work import BackgroundWork
from credenet.knowledge.knowledge import Knowledge

Arguments = Mapping[str, Any]
_EDITED = ("required", "forbidden", "tiers")
_NO_DATA = "This needs the data; open them instead of the table of families."


class ExplorerSession:
    """The state of one explorer. All methods may be called from any thread.

    Attributes
    ----------
    listeners
        Called, from any thread, when there is something new.
    """

    def __init__(self, source: OpenedSource, first: ExplorerAnswer, *, can_learn: bool = True) -> None:
        self._source = source
        self._can_learn = can_learn and source.opened is not None and source.network is None
        self._history, self._at = [first], 0
        self._version = 0
        self._failure = ""
        self._work: BackgroundWork | None = None
        self._lock = threading.RLock()
        self._asking = threading.Lock()
        self._kept: dict[str, tuple[ExplorerAnswer, Any]] = {}
        self.listeners: set[Callable[[], None]] = set()
        self._calls: dict[str, Callable[[Arguments], Any]] = {
            "state": lambda _: self.state(),
            "layout": self._layout,
            "curve": lambda _: networks.curve(self._networks()),
            "networks": lambda given: networks.list_networks(self._networks(), *_range(given)),
            "classes": lambda given: networks.list_classes(self._networks(), *_range(given)),
            "distinctions": lambda _: self._once("distinctions", lambda: networks.distinctions(self._networks())),
            "evidence": self._evidence,
            "effects": self._effects,
            "data": lambda _: self._data(),
            "check": self._check,
            "relearn": self._relearn,
            "cancel": lambda _: self._cancel(),
            "undo": lambda _: self._move(-1),
            "redo": lambda _: self._move(1),
            "network_file": lambda _: self._network_file(),
            "report": lambda _: self._report(),
            "python": self._python,
        }

    @classmethod
    def begin(cls, source: OpenedSource, knowledge: Knowledge) -> ExplorerSession:
        """A session that begins to learn, or shows a network."""
        assert source.opened is not None
        if source.network is not None:
            network = source.network
            session = cls(source, ExplorerAnswer("network", network.variables, knowledge, best=network.dag))
            session.state()  # This makes the layout now, not when the browser asks.
            return session
        session = cls(source, ExplorerAnswer("none", source.opened.variables, knowledge))
        session._learn(knowledge, is_first=True)
        return session

    def call(self, name: str, arguments: Arguments) -> Any:
        """The answer to a call of the browser, as JSON values; see `contract`."""
        if name not in self._calls:
            raise ArgumentError(f"there is no call {name!r}")
        return self._calls[name](arguments)

    @property
    def answer(self) -> ExplorerAnswer:
        """The current answer."""
        with self._lock:
            return self._history[self._at]

    def event(self) -> ExplorerEvent:
        with self._lock:
            return {"version": self._version, "job": None if self._work is None else self._work.job}

    def state(self) -> ExplorerState:
        """All data that the first picture needs."""
        with self._lock:
            answer, event, failure = self.answer, self.event(), self._failure
            moves = self._at > 0, self._at + 1 < len(self._history)
        networks = answer.networks
        states = self._source.states_of(answer.variables)
        errors: list[Notice] = [{"level": "error", "text": failure}] if failure else []
        return {
            **event,
            "name": self._source.name,
            "kind": answer.kind,
            "headline": answer.headline,
            "notices": errors + answer.list_notices(),
            "summary": list(answer.summary),
            "share": answer.share,
            "among": answer.among,
            "edges_of": answer.edges_of,
            "variables": [
                {"name": name, "states": labels} for name, labels in zip(answer.variables, states, strict=True)
            ],
            "pairs": answer.pairs,
            "layout": self._once("layout", lambda: picture.whole(answer)),
            "n_networks": "" if networks is None else f"{networks.n_networks:,}",
            "n_classes": f"{networks.classes.n_classes:,}"
            if networks is not None and networks.diagram.has_quick_classes
            else "",
            "knowledge": answer.knowledge.to_dict(),
            "can_undo": moves[0],
            "can_redo": moves[1],
            "abilities": self._abilities(answer),
        }

    def close(self) -> None:
        """Ends the work in progress."""
        with self._lock:
            work = self._work
        if work is not None:
            work.cancel()
            work.wait()

    def wait(self) -> None:
        """Returns when no work is in progress."""
        with self._lock:
            work = self._work
        if work is not None:
            work.wait()

    def _abilities(self, answer: ExplorerAnswer) -> ExplorerAbilities:
        data, network = self._source.data, self._source.network
        nothing = "" if answer.dag is not None else "There is no network yet."
        known = nothing or ("" if data is not None or network is not None else _NO_DATA)
        learns = "" if self._can_learn else "Networks are learned from data: credenet explore DATA."
        several = "" if answer.networks is not None else "There is one network, not a set of credible ones."
        return {
            "networks": nothing or several,
            "evidence": known,
            "effects": known or ("Effects need two variables." if len(answer.variables) < 2 else ""),
            "knowledge": learns,
            "data": "" if data is not None else "There are no data.",
            "report": nothing or several,
            "network_file": known,
        }

    def _require(self, ability: str) -> ExplorerAnswer:
        answer = self.answer
        reason = self._abilities(answer)[ability]  # type: ignore[literal-required]
        if reason:
            raise ArgumentError(reason)
        return answer

    def _networks(self) -> Any:
        return self._require("networks").networks

    def _once(self, what: str, make: Callable[[], Any]) -> Any:
        """An object that is made once for each answer; only that of the current answer is kept."""
        answer = self.answer
        with self._asking:
            if what not in self._kept or self._kept[what][0] is not answer:
                self._kept[what] = answer, make()
            return self._kept[what][1]

    def _tell_listeners(self) -> None:
        for listener in list(self.listeners):
            listener()

    def _layout(self, given: Arguments) -> GraphLayout:
        answer = self.answer
        focus, depth = int(given["focus"]), int(given["depth"])
        if not 0 <= focus < len(answer.variables):
            raise ArgumentError(f"focus must be the position of a variable, got {focus}")
        return picture.around(answer, focus, depth, float(given.get("threshold", 0.3)))

    def _evidence(self, given: Arguments) -> Bars:
        answer = self._require("evidence")
        data, network = self._source.data, self._source.network

        def make() -> AveragedInference:
            if network is not None:
                return AveragedInference([(network, 1.0)], "this network")
            assert data is not None
            return AveragedInference.from_answer(answer, data)

        inference: AveragedInference = self._once("inference", make)
        with self._asking:
            return inference.bars(dict(given["evidence"]))

    def _effects(self, given: Arguments) -> EffectTable:
        answer = self._require("effects")
        known = self._source.data or self._source.network
        assert known is not None
        return effects_of(answer.variables[int(given["x"])], answer, known)

    def _data(self) -> DataSummary:
        self._require("data")
        assert self._source.data is not None
        info = self._source.data.info()
        return {
            "rows": info.n_rows,
            "counts": [list(info.counts[name].values()) for name in info.variables],
            "missing": [info.missing.get(name, 0) for name in info.variables],
            "remarks": list(info.remarks),
        }

    def _rules(self, given: Arguments) -> Knowledge:
        """The rules of the current answer, with the rules that the browser edits replaced."""
        kept = {name: value for name, value in self.answer.knowledge.to_dict().items() if name not in _EDITED}
        edited = {name: given["rules"][name] for name in _EDITED if given["rules"].get(name)}
        rules = Knowledge.from_dict(kept | edited)
        rules.allowed(self.answer.variables)
        return rules

    def _check(self, given: Arguments) -> RuleCheck:
        try:
            self._rules(given)
        except CredenetError as error:
            return {"error": str(error)}
        return {"error": ""}

    def _relearn(self, given: Arguments) -> ExplorerEvent:
        self._require("knowledge")
        self._learn(self._rules(given))
        return self.event()

    def _learn(self, knowledge: Knowledge, *, is_first: bool = False) -> None:
        is_shown = is_first

        def show(answer: ExplorerAnswer) -> None:
            nonlocal is_shown
            layout = picture.whole(answer)  # The layout is part of the work, so that the state is ready at once.
            with self._lock:
                if not is_shown:  # A new step discards those that could be redone.
                    self._history = [*self._history[: self._at + 1], answer]
                    self._at += 1
                self._history[self._at] = answer
                self._kept["layout"] = answer, layout
                is_shown = True
                self._version += 1
            self._tell_listeners()

        def finish(message: str) -> None:
            with self._lock:
                self._failure, self._work = message, None
                self._version += 1
            self._tell_listeners()

        with self._lock:
            self._check_idle()
            self._failure = ""
            self._work = BackgroundWork(
                "Learning", lambda report: self._source.learn(knowledge, show, report), self._tell_listeners, finish
            )
            self._work.start()
        self._tell_listeners()

    def _check_idle(self) -> None:
        if self._work is not None:
            raise ArgumentError("Networks are being learned; wait, or cancel.")

    def _cancel(self) -> ExplorerEvent:
        with self._lock:
            work = self._work
        if work is not None:
            work.cancel()
        return self.event()

    def _move(self, by: int) -> ExplorerEvent:
        with self._lock:
            self._check_idle()
            at = self._at + by
            if not 0 <= at < len(self._history):
                raise ArgumentError("There is nothing to undo." if by < 0 else "There is nothing to redo.")
            self._at, self._failure = at, ""
            self._version += 1
        self._tell_listeners()
        return self.event()

    def _network_file(self) -> ExportedFile:
        return exports.network_file(self._require("network_file"), self._source)

    def _report(self) -> ExportedFile:
        return exports.report(self._require("report"), self._source)

    def _python(self, given: Arguments) -> ExportedFile:
        return exports.python_lines(self.answer, self._source, given)


def _range(given: Arguments) -> tuple[int, int]:
    start, number = int(given.get("start", 0)), int(given.get("number", 50))
    if start < 0 or number < 0:
        raise ArgumentError("start and number must be at least 0")
    return start, number
