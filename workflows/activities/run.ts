/** Types of an evaluation run's activities, for its workflows. */

import type { MethodResult, QuestionFailure } from '../../core/result.js';
import type { RunSpec, StoredRunSpec } from '../../core/run/input.js';
import type {
  CostsSeen,
  JudgeScores,
  RecordRef,
  RunMetric,
  RunSums,
  Tally,
  WorkflowEnding,
} from '../../core/run/run.js';
import type { Judge } from '../../core/step-models.js';
import type { StudyDecisions } from '../../core/study/cell.js';
import type { DecideStudyInput } from '../../core/study/plan.js';
import type { TenantShare } from '../../core/tenants.js';
import type { Usage } from '../../core/usage.js';
import type { JudgeInput } from '../../evaluation/citations/judge-answer.js';
import type { CallRecord } from '../../steps/call-record.js';
import type { SearchSource } from '../../steps/non-model-steps.js';
import type { RubricInput } from '../../steps/rubric.js';
import type { JudgeVerdicts, StoppedUsage } from '../../stores/runs/run-store.js';

/**
 * Activities of an evaluation run and of its study that cost no money: they open the run, read its
 * questions, record answers, judgements and usage, and decide comparisons.
 */
export interface RunActivities {
  /** Checks a run's input, then begins or resumes the run. @param input An unchecked RunInput. */
  openRun(input: unknown): Promise<OpenedRun>;
  /**
   * Returns a hash of the data that a run would be asked with, and its differences from the
   * existing run of its name.
   *
   * @param input An unchecked RunInput.
   */
  identifyRun(input: unknown): Promise<IdentifiedRun>;
  /** Returns the next page of questions that are to be asked or judged. */
  readQuestions(input: ReadQuestionsInput): Promise<ReadQuestions>;
  /**
   * Records the answer of a question, and returns its summary.
   *
   * @param startedAt Milliseconds since 1970.
   * @param calls Left out if the workflow of the question reported none.
   */
  recordAnswer(
    record: RecordRef,
    result: MethodResult | null,
    failure: QuestionFailure | null,
    startedAt: number,
    calls?: readonly CallRecord[],
  ): Promise<Tally>;
  /**
   * Returns the output of a step's oracle for a call of a question; no output if it does not decide
   * the call.
   *
   * @param recorded Output of the call in the records, which is returned if it is as good.
   */
  perfectOutput(
    record: RecordRef,
    step: string,
    input: unknown,
    recorded?: unknown,
  ): Promise<{ output?: unknown }>;
  /** Records the usage of questions that were cancelled with their run. */
  recordStopped(run: string, stopped: StoppedUsage): Promise<void>;
  /** Waits until at least one of these workflows has ended; returns those that have. */
  awaitEnded(workflowIds: string[]): Promise<EndedWorkflow[]>;
  /** Returns what a judge is asked about a stored answer. */
  readJudgeTask(record: RecordRef): Promise<JudgeTask>;
  /** Stores a judgement and returns the scores of the answer by it. */
  recordJudgement(record: RecordRef, found: JudgeFindings): Promise<Omit<JudgeScores, 'usage'>>;
  /** Decides the comparisons of a study from the answers so far. */
  decideStudy(asked: DecideStudyInput): Promise<StudyDecisions>;
}

/**
 * Result of `openRun`: the complete input of a run that has begun or was resumed, the number of
 * its questions, its custom metrics, the most model calls of a question, and the models that are
 * assumed to be free.
 */
export interface OpenedRun {
  /** The spec with all defaults, the worker's model and the data set's hash. */
  spec: StoredRunSpec;
  /** File name of the data set. */
  datasetName: string;
  /** Number of questions. */
  questions: number;
  /** Set if the server has search attributes to start questions with. */
  labelled?: true;
  /** Custom metrics; absent if the run has none. */
  metrics?: RunMetric[];
  /**
   * Maximum number of model calls of a question; only in a run by batch, whose calls then report
   * their costs.
   */
  callsEach?: number;
  /** Maximum number of model calls of a question; absent if its method declares no bound. */
  mostCalls?: number;
  /** Models without a price whose endpoint is on this machine; absent if there are none. */
  assumedFree?: string[];
}

