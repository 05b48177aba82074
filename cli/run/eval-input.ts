/** Builds the inputs of runs from the typed flags. */
import { basename } from 'node:path';
import { canonicalJson } from '../../core/canonical-json.js';
import { datasetLabel } from '../../core/run/dataset-input.js';
import { identityOf, type RunSpec } from '../../core/run/input.js';
import { sha256Of } from '../../core/sha256.js';
import { chosenMetrics } from '../../evaluation/metrics/registry.js';
import { isDataAddress } from '../../files/data-address.js';
import { parseRunInput } from '../../interpreters/methods.js';
import type { CliContext } from '../context.js';
import { namingFlags, type TypedInput } from '../flags.js';
import { type Configured, methodsOf, metricsOf } from '../own-methods.js';
import { checkCorpora, storeInputDataset } from '../stored-dataset.js';

/** A run to be started or planned: its input, and whether the user named it. */
export interface EvalRun {
  /** Input of the run. Its data set is that of the flag until it is stored. */
  spec: RunSpec;
  /**
   * Whether the user named the run. Otherwise its name is derived from its input: see
   * `nameByContents`.
   */
  isNamed: boolean;
}

/**
 * Returns the checked inputs of the runs that the typed flags describe: one, or one for each ratio
 * of noise, each with whether the user named it. Without metrics in the flags, all metrics of the
 * config file are used.
 *
 * @throws Failure BadInput naming the flags, the file or the fields that are wrong.
 */
export function evalInputs(typed: TypedInput, context: Configured): EvalRun[] {
  const { run: name, noise, ...input } = typed.fields;
  const ratios: unknown[] = [Object(noise).ratio].flat();
  return ratios.map((ratio) => {
    const noisy = noise === undefined ? {} : { noise: { ...noise, ratio } };
    const suffix = ratio === undefined ? '' : `-noise-${ratio}`;
    const run = `${name ?? `${readableName(input)}-${TO_COME}`}${suffix}`;
    const spec = namingFlags(typed, () => checked({ ...input, ...noisy, run }, context));
    return { spec, isNamed: name !== undefined };
  });
}

/**
 * Returns the runs that plan a stored run again: one under its name, or one for each ratio of noise.
 *
 * @param typed The stored run's input with the typed flags applied to it.
 * @param run Name of the stored run.
 */
export function planInputs(typed: TypedInput, run: string, context: Configured): EvalRun[] {
  const planned = evalInputs({ ...typed, fields: { ...typed.fields, run } }, context);
  const [only, ...others] = planned;
  return only && others.length === 0 ? [{ ...only, spec: { ...only.spec, run } }] : planned;
}

/**
 * Stores the data set of the runs, once for all of them, and returns the runs with a reference to
 * it.
 *
 * @throws Failure BadInput for a bad file, naming the place (nothing is stored then); for a
 * question that needs a search, if no corpus is named.
 */
export async function withStored(
  runs: readonly EvalRun[],
  context: CliContext,
): Promise<EvalRun[]> {
  const [first] = runs;
  if (!first) return [];
  const stored = await storeInputDataset(first.spec, context);
  // The runs of a command differ in their noise alone.
  await checkCorpora([stored], context);
  return runs.map(({ isNamed, spec: { run, noise } }) => ({
    isNamed,
    spec: { ...stored, run, ...(noise && { noise }) },
  }));
}

/**
 * Returns the runs with the name of an index in place of a corpus's address. Downloads and indexes
 * the corpus if it has no index.
 *
 * @param plans Whether the runs are only planned, so that nothing may be built.
 * @throws Failure as `corpusNamed`.
 */
export async function withCorpora(
  runs: readonly EvalRun[],
  context: CliContext,
  plans?: boolean,
): Promise<EvalRun[]> {
  // The runs of a command differ in their noise alone.
  const corpus = runs[0]?.spec.corpus;
  if (corpus === undefined || !isDataAddress(corpus)) return [...runs];
  const { corpusNamed } = await import('../index-corpus.js');
  const name = await corpusNamed(corpus, context, plans);
  return runs.map(({ isNamed, spec }) => ({ isNamed, spec: { ...spec, corpus: name } }));
}

/** Placeholder in a run's name for the hash that only the workers know. */
const TO_COME = '...';

/**
 * Returns the input of a run with its name completed: the placeholder "..." of `evalInputs` is
 * replaced by a hash of the run's identity and contents; a name that the user typed stays. Equal
 * commands give the same name while data set, corpus and prompts are unchanged, so that the second
 * joins the run of the first.
 *
 * @param contents Hash from the client's `contentsOf`.
 */
export function nameByContents(spec: RunSpec, contents: string): RunSpec {
  const { noise: _, dataset: __, run, ...identity } = identityOf(spec);
  const hash = sha256Of(canonicalJson({ ...identity, contents }));
  return { ...spec, run: run.replace(TO_COME, hash.slice(0, HASH_DIGITS)) };
}

const HASH_DIGITS = 8;

/** Returns a readable name for an unchecked input; an invalid data set is refused later. */
function readableName({ method, dataset }: Record<string, unknown>): string {
  const label = typeof dataset === 'string' || Array.isArray(dataset) ? datasetLabel(dataset) : '';
  const plain = isDataAddress(label) ? label.replace(/[?@].*$/s, '') : label;
  const file = basename(plain).replace(/\.(jsonl?|gz|zip|ndjson|csv|tsv|parquet)\b/g, '');
  return `${method}-${file}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60);
}

function checked(input: unknown, context: Configured): RunSpec {
  const spec = parseRunInput(input, methodsOf(context));
  const chosen = chosenMetrics(spec, metricsOf(context));
  // Named, so that the same command with other metrics is another run.
  return chosen.length === 0 ? spec : { ...spec, metrics: chosen.map(({ name }) => name) };
}
