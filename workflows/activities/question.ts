/** The activities of a question, as its workflow knows them. Types only. */

import type { CompleteInput } from '../../core/options/input.js';
import type { Fork } from '../../core/run/input.js';
import type { AskedBy } from '../../core/run/run.js';
import type { Estimated } from '../../core/usage.js';
import type { PassageRef } from '../../core/vocabulary.js';
import type { Timed } from '../../steps/call.js';
import type { CallRecord } from '../../steps/call-record.js';
import type {
  DemonstrationSetInput,
  DemonstrationSetRef,
  EmbedTextsInput,
  RankInput,
  RetrieveInput,
  ScoreByTfIdfInput,
  Source,
} from '../../steps/other.js';
import type { CallBounds, EmbeddingOutput } from './calls.js';
import type { ClusterActivities } from './clusters.js';
import type { BatchingActivities } from './provider-batches.js';
import type { RateActivities } from './rates.js';
import type { RunActivities } from './run.js';

/** Input with every default filled in, the passages that came with it by reference. */
export interface PreparedInput<O> extends Omit<CompleteInput<O>, 'retrieval'> {
  retrieval: Source;
}

export interface Prepared<O> {
  input: PreparedInput<O>;
  /** The model of the steps for which the input names none. */
  defaultModel: string;
  /** Whether the server has those of ours. */
  searchAttributes: boolean;
  /**
   * Model steps are on the queue of the workflow, whose worker begins them at once; left out where
   * they are on the queue that limits of requests are kept for.
   */
  eager?: true;
  /** The workflow's own worker makes the searches. */
  searchesLocally?: true;
  /** Calls that it takes in place of asking them; of a run that is a fork. */
  fork?: Pick<Fork, 'address' | 'at' | 'output' | 'perfect' | 'run'> & {
    /** Steps whose prompts are not as the other run was asked with. */
    changed: string[];
    taken: CallRecord[];
  };
  /** Where it searches, where that is left to workers of another queue. */
  searchQueue?: string;
}

/** What the workflow is told with the failure of an activity. */
export interface FailureDetail {
  /** What the attempts without an answer may have cost. */
  estimated?: Estimated | undefined;
  /** Whether the server has our search attributes, told of a question that cannot begin. */
  searchAttributes?: boolean;
}

/** The activities that embed or score texts, which an endpoint may charge for as well. */
export interface EmbeddingActivities {
  /** Gives the keys that `ports.embeddings.get` finds the vectors under. */
  embedTexts(input: EmbedTextsInput, bounds: CallBounds): Promise<EmbeddingOutput<string[]>>;
  /** Best first; the score is the cosine, and equal ones keep their order. */
  rankBySimilarity: RankActivity;
  rankByCrossEncoder: RankActivity;
}

type RankActivity = (
  input: RankInput,
  /** Null when the passages came with the question. */
  corpus: string | null,
  bounds: CallBounds,
) => Promise<EmbeddingOutput<PassageRef[]>>;

/** The searches of questions: beside the workflows, or on a queue of their own. */
export interface SearchActivities {
  retrieve(input: RetrieveInput, source: Source, bounds: CallBounds): Promise<Timed<PassageRef[]>>;
  scoreByTfIdf(
    input: ScoreByTfIdfInput,
    /** Null when the passages came with the question. */
    corpus: string | null,
    bounds: CallBounds,
  ): Promise<Timed<number[]>>;
}

/** The activities that cost nothing; they run beside the workflows. */
export interface QuestionActivities
  extends SearchActivities,
    RunActivities,
    ClusterActivities,
    BatchingActivities,
    RateActivities {
  prepare(method: string, input: unknown, asked?: AskedBy): Promise<Prepared<unknown>>;
  findDemonstrationSet(
    input: DemonstrationSetInput,
    bounds: CallBounds,
  ): Promise<Timed<DemonstrationSetRef>>;
}
