/** Makes Chain-of-Note's training data: notes by a strong model, exported (Yu et al., 2023, 3.3.2-3). */
import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  continueAsNew,
  defineQuery,
  executeChild,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CollectedJob } from '../activities/training/collect-questions.js';
import type { TrainingActivities } from '../activities/training/index.js';
import type { Page } from '../activities/training/read-page.js';
import type { AskedBy } from '../methods/batch.js';
import type { ChainOfNoteChain, ChainOfNoteOptions } from '../methods/chain-of-note.js';
import { COMMON_FAILURES } from '../methods/failure.js';
import type { MethodInput } from '../methods/input.js';
import type { MethodResult } from '../methods/result.js';
import type {
  KeptQuestion,
  TrainingInput,
  TrainingJob,
  TrainingProgress,
  TrainingSummary,
} from '../methods/training-job.js';
import { slidingWindow } from './sliding-window.js';

const { collectQuestions, readPage, keepResult, exportExamples } =
  proxyActivities<TrainingActivities>({
    startToCloseTimeout: '7h',
    heartbeatTimeout: '10s',
  });

export const trainingProgressQuery = defineQuery<TrainingProgress>('progress');

/** Where a job stands between two runs of its workflow. */
interface Standing extends CollectedJob {
  /** Where in the question file to go on. */
  offset: number;
  done: number;
  failed: number;
}

/**
 * One child workflow a question, page after page, each page in a run of its own so that no history
 * grows; results go into the folder as they come, and the examples are written at the end.
 *
 * Starting a job again on its folder asks only what has no result yet, or a failed one.
 */
export async function chainOfNoteTraining(
  input: TrainingInput,
  before?: Standing,
): Promise<TrainingSummary> {
  const { done = 0, failed = 0, offset = 0 } = before ?? {};
  const progress: TrainingProgress = { questions: 0, done, failed, running: 0 };
  setHandler(trainingProgressQuery, () => progress);
  const { job, questions } = before ?? (await collectQuestions(input));
  progress.questions = questions;

  const page = await readPage({ out: job.out, offset });
  progress.done += page.kept;
  await slidingWindow(page.questions, job.window, async (question) => {
    progress.running++;
    const kept = await ask(job, question);
    await keepResult(job.out, kept);
    progress.running--;
    progress.done++;
    if (kept.failure === undefined) return;
    progress.failed++;
    const { type, message } = kept.failure;
    if (COMMON_FAILURES.has(type)) throw ApplicationFailure.nonRetryable(message, type);
  });

  if (page.next === null) return exportExamples(job);
  return continueAsNew<typeof chainOfNoteTraining>(input, {
    job,
    questions,
    done: progress.done,
    failed: progress.failed,
    offset: page.next,
  });
}

/** The workflow chainOfNote, as the job asks it. */
type NotesQuestion = (
  input: MethodInput<ChainOfNoteOptions>,
  asked: AskedBy,
) => Promise<MethodResult<ChainOfNoteChain>>;

/** The question's result, or why it has none; throws only when the job itself is cancelled. */
async function ask(job: TrainingJob, asked: Page['questions'][number]): Promise<KeptQuestion> {
  const { id, name, question, passages } = asked;
  const { corpus, models, prompts, seed, cache, limits, labels } = job;
  try {
    const result = await executeChild<NotesQuestion>('chainOfNote', {
      workflowId: `${workflowInfo().workflowId}/${name}`,
      staticSummary: question.slice(0, 200),
      args: [
        {
          question,
          retrieval: { corpus },
          options: { passages: job.passages, form: 'single', examples: true },
          ...{ models, prompts, seed, cache, limits, labels },
        },
        passages ? { passages } : {},
      ],
    });
    return { id, result };
  } catch (error) {
    const isOurs = CancellationScope.current().consideredCancelled;
    if (isOurs || !(error instanceof ChildWorkflowFailure)) throw error;
    return { id, ...whatFailed(error) };
  }
}

function whatFailed({ cause, message }: ChildWorkflowFailure): Omit<KeptQuestion, 'id'> {
  if (!(cause instanceof ApplicationFailure)) {
    const type = cause?.name === 'CancelledFailure' ? 'Cancelled' : 'Terminated';
    return { failure: { type, message: cause?.message ?? message, step: null } };
  }
  const result = cause.details?.[0] as MethodResult<never> | undefined;
  const failure = { type: cause.type ?? 'Unexpected', message: cause.message, step: null };
  return { ...(result && { result }), failure: result?.failure ?? failure };
}
