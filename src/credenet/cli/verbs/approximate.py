"""``credenet approximate``: probabilities of a hard network, from a simpler one that is learned from its rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from credenet.cli.answers import end, marginal_bars, print_answer
from credenet.cli.arguments.evidence import EvidenceFile, EvidencePairs, load_model, read_evidence
from credenet.cli.arguments.groups import LimitFlags
from credenet.cli.arguments.parameters import (
    AnyCase,
    Json,
    MethodArgument,
    Output,
    SamplerArgument,
    Seed,
    Whole,
    WholeOrNone,
    Width,
    Written,
)
from credenet.cli.outputs import check_output, write_output
from credenet.cli.progress_bar import progress_bar

if TYPE_CHECKING:
    from credenet.learners.tree_width.sampled_model import SampledModel


def approximate(
    model: Path,
    *variables: str,
    evidence: EvidencePairs = None,
    evidence_file: EvidenceFile = None,
    tree_width: Width = None,
    max_tree_width: WholeOrNone = None,
    rows: Whole = 10_000,
    sampler: SamplerArgument = "auto",
    condition: Annotated[Literal["before", "after"], AnyCase] = "before",
    method: MethodArgument | None = None,
    output: Output = None,
    network: Written = None,
    seed: Seed = 0,
    limits: LimitFlags = LimitFlags(),
    json: Json = False,
) -> int:
    """Answer for a network that is too hard by a simpler one, learned from rows drawn from it.

    If the rows do not represent the network, as those of Gibbs chains that disagree, the answer says so and the exit
    code is 3.

    Parameters
    ----------
    model
        A network file; .uai files may hold Markov networks too.
    variables
        The variables to ask for; all if none is named.
    tree_width
        The largest tree-width of the simpler network. auto takes the one among 1, 2, 4, … that gives held-out rows the
        largest likelihood; if not given, a tree is learned.
    max_tree_width
        The largest tree-width that auto tries; 8 if not given.
    rows
        The number of rows.
    sampler
        How rows are drawn: auto draws them exactly if that fits into memory, else by gibbs; importance_sampling
        resamples them by weight, for networks in which Gibbs chains do not mix. With settings:
        "gibbs(burn_in=5000, restarts=20, thin=10)".
    condition
        before: rows are drawn given the evidence; after: they are drawn without it, and the simpler network is
        conditioned on it.
    method
        The method that learns the simpler network, as for learn; chow_liu without --tree-width, else auto.
    output
        Where to write the marginals of all variables as a UAI result file.
    network
        Where to write the simpler network, in a format of networks.
    seed
        The seed of sampling and learning; fresh draws one and tells it.
    limits.time_limit
        As 90, 90s or 10m, for sampling (at most half of it) and learning together.
    """
    import credenet
    from credenet._files.files import write_text
    from credenet.errors import ArgumentError
    from credenet.io.uai_evidence import render_mar

    if output is not None and variables:
        raise ArgumentError("--output writes the marginals of all variables; name none")
    check_output(output)
    check_output(network, credenet.textbook.sprinkler().save)
    loaded = load_model(model)
    with progress_bar("approximating") as on_progress:
        found = credenet.sample_learn_infer(
            loaded,
            read_evidence(loaded, evidence or [], evidence_file),
            n_rows=rows,
            tree_width=tree_width,
            max_tree_width=max_tree_width,
            sampler=sampler,
            condition=condition,
            method=method,
            seed=seed,
            on_progress=on_progress,
            **limits.arguments(),
        )
        result = found.to_dict(variables or None)
    write_output(output, lambda path: write_text(path, render_mar(result["marginals"])))
    write_output(network, found.network.save)
    print_answer(json, lambda: result, f"{describe_sampled_model(found)}\n{marginal_bars(result['marginals'])}")
    status = "time_limit" if found.status == "not_converged" else found.status
    return end(status, "the answer is that of the rows drawn and the network learned so far")


def describe_sampled_model(found: SampledModel) -> str:
    """How the rows were drawn, what was learned from them, and whether the answers can be trusted, as text."""
    sampling = found.sampling
    kinds = {
        "forward": "drawn forward",
        "exact": "drawn exactly",
        "gibbs": f"of {sampling.n_chains} Gibbs chains",
        "importance_sampling": "resampled by importance weights",
    }
    lines = [f"{found.n_rows:,} rows {kinds[sampling.method]}, {len(found.network.dag.edges)} edges learned"]
    if sampling.scale_reduction is not None:
        lines[0] += f"; potential scale reduction of the chains {sampling.scale_reduction:.3f}"
    if sampling.effective_rows is not None:
        lines[0] += f"; {sampling.effective_rows:,.0f} effective rows"
    lines += [
        f"tree-width {point.tree_width}: {point.log_likelihood:.6f} ± {point.standard_error:.6f} per held-out row"
        + (" (chosen)" if point.tree_width == found.tree_width else "")
        for point in found.held_out
    ]
    lines.append(f"status: {found.status}" + (f"; {found.reason}" if found.reason else ""))
    if found.status == "not_converged":
        lines.append("THE ANSWERS BELOW ARE NOT TO BE TRUSTED")
    return "\n".join(lines)
