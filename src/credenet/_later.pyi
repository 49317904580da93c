"""The modules of later packages that earlier objects call: the one list, read by type checkers and by ``_later.py``."""

from credenet.drawing import credible_plots as drawing_credible_plots
from credenet.drawing import data as drawing_data
from credenet.drawing import effects as drawing_effects
from credenet.drawing import graphs as drawing_graphs
from credenet.drawing import inference as drawing_inference
from credenet.drawing import marginals as drawing_marginals
from credenet.drawing import plotting as drawing_plotting
from credenet.drawing import posterior_plots as drawing_posterior_plots
from credenet.drawing import trace as drawing_trace
from credenet.drawing import validation as drawing_validation
from credenet.drawing import weighted_plots as drawing_weighted_plots
from credenet.drawing.reports import credible as drawing_reports_credible
from credenet.drawing.reports import posterior as drawing_reports_posterior
from credenet.explorer import contents as explorer_contents
from credenet.explorer import widget as explorer_widget
from credenet.graphs import arguments as graphs_arguments
from credenet.interventions import calls as interventions_calls
from credenet.io import graphs as io_graphs
from credenet.io import knowledge as io_knowledge
from credenet.io import reading as io_reading
from credenet.io import res as io_res
from credenet.io import result_files as io_result_files
from credenet.io.blocks import opening as io_blocks_opening
from credenet.io.families import family_tables as io_families_family_tables
from credenet.io.networks import formats as io_networks_formats
from credenet.io.networks import uai as io_networks_uai
from credenet.io.results import files as io_results_files
from credenet.io.tables import formats as io_tables_formats
from credenet.io.tables import frames as io_tables_frames
from credenet.networks import interop as networks_interop

HOMES: dict[str, str]

__all__ = [
    "HOMES",
    "drawing_credible_plots",
    "drawing_data",
    "drawing_effects",
    "drawing_graphs",
    "drawing_inference",
    "drawing_marginals",
    "drawing_plotting",
    "drawing_posterior_plots",
    "drawing_reports_credible",
    "drawing_reports_posterior",
    "drawing_trace",
    "drawing_validation",
    "drawing_weighted_plots",
    "explorer_contents",
    "explorer_widget",
    "graphs_arguments",
    "interventions_calls",
    "io_blocks_opening",
    "io_families_family_tables",
    "io_graphs",
    "io_knowledge",
    "io_networks_formats",
    "io_networks_uai",
    "io_reading",
    "io_res",
    "io_result_files",
    "io_results_files",
    "io_tables_formats",
    "io_tables_frames",
    "networks_interop",
]
