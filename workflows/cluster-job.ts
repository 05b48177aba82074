/** Input, result and activities of GenRead's clustering job (GenRead 3.2.2). Pure. */
import { z } from 'zod';
import type { SetOrigin } from '../core/demonstration-sets.js';
import { NAME_PATTERN, NAME_RULE } from '../core/name.js';
import { parsedBy } from '../core/options/checked.js';
import { commonInput } from '../core/options/input.js';
import { whole } from '../core/options/ranges.js';
import type { RunSpec } from '../core/run/input.js';
import type { TenantShare } from '../core/tenants.js';
import type { Usage } from '../core/usage.js';
import type { CallBounds, EmbeddingRow } from './activities/calls.js';

/** Zod schema of the input of a clustering job, with defaults. */
export const clusterInput = commonInput.pick({ seed: true }).extend({
  name: z
    .string()
    .regex(NAME_PATTERN, NAME_RULE)
    .describe('what later questions call the demonstration set')
    .meta({ flag: '--name <name>' }),
  run: z
    .string()
    .regex(NAME_PATTERN, NAME_RULE)
    .describe('run whose questions and documents are clustered (GenRead 3.2.2, step 1)')
    .meta({ flag: '--run <run>' }),
  clusters: whole(1, 100)
    .default(10)
    .describe('K, the documents a later question can have (GenRead 4.2.1: 10)')
    .meta({ flag: '--clusters <k>' }),
  pairs: whole(1, 20)
    .default(5)
    .describe('n, question-document pairs sampled from a cluster (GenRead 3.2.2: 5)')
    .meta({ flag: '--pairs <n>' }),
  drawnFrom: z
    .enum(['clusters', 'allPairs'])
    .default('clusters')
    .describe(
      'each set of pairs is drawn from a cluster of its own, or all from all pairs (GenRead table 11), without embeddings',
    )
    .meta({ flag: '--drawn-from <source>' }),
  onlyWithAnswer: z
    .boolean()
    .default(false)
    .describe(
      'leaves out documents that hold no accepted answer (the authors’ script; not in the paper)',
    ),
});

/**
 * The checked input of a clustering job, which clusters the question-document pairs of a run into
 * a demonstration set (GenRead 3.2.2), with a default for every field that was left out.
 */
export type ClusterJob = z.output<typeof clusterInput>;

/**
 * The input of a job that clusters the question-document pairs of a run into a demonstration set
 * (GenRead 3.2.2), as a caller writes it; fields with defaults may be left out.
 *
 * @example { name: 'webq', run: 'webq-train', clusters: 10 }
 */
export type ClusterInput = z.input<typeof clusterInput>;

/**
 * Returns the input of a clustering job, checked and with all defaults.
 *
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parseClusterInput(input: unknown): ClusterJob {
  return parsedBy(clusterInput, input);
}

/** The progress of a clustering job: the number of its questions, and of those that are done. */
export interface ClusterProgress {
  /** Number of questions of the run; 0 until it has been opened. */
  questions: number;
  /** Number of questions whose pair is embedded or left out. */
  done: number;
}

/**
 * Numbers of questions that a clustering job left out, by reason: those that the run has not
 * answered, those answered from no document, and those whose document contains no accepted answer,
 * if that is required.
 */
export interface LeftOut {
  /** Number of questions that the run has not answered. */
  failed: number;
  /** Number of questions answered from no document or passage. */
  empty: number;
  /** Number of questions whose document contains no accepted answer, if that is required. */
  withoutAnswer: number;
}

/**
 * The result of a clustering job: the name and id of the stored demonstration set, the number of
 * pairs in each cluster, the numbers of questions and of those left out, by reason, and the usage.
 */
export interface ClusterSummary {
  /** Name of the demonstration set. */
  name: string;
  /** Id of the demonstration set, derived from its content. */
  id: string;
  questions: number;
  leftOut: LeftOut;
  /** Number of pairs in each cluster, the largest first; none is empty. */
  clusters: number[];
  /** Usage of embedding the pairs. */
  usage: Usage;
  origin: SetOrigin;
}

/**
 * The activities of a clustering job, which makes a demonstration set of the question-document pairs
 * of a run (GenRead 3.2.2).
 */
export interface ClusterActivities {
  /** Checks a job and its run, before anything is paid for. */
  openClusterJob(input: ClusterInput): Promise<OpenedClusterJob>;
  /**
   * Embeds the next pairs of the run, and stores their vectors; the only one that calls a model.
   *
   * @param from Place of the first question.
   */
  embedPairs(
    job: ClusterJob,
    from: number,
    bounds: CallBounds,
  ): Promise<EmbeddingRow<EmbeddedPage>>;
  /** Clusters the embedded pairs and stores the demonstration set. */
  clusterPairs(
    job: ClusterJob,
  ): Promise<Pick<ClusterSummary, 'clusters' | 'id' | 'leftOut' | 'origin'>>;
}

/**
 * The checked input of a clustering job, with the limits, the tenant and the number of questions of
 * its run.
 */
export interface OpenedClusterJob {
  job: ClusterJob;
  questions: number;
  limits: RunSpec['limits'];
  /** The tenant that pays; left out if there is none. */
  tenant?: TenantShare;
}

/**
 * Result of `embedPairs`: how many questions it read, and the place of the next one; null after
 * the last.
 */
export interface EmbeddedPage {
  questions: number;
  /** Place of the next question; null after the last. */
  next: number | null;
}
