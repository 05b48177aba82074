/** The workflow of a round of proposals: asks for new prompts of the steps of a tune. */
import {
  ApplicationFailure,
  CancellationScope,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { FailureType } from '../../core/failure.js';
import type { ProposalRound, ProposeInput, StepToPropose } from '../../core/tune/proposals.js';
import type { TunePlan } from '../../core/tune/tune-runs.js';
import { type AnyAction, defineAction } from '../../steps/actions.js';
import { promptProblem } from '../../steps/propose-prompt.js';
import type { ProposalTask, TuneActivities } from '../activities/tune.js';
import { type Call, stepsOf } from '../algorithm.js';
import { Ledger } from '../question/ledger.js';
import { QuestionCalls } from '../question/question-calls.js';
import { progressQuery, showSteps } from '../question/question-workflow.js';
import { durableActivities } from '../question/step-activities.js';
import { modelQueue } from '../queue/task-queues.js';
import { causeOf, finalFailure, stopCalls } from '../workflow-failure.js';

const { readProposalTask, keepProposals } = proxyActivities<TuneActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
});

/**
 * The workflow of one round of prompt proposals in a tune. It asks a model or an action for new
 * prompts of the steps at which right answers were lost, and stores those that can be used. Returns
 * the stored and the refused prompts, and the usage.
 *
 * A failed call fails the workflow with an ApplicationFailure. Its type is the cause and its first
 * detail the usage so far. When the round is asked again, the response cache serves the calls
 * already made.
 *
 * @param tune The plan, with the rounds so far.
 */
export async function proposePrompts(tune: TunePlan): Promise<ProposalRound> {
  const task = await readProposalTask(tune);
  const ledger = new Ledger('proposePrompts', tune.definition.name, showSteps);
  setHandler(progressQuery, () => ledger.progress);
  const settings = {
    input: task.settings,
    defaultModel: '',
    isBegun: true,
    modelQueue: modelQueue(workflowInfo().taskQueue),
  };
  const { perform } = new QuestionCalls(settings, durableActivities(settings), ledger, () =>
    readProposalTask(tune),
  );
  const calls = new CancellationScope();
  try {
    const texts = await calls.run(() => writePrompts(task, perform));
    const steps = task.steps.map(({ file, keep, prompt, step }, i) => {
      return { file, keep, prompt, step, texts: texts[i] ?? [] };
    });
    const kept = await keepProposals({ tune, steps });
    const round = (tune.proposed?.length ?? 0) + 1;
    return { round, ...kept, usage: ledger.usage };
  } catch (error) {
    await stopCalls(calls, ledger, error);
    throw finalFailure(causeOf(error), { usage: ledger.usage }, error);
  }
}

/**
 * Asks for several new prompts for each step. Returns an array of texts for each step, in the
 * order of `steps`; null stands for a prompt that could not be used. What an action returns when
 * it is asked again is not checked here.
 *
 * @param perform Carries out each call.
 */
export async function writePrompts(
  { proposer, each, steps }: Pick<ProposalTask, 'each' | 'proposer' | 'steps'>,
  perform: (call: Call) => Promise<unknown>,
): Promise<(string | null)[][]> {
  const { step, ask } = stepsOf(perform);
  return Promise.all(
    steps.map((one) => ('by' in proposer ? byAction(one, proposer.by) : byModel(one))),
  );

  function byModel({
    step: of,
    prompt,
    keep,
    failureIds: failures,
    beforeText: before,
  }: StepToPropose): Promise<(string | null)[]> {
    const input = { of, prompt, keep: [...keep], failures, before };
    return Promise.all(
      Array.from({ length: each }, (_, number) => step.proposePrompt({ ...input, number })),
    );
  }

  /** Asks an action, and once more for as many prompts as could not be used. */
  async function byAction(
    { file: _, failureIds: __, beforeText: ___, ...shown }: StepToPropose,
    name: string,
  ): Promise<(string | null)[]> {
    const action: AnyAction = defineAction<ProposeInput, unknown>({ name, longest: () => [] });
    const asked = async (count: number, refused: ProposeInput['refused']) =>
      textsOf(await ask<ProposeInput, unknown>(action, { ...shown, count, refused }), name, count);
    const first = await asked(each, []);
    const refused = first.flatMap((text) => {
      const problem = promptProblem(text, shown);
      return problem === undefined ? [] : [{ text, problem }];
    });
    if (refused.length === 0) return first;
    const again = await asked(refused.length, refused);
    const usable = first.filter((text) => !refused.some((one) => one.text === text));
    return [...usable, ...refused.map((_, i) => again[i] ?? null)];
  }
}

/**
 * Returns the texts that an action returned, at most `most`.
 *
 * @throws ApplicationFailure BadInput if the value is not a list of texts.
 */
function textsOf(value: unknown, name: string, most: number): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return value.slice(0, most);
  }
  throw ApplicationFailure.nonRetryable(
    `try.propose.by: the action "${name}" returned no list of texts, but has to return one.`,
    'BadInput' satisfies FailureType,
  );
}
