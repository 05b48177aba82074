/** Determines which runs of a tune are asked next. */

import { modelFor } from '../../core/step-models.js';
import type { StudyDecision } from '../../core/study/cell.js';
import type { AdvanceTuneInput, TuneStep } from '../../core/study/plan.js';
import { stepsToPropose } from '../../core/tune/candidates.js';
import { runOfCandidate, runOfStart } from '../../core/tune/tune-runs.js';
import { questionHash } from '../../evaluation/tune/halves.js';
import { finalistText } from '../../evaluation/tune/tune-text.js';
import { checkDecidable } from './half-b.js';
import type { TunePorts } from './opened-tune.js';
import { isProposing, roundUpperBound } from './propose.js';
import { type TuneState, tuneState } from './tune-state.js';

/**
 * Returns the next step of a tune, from the answers so far: as `ask` the runs to ask, each with
 * its `input` and how many of its `questions` (null for all), or as `propose` that prompts are to
 * be written first, at a cost of at most `mostUsd` US dollars (null if unknown). If there are no
 * runs to ask and no prompts to write, the tune has ended. Before the first question of half B, on
 * which the result is confirmed, is asked, its questions are recorded as used for this claim.
 *
 * @throws Failure as `tuneState`; BadInput if too few questions of half B are left, because others
 * were used to confirm other claims.
 */
export async function advanceTune(
  { tune, ...progress }: AdvanceTuneInput,
  ports: TunePorts & Parameters<typeof roundUpperBound>[2],
): Promise<TuneStep> {
  const state = await tuneState(tune, ports, progress);
  const { plan, searched, confirmation } = state;
  const { proposed } = plan;
  const nothing: TuneStep = { ask: [], confirms: false, canStop: false, decisions: [] };
  const none = { ...nothing, ...(proposed && { proposed }) };
  if (!searched) {
    const { input } = runOfStart(state, 'A');
    return { ...none, ask: input ? [{ input, questions: null }] : [] };
  }
  const { next, asked } = searched.search;
  const canStop = asked.size > 0;
  if (!progress.stopped && isProposing(state)) {
    const steps = stepsToPropose(plan.definition.try, { ...state.start, steps: searched.steps });
    const { usd: mostUsd } = await roundUpperBound(state, steps, ports);
    return { ...none, canStop, propose: { mostUsd } };
  }
  if (next) {
    const { questions } = next;
    const ask = next.candidates.map((one) => {
      return { input: runOfCandidate(state, one, 'A').input, questions };
    });
    return { ...none, ask, canStop };
  }
  if (!confirmation) return none;
  if (confirmation.ask.length > 0) {
    const { questions, used, claim } = confirmation;
    checkDecidable(plan, questions, used);
    // Another tune may have used some of them just now.
    const others = await ports.confirmations.use(questions.map(questionHash), claim);
    const own = questions.filter((one) => !others.has(questionHash(one)));
    checkDecidable(plan, own, used + questions.length - own.length);
  }
  const ask = confirmation.ask.map(({ input }) => {
    return { input: input as TuneStep['ask'][number]['input'], questions: null };
  });
  return { ...none, ask, confirms: true, decisions: decisionsOf(state) };
}

/** Returns the results of the finalists on half B as decisions of a study. */
function decisionsOf({ plan, start, searched, confirmation }: TuneState): StudyDecision[] {
  if (!searched || !confirmation) return [];
  const { goal } = plan.definition;
  return confirmation.shown.map((one) => ({
    method: searched.search.finalists.find(({ id }) => id === one.id)?.label ?? one.id,
    dataset: 'half B',
    model: modelFor('default', { models: start.models }, 'default').model,
    against: 'start',
    metric: searched.metric.title,
    verdict:
      goal === 'better'
        ? one.isShown
          ? 'better'
          : 'undecided'
        : one.isShown
          ? 'PASS'
          : 'UNDECIDED',
    asked: one.questions,
    questions: confirmation.questions.length,
    difference: one.difference,
    summary: finalistText(one, plan.definition),
  }));
}
