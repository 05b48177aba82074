/** Puts a batch's input together from the command line's flags. */
import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { chosenMetrics, type OwnMetrics } from '../../../evaluation/own/registry.js';
import { type Batch, identityOf } from '../../../methods/batch/input.js';
import type { BatchTransport } from '../../../methods/batch-transport.js';
import { canonicalJson } from '../../../methods/canonical-json.js';
import { Failure } from '../../../methods/failure.js';
import type { MethodRegistry } from '../../../methods/registry.js';
import type { Tier } from '../../../methods/tier.js';
import { parseBatchInput } from '../../../workflows/methods.js';
import { namingFlags, readInputFile, tierForAll } from '../method-input.js';

export interface EvalFlags {
  transport?: Partial<BatchTransport>;
  method: string;
  dataset: string;
  corpus?: string;
  mode?: string;
  limit?: number;
  sample?: number;
  sampleSeed?: number;
  seed?: number;
  concurrency?: number;
  rpm?: number;
  tpm?: number;
  budgetUsd?: number;
  pauseAfter?: number | 'none';
  name?: string;
  acceptChange?: boolean;
  option?: Record<string, unknown>;
  passages?: number;
  model?: string;
  tier?: Tier;
  prompts?: string;
  ownPassages?: boolean;
  cache?: boolean;
  judge?: string;
  metrics?: string[];
  noise?: number[];
  noiseKind?: string;
  /** A JSON file with more of the input; flags win over it. */
  input?: string;
}

/** A run to be started. */
export interface EvalRun {
  batch: Batch;
  /** Otherwise its name is made of the flags and the contents, see `nameByContents`. */
  isNamed: boolean;
}

/** What the workers have beside what is ours. */
export interface Registered {
  methods?: MethodRegistry;
  metrics?: OwnMetrics;
}

/** What fields of the input are called on the command line. */
const FLAGS: [field: RegExp, flag: string][] = [
  [/^run:/, '--name:'],
  [/^budgetUsd:/, '--budget-usd:'],
  [/^requestsPerMinute:/, '--rpm:'],
  [/^tokensPerMinute:/, '--tpm:'],
  [/^pauseAfter:/, '--pause-after:'],
  [/^transport\.waitSeconds:/, '--batch-wait:'],
  [/^transport\.size:/, '--batch-size:'],
  [/^transport\.patienceSeconds:/, '--batch-patience:'],
  [/^sampleSeed:/, '--sample-seed:'],
  [/^noise\.ratio:/, '--noise:'],
  [/^noise\.kind:/, '--noise-kind:'],
  [/^(method|dataset|corpus|mode|limit|sample|seed|concurrency|prompts|judge|metrics):/, '--$1:'],
];

/**
 * The batches the flags ask for: one, or one for each ratio of noise.
 *
 * @param there the methods there are, ours when left out, and metrics of somebody's own: all of them
 *   where none is named.
 * @throws Failure BadInput naming the flags, the file or the fields that are wrong.
 */
export async function evalInputs(flags: EvalFlags, there: Registered = {}): Promise<EvalRun[]> {
  const file = flags.input === undefined ? {} : await readInputFile(flags.input);
  const { rpm, tpm, name, option, passages, model, tier, noise, noiseKind, dataset, ...rest } =
    flags;
  const { input: _, pauseAfter, ...common } = rest;
  const input = {
    ...file,
    ...given(common),
    dataset: resolve(dataset),
    ...given({ requestsPerMinute: rpm, tokensPerMinute: tpm }),
    ...given({ pauseAfter: pauseAfter === 'none' ? null : pauseAfter }),
    options: { ...file.options, ...option, ...given({ passages }) },
    ...(model === undefined ? {} : { models: { ...file.models, default: model } }),
    ...(tier === undefined ? {} : { tier: tierForAll(tier, file.tier) }),
  };
  if (noiseKind !== undefined && noise === undefined) {
    throw new Failure('BadInput', '--noise-kind: has no effect without --noise');
  }
  const ratios = noise ?? [undefined];
  return ratios.map((ratio) => {
    const noisy = ratio === undefined ? {} : { noise: given({ ratio, kind: noiseKind }) };
    const suffix = ratio === undefined ? '' : `-noise-${ratio}`;
    const run = (name ?? `${readableName(flags)}-${TO_COME}`) + suffix;
    return {
      batch: checked({ ...input, ...noisy, run }, flags, file.options, there),
      isNamed: name !== undefined,
    };
  });
}

/** Stands in a name for what is only known where the workers are. */
const TO_COME = '...';

/**
 * The batch under a name made of its flags and of the contents: equal commands name the same run
 * for as long as data set, corpus and prompts are the same, so that the second joins the first.
 *
 * @param contents A hash, see `contentsOf` of the client.
 */
export function nameByContents(batch: Batch, contents: string): Batch {
  const { noise: _, run, ...identity } = identityOf(batch);
  const hash = createHash('sha256')
    .update(canonicalJson({ ...identity, contents }))
    .digest('hex');
  return { ...batch, run: run.replace(TO_COME, hash.slice(0, HASH_DIGITS)) };
}

const HASH_DIGITS = 8;

function readableName({ method, dataset }: { method: string; dataset: string }): string {
  const file = basename(dataset).replace(/\.(jsonl?|gz|ndjson|csv|tsv|parquet)\b/g, '');
  return `${method}-${file}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60);
}

function checked(
  input: unknown,
  flags: EvalFlags,
  inFile: object | undefined,
  { methods, metrics }: Registered,
): Batch {
  try {
    const batch = namingFlags(flags, inFile, () => parseBatchInput(input, methods));
    return metrics?.size ? withMetrics(batch, metrics) : batch;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problems = error.message.replace(/^Bad input\. /, '').split('; ');
    throw new Failure('BadInput', problems.map(byFlag).join('; '));
  }
}

/** Named, so that the same command with other metrics is another run. */
function withMetrics(batch: Batch, own: OwnMetrics): Batch {
  const chosen = chosenMetrics(batch, own);
  return chosen.length === 0 ? batch : { ...batch, metrics: chosen.map(({ name }) => name) };
}

function byFlag(problem: string): string {
  const found = FLAGS.find(([field]) => field.test(problem));
  return found ? problem.replace(...found) : problem;
}

/** The fields that have a value. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
