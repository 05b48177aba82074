/** Checks whether a worker has the setup that a run began with, before anything is paid for. */
import { hostname } from 'node:os';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import type { SearchMode } from '../../core/vocabulary.js';
import { runDifferences } from '../../evaluation/runs/run-identity.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { askedWith } from './asked-with.js';
import { corpusName } from './run-of.js';

/** The parts of a worker's setup that are compared with a run's. */
export type FitPorts = Pick<
  Ports,
  'corpora' | 'embeddings' | 'llm' | 'methods' | 'prices' | 'prompts' | 'reranker' | 'steps'
>;

/**
 * Checks that this worker has the setup that the run began with. For a judge, the code of the
 * method is not compared.
 *
 * @throws Failure RunMismatch naming the differences; it makes the run pause.
 */
export async function checkFit(
  manifest: RunManifest,
  ports: FitPorts,
  askedBy: 'judge' | 'method' = 'method',
): Promise<void> {
  const { input } = manifest;
  const { ownSteps: _, code, ...rest } = manifest;
  const asked = await askedWith(input, ports).catch((error) => refuse(manifest, error));
  const here = { ...rest, ...asked, ...(askedBy === 'judge' && code && { code }) };
  const differing = runDifferences(manifest, here);
  if (differing.length > 0) throw mismatch(manifest.run, differing.join('; '));
}

/**
 * Returns a name for the corpus of a run with the content that it had when the run began. Every
 * worker finds that content by it, even after the corpus has been rebuilt.
 *
 * @throws Failure RunMismatch if it is gone, or cannot be searched in this mode.
 */
export async function corpusOfRun(
  manifest: RunManifest,
  mode: SearchMode | undefined,
  { corpora }: Pick<Ports, 'corpora'>,
): Promise<string> {
  const name = corpusName(manifest);
  if (name === null) throw mismatch(manifest.run, 'it was begun without a corpus to search');
  try {
    await corpora.open(name, mode);
    return name;
  } catch (error) {
    return refuse(manifest, error);
  }
}

/**
 * Throws the error, as a RunMismatch if no retry can help: what this worker lacks, another worker
 * may have.
 */
function refuse({ run }: RunManifest, error: unknown): never {
  if (!(error instanceof Failure) || error.retryable) throw error;
  throw mismatch(run, error.message);
}

function mismatch(run: string, what: string): Failure {
  return new Failure(
    'RunMismatch',
    `A worker (process ${process.pid} on ${hostname()}) is not set up as the run ${run} was begun. Set it up as it was, and the run goes on by itself (at once by ${command('resume', run)}); or take the change into the run by its eval command with --accept-change; or begin another run (--name). What differs: ${what}`,
  );
}
