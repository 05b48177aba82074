/** What is asked next in a tune. */

import { modelFor } from '../../core/step-models.js';
import type { StudyDecision } from '../../core/study/cell.js';
import type { AdvanceTune, TuneStep } from '../../core/study/plan.js';
import { candidateRun, startRun } from '../../core/tune/runs.js';
import { contentOf } from '../../evaluation/tune/halves.js';
import { shownText } from '../../evaluation/tune/tune-text.js';
import { checkDecidable, type TunePorts, type TuneState, tuneState } from './tune-state.js';

/**
 * Reads what has been answered, and says what is asked next. Before the first question of half B is
 * asked, its questions are marked as used for what is claimed.
 *
 * @throws Failure as `tuneState`; BadInput if the questions of half B have confirmed other claims, so
 *   that too few are left.
 */
export async function advanceTune(
  { tune: plan, ...under }: AdvanceTune,
  ports: TunePorts,
): Promise<TuneStep> {
  const state = await tuneState(plan, ports, under);
  const { searched, confirmation } = state;
  if (!searched) {
    const { input } = startRun(state, 'A');
    const ask = input ? [{ input, questions: null }] : [];
    return { ask, confirms: false, canStop: false, decisions: [] };
  }
  const { next, asked } = searched.search;
  if (next) {
    const { questions } = next;
    const ask = next.candidates.map((one) => {
      return { input: candidateRun(state, one, 'A').input, questions };
    });
    return { ask, confirms: false, canStop: asked.size > 0, decisions: [] };
  }
  if (!confirmation) return { ask: [], confirms: false, canStop: false, decisions: [] };
  if (confirmation.ask.length > 0) {
    const { questions, used, claim } = confirmation;
    checkDecidable(plan, questions.length, used);
    await ports.confirmations.use(questions.map(contentOf), claim);
  }
  const ask = confirmation.ask.map(({ input }) => {
    return { input: input as TuneStep['ask'][number]['input'], questions: null };
  });
  return { ask, confirms: true, canStop: false, decisions: decisionsOf(state) };
}

/** Returns what half B has shown of the finalists, as a study tells its decisions. */
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
    said: shownText(one, plan.definition),
  }));
}
