// @ts-check
// The types of contract.py, for the editor and the type checker.

/** @typedef {{name: string, states: string[]}} Variable */
/** @typedef {{variable: number, x: number, y: number, width: number, height: number}} Box */
/** @typedef {{a: number, b: number, bends: [number, number][]}} Line */
/** @typedef {{style: "layered" | "force", boxes: Box[], lines: Line[]}} GraphLayout */
/** @typedef {{joined: number, forward: number, backward: number, undetermined: number}} Shares */
/** @typedef {{a: number, b: number, mark: "forward" | "backward" | "undirected", shares: Shares | null}} Pair */
/** @typedef {{level: "info" | "warning" | "error", text: string}} Notice */
/** @typedef {{what: string, phase: string, done: number, total: number, is_cancelled: boolean}} JobProgress */
/** @typedef {[number, number, number]} EdgeCode from, to, and 1 if directed */
/** @typedef {{networks: string, evidence: string, effects: string, knowledge: string, data: string, report: string, network_file: string}} ExplorerAbilities */
/** @typedef {{required?: [string, string][], forbidden?: [string, string][], tiers?: string[][]}} Rules */
/**
 * @typedef {{
 *   version: number, name: string, kind: "none" | "credible" | "best" | "network", headline: string,
 *   notices: Notice[], summary: [string, string][], share: string, among: string, edges_of: string, variables: Variable[], pairs: Pair[], layout: GraphLayout,
 *   n_networks: string, n_classes: string, knowledge: Rules, can_undo: boolean, can_redo: boolean,
 *   abilities: ExplorerAbilities, job: JobProgress | null
 * }} ExplorerState
 */
/** @typedef {{version: number, job: JobProgress | null}} ExplorerEvent */
/** @typedef {{ranks: number[], deviations: number[], factors: number[]}} Curve */
/** @typedef {{rank: number, score: number, probability: number | null, members?: string, size?: string, edges: EdgeCode[]}} ListingRow */
/** @typedef {{total: string, rows: ListingRow[]}} Listing */
/** @typedef {{reply: "yes" | "no" | "forward" | "backward" | "undetermined", node: Split}} Branch */
/** @typedef {{share: number, classes: number, question: [number, number, "joined" | "direction"] | null, branches: Branch[]}} Split */
/** @typedef {{among: string, tree: Split | null}} Distinctions */
/** @typedef {{bars: [number, number, number][][], among: string, n_networks: number, seconds: number}} Bars */
/**
 * @typedef {{
 *   y: number, told: string, difference: number, probability: number, means: number[][],
 *   intervals: [number, number][][] | null, ranges: [number, number][][]
 * }} EffectRow
 */
/** @typedef {{x: number, among: string, path: string, assumption: string, rows: EffectRow[]}} EffectTable */
/** @typedef {{rows: number, counts: number[][], missing: number[], remarks: string[]}} DataSummary */
/** @typedef {{name: string, type: string, text: string}} ExportedFile */
/**
 * Asks for something, by the name of a call in session.py.
 * @typedef {{
 *   kind: "server" | "embedded" | "notebook",
 *   call: (name: string, given?: object) => Promise<any>,
 *   listen: (heard: (event: ExplorerEvent) => void, lost: () => void) => void
 * }} Api
 */

export {};
