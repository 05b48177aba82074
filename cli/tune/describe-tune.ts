/** A tune before it is begun, in lines for people. Pure. */
import { dollars } from '../../core/dollars.js';
import { goalOf, type Tune } from '../../core/tune/tune.js';
import { count, percent, plural } from '../../evaluation/runs/number-text.js';
import {
  addEffort,
  type Effort,
  type EffortBounds,
  timesEffort,
} from '../../evaluation/tune/bounds.js';
import { paidBackAfter } from '../../evaluation/tune/power.js';
import type { PlannedTune } from '../../interpreters/plan-tune.js';

/** Returns what a tune would take and could show. */
export function describeTune(tune: Tune, planned: PlannedTune): string[] {
  const { questions, candidates, search, confirmation, start, proposals } = planned;
  const used = questions.used > 0 ? `; ${questions.used} more have confirmed another claim` : '';
  const asksStart = start.A.calls > 0 || start.B.calls > 0;
  const labels = candidates.map(({ candidate, times }) =>
    times === 1 ? candidate.label : `${candidate.label}, each of ${times}`,
  );
  const width = Math.max(...labels.map(({ length }) => length));
  const each = candidates.flatMap(({ steps, ...bounds }, i) => [
    `  ${labels[i]?.padEnd(width)}  ${boundsText(times(bounds, questions.A))}`,
    ...(steps.length < 2
      ? []
      : steps.map((step) => `    ${step.step}: ${boundsText(times(step, questions.A))}`)),
  ]);
  return [
    `${tune.name}: ${plural(changesIn(planned), 'change')}, searched on ${count(questions.A)} questions (half A), confirmed on ${count(questions.B)} (half B${used})`,
    ...(asksStart ? [`Start     ${effortText(start.A)} on half A, at most`] : []),
    ...(proposals.most.calls > 0 ? [`Propose   at most ${effortText(proposals.most)}`] : []),
    `Search    ${boundsText(search)}`,
    `Confirm   at most ${effortText(confirmation)}, set aside`,
    showsText(tune, planned),
    ...payBackText(planned),
    'Failures  an answer that fails counts as wrong, in the start and in every candidate',
    'On all of half A, each change takes',
    ...each,
  ];
}

function showsText(
  tune: Tune,
  { confirmable, changing, chance, questions, ...planned }: PlannedTune,
) {
  const share = `if ${percent(changing)} % of the answers change`;
  const { goal, margin } = goalOf(tune);
  if (goal === 'cheaper') {
    return `Shows     that less than ${percent(margin)} points are lost with a chance of ${percent(chance)} %, by a candidate that loses none, ${share}; ${count(questions.B)} questions show ${percent(confirmable)} points with one of 80 %`;
  }
  return `Shows     a gain of ${percent(confirmable)} points with a chance of 80 %, ${share}; one such gain among ${plural(changesIn(planned), 'change')} is found and shown with a chance of about ${percent(chance)} %`;
}

/** Says how soon the tune pays for itself, for every half that a question may become cheaper. */
function payBackText({ startFigures, ...planned }: PlannedTune): string[] {
  const usd = startFigures?.usd;
  const { proposals, search, confirmation } = planned;
  const { usd: most } = addEffort(addEffort(proposals.most, search.most), confirmation);
  if (!usd || most === null) return [];
  const after = paidBackAfter(most, usd, usd / 2);
  return [
    `Pays      a question of the start costs ${dollars(usd)}; at half of that, the most that this tune takes is saved after ${count(after ?? 0)} questions`,
  ];
}

function changesIn({ candidates }: Pick<PlannedTune, 'candidates'>): number {
  return candidates.reduce((sum, { times }) => sum + times, 0);
}

function times({ least, most }: EffortBounds, questions: number): EffortBounds {
  return { least: timesEffort(least, questions), most: timesEffort(most, questions) };
}

function effortText({ calls, usd }: Effort): string {
  const cost = usd === null ? 'at an unknown price' : dollars(usd);
  return `${plural(Math.ceil(calls), 'call')}, ${cost}`;
}

function boundsText({ least, most }: EffortBounds): string {
  const isSame = Math.ceil(least.calls) === Math.ceil(most.calls) && least.usd === most.usd;
  return isSame ? effortText(most) : `${effortText(least)} at least, ${effortText(most)} at most`;
}