/**
 * Result of `identifyRun`: a hash of the data that a run would use, the names of its custom
 * metrics, and its differences from the existing run of its name, a line of text each.
 */
export interface IdentifiedRun {
  /**
   * Hash of the contents of the data set, the corpus and the worker's setup, independent of their
   * location.
   */
  contents: string;
  /** Names of the custom metrics that the run would have. */
  metrics: readonly string[];
  /** One line for each difference from the existing run of this name; empty if there is none. */
  differences: string[];
}

/**
 * Input of `readQuestions`: the run, the place to continue at, and which of its questions to
 * return.
 */
export interface ReadQuestionsInput {
  run: string;
  /** Place to continue at; 0 for the first question. */
  from: number;
  /** Maximum number of questions to read, finished ones included. */
  most?: number | undefined;
  /** Time in milliseconds since 1970: questions that failed later are not retried. */
  retryBefore?: number | undefined;
  /** Whether unreadable answers are returned too, to be asked as another sample. */
  retryUnreadable?: boolean | undefined;
  /** Whether only answers to be judged are returned. */
  onlyJudge?: boolean | undefined;
}

/**
 * A page of a run's questions that are to be asked or judged, small enough for one history, with
 * the place of the next page, and the counts and score sums of the answers that are kept.
 */
export interface ReadQuestions {
  questions: PageQuestion[];
  /** Place of the next page; null after the last. */
  next: number | null;
  /** Number of questions read, finished ones included. */
  read: number;
  /** Sums over the questions with an answer that did not fail, judged or not. */
  kept: RunSums;
  /**
   * Usage by earlier starts of the questions read, failures included; on the first page also that
   * of cancelled questions.
   */
  earlier?: Usage;
  /** Known costs of the kept answers. */
  costsSeen?: CostsSeen;
  /** Set if a judge has judged some of the kept answers. */
  hasJudged?: true;
}

/**
 * A question of a run that is to be asked, or whose answer is to be judged: its id and text, its
 * name for workflow ids, and its place in the store.
 */
export interface PageQuestion {
  id: string;
  /** Name for workflow ids, unique within the run. */
  name: string;
  question: string;
  /** Its place in the store. */
  at: number;
  /** Number of the further sample to ask for, as in `RecordRef`; absent for the first. */
  resample?: number;
  /** Set if its answer exists and counts as kept, and only the judge must still be asked. */
  toJudge?: true;
}

/**
 * A task of the judge: the parts of an answer that it reads, the judge's model, and the settings
 * of its calls.
 */
export interface JudgeTask extends JudgeInput {
  judge: Judge;
  /** Settings of the run that its calls are made with. */
  settings: Pick<
    RunSpec,
    'cache' | 'extraBody' | 'limits' | 'outputs' | 'prompts' | 'seed' | 'tier'
  > & {
    retrieval: SearchSource;
  };
  question: string;
  rubrics?: RubricTask[];
  /** Tenant that the run asks for; absent if there is none. */
  tenant?: TenantShare;
}

/** A judge's verdicts on an answer, and the usage of the judge's calls. */
export interface JudgeFindings {
  verdicts: JudgeVerdicts;
  usage: Usage;
}

/**
 * A rubric by which a judge is to score an answer: its metric, its title, and the input of its
 * step.
 */
export interface RubricTask {
  /** The metric, which is also the name of its step. */
  metric: string;
  title: string;
  input: RubricInput;
}

/** A workflow that has ended, by its id, with how it ended: its result or failure. */
export interface EndedWorkflow {
  workflowId: string;
  ending: WorkflowEnding;
}
