/** The activities of an evaluation run, as its workflows know them. Types only. */

import type { MethodResult, QuestionFailure } from '../../core/result.js';
import type { RunSpec, StoredRunSpec } from '../../core/run/input.js';
import type {
  CostsSeen,
  Ending,
  Judged,
  KeptSums,
  RecordRef,
  RunMetric,
  Tally,
} from '../../core/run/run.js';
import type { Judge } from '../../core/step-models.js';
import type { DecideStudy, StudyDecisions } from '../../core/study/cell.js';
import type { Usage } from '../../core/usage.js';
import type { ToJudge } from '../../evaluation/citations/judge-answer.js';
import type { CallRecord } from '../../steps/call-record.js';
import type { Source } from '../../steps/other.js';
import type { RubricInput } from '../../steps/rubric.js';
import type { JudgeVerdicts, StoppedUsage } from '../../stores/runs/run-store.js';

export interface RunActivities {
  /** @param input A RunInput that nobody has checked yet. */
  openRun(input: unknown): Promise<OpenedRun>;
  /** @param input A RunInput that nobody has checked yet. */
  identifyRun(input: unknown): Promise<IdentifiedRun>;
  readQuestions(input: ReadInput): Promise<ReadQuestions>;
  /**
   * @param startedAt Milliseconds since 1970.
   * @param calls Left out where its workflow told nothing.
   */
  recordAnswer(
    record: RecordRef,
    result: MethodResult | null,
    failure: QuestionFailure | null,
    startedAt: number,
    calls?: readonly CallRecord[],
  ): Promise<Tally>;
  /**
   * Gives what the oracle of a step gives for a call of a question; without an output where it does
   * not decide it.
   */
  perfectOutput(record: RecordRef, step: string, input: unknown): Promise<{ output?: unknown }>;
  recordStopped(run: string, stopped: StoppedUsage): Promise<void>;
  awaitEnded(workflowIds: string[]): Promise<Ended[]>;
  readJudgeTask(record: RecordRef): Promise<JudgeTask>;
  /** Gives what the answer scores by it. */
  recordJudgement(record: RecordRef, found: JudgeFindings): Promise<Omit<Judged, 'usage'>>;
  /** Says which comparisons of a study are decided, by what is answered so far. */
  decideStudy(asked: DecideStudy): Promise<StudyDecisions>;
}

export interface OpenedRun {
  /** With every default filled in, the worker's model and the hash of the data set included. */
  spec: StoredRunSpec;
  /** What the file of its data set was called. */
  datasetName: string;
  questions: number;
  /** Whether the server has search attributes to start questions with. */
  labelled?: true;
  /** Metrics of somebody's own; only where the run has any. */
  metrics?: RunMetric[];
  /** The most model calls of a question; only of a run by batch, whose calls then tell their costs. */
  callsEach?: number;
  /** The most model calls of a question; left out if its method does not tell. */
  mostCalls?: number;
  /** Models without a price whose endpoint is on this machine; only if there are any. */
  assumedFree?: string[];
}

export interface IdentifiedRun {
  /** A hash of the content of data set, corpus and prompts, wherever they lie. */
  contents: string;
  /** The names of the metrics of somebody's own that it would have. */
  metrics: readonly string[];
  /** A line for each difference from the run of this name; none where there is no such run. */
  differences: string[];
}

export interface ReadInput {
  run: string;
  /** The place to go on at; 0 for the first question. */
  from: number;
  /** How many questions are read at most, those that are done included. */
  most?: number | undefined;
  /** Questions that have failed since then stay so; milliseconds since 1970. */
  retryBefore?: number | undefined;
  /** Gives answers that could not be read as well, to be asked as another sample. */
  retryUnreadable?: boolean | undefined;
  /** Gives none but what is to be judged. */
  onlyJudge?: boolean | undefined;
}

/** Questions that fit into one history. */
export interface ReadQuestions {
  questions: PageQuestion[];
  /** Where the next page begins; null after the last. */
  next: number | null;
  /** How many questions were read, those that are done included. */
  read: number;
  /** Those that have an answer that did not fail, whether it is judged or not. */
  kept: KeptSums;
  /**
   * What earlier starts took for the questions read, those that failed included; with the first page
   * also what those took that were cancelled.
   */
  earlier?: Usage;
  /** What those have cost that are kept. */
  costsSeen?: CostsSeen;
  /** The judge has judged some of them. */
  hasJudged?: true;
}

export interface PageQuestion {
  id: string;
  /** Safe in workflow ids, and its own. */
  name: string;
  question: string;
  /** Its place in the store. */
  at: number;
  /** See `RecordRef`. */
  resample?: number;
  /** It has its answer, and counts as kept; only the judge of the run is still to be asked. */
  toJudge?: true;
}

export interface JudgeTask extends ToJudge {
  judge: Judge;
  /** How the run makes its calls. */
  settings: Pick<
    RunSpec,
    'cache' | 'extraBody' | 'limits' | 'outputs' | 'prompts' | 'seed' | 'tier'
  > & {
    retrieval: Source;
  };
  question: string;
  rubrics?: RubricTask[];
}

export interface JudgeFindings {
  verdicts: JudgeVerdicts;
  usage: Usage;
}

export interface RubricTask {
  /** The metric, which is the name of its step. */
  metric: string;
  title: string;
  input: RubricInput;
}

export interface Ended {
  workflowId: string;
  ending: Ending;
}
