/** Input and result of GenRead's clustering job (GenRead 3.2.2). Pure. */
import { z } from 'zod';
import type { SetOrigin } from '../core/demonstration-sets.js';
import { NAME_PATTERN, NAME_RULE } from '../core/name.js';
import { parsedBy } from '../core/options/checked.js';
import { commonInput, tenant } from '../core/options/input.js';
import { nonEmpty, whole } from '../core/options/ranges.js';
import { unknownSteps } from '../core/options/step-models.js';
import { datasetInput } from '../core/run/dataset-input.js';
import { runInput } from '../core/run/input.js';
import { transport } from '../core/run/transport-input.js';
import { TASKS } from '../core/task.js';
import type { Usage } from '../core/usage.js';

export const clusterInput = commonInput
  .pick({ models: true, extraBody: true, outputs: true, tier: true, prompts: true })
  .extend(commonInput.pick({ seed: true, cache: true, limits: true }).shape)
  .extend({
    name: z
      .string()
      .regex(NAME_PATTERN, NAME_RULE)
      .describe('what later questions call the demonstration set')
      .meta({ flag: '--name <name>' }),
    ...datasetInput.shape,
    sample: runInput.shape.sample.describe(
      'questions drawn by sampleSeed; all when left out (GenRead 3.2.2: all)',
    ),
    sampleSeed: runInput.shape.sampleSeed.describe('draws the sample, the same for every seed'),
    task: z.enum(TASKS).default('openQA').describe('what the questions are'),
    documents: z
      .enum(['generated', 'retrieved'])
      .default('generated')
      .describe('where the document of a question comes from (GenRead 3.2.2, step 1)'),
    corpus: nonEmpty.optional().describe('index to search when the documents are retrieved'),
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
    tenant,
    transport,
    window: whole(1, 500).default(20).describe('documents under way at a time'),
  })
  .superRefine(({ documents, corpus }, context) => {
    if ((documents === 'retrieved') === (corpus !== undefined)) return;
    const message =
      corpus === undefined
        ? 'is missing: name the index that documents are retrieved from'
        : 'has no effect: only documents that are retrieved are searched for';
    context.addIssue({ code: 'custom', path: ['corpus'], message });
  })
  .superRefine(({ task, onlyWithAnswer }, context) => {
    if (!onlyWithAnswer || task === 'openQA') return;
    const message = 'is for openQA: the answers to claims and utterances stand in no document';
    context.addIssue({ code: 'custom', path: ['onlyWithAnswer'], message });
  });

/** The checked input of a clustering job, with a default for every field that was left out. */
export type ClusterJob = z.output<typeof clusterInput>;

/**
 * The input of a clustering job, as a caller writes it.
 *
 * @example { name: 'webq', dataset: 'webq-train', clusters: 10 }
 */
export type ClusterInput = z.input<typeof clusterInput>;

/**
 * Returns the input of a clustering job, checked and with all defaults.
 *
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parseClusterInput(input: unknown): ClusterJob {
  return parsedBy(clusterInput, input, (job) => unknownSteps(job, ['generateDocument']));
}

/** The progress of a clustering job. */
export interface ClusterProgress {
  /** Questions of the job; 0 until the data set has been read. */
  questions: number;
  /** Questions whose document exists or is given up. */
  done: number;
  failed: number;
  running: number;
}

/** Questions whose pair was not clustered, by reason. */
export interface LeftOut {
  /** Questions whose call for a document failed. */
  failed: number;
  /** Questions whose document could not be read, or for which the search found none. */
  empty: number;
  /** Questions whose document holds no accepted answer, if that is required. */
  withoutAnswer: number;
}

/** The result of a clustering job: the stored demonstration set, and what was left out. */
export interface ClusterSummary {
  /** Name of the demonstration set. */
  name: string;
  /** Id of the demonstration set, derived from its content. */
  id: string;
  questions: number;
  leftOut: LeftOut;
  /** Pairs in each cluster, the largest first; none is empty. */
  clusters: number[];
  /** Usage of writing and embedding the documents. */
  usage: Usage;
  origin: SetOrigin;
}
