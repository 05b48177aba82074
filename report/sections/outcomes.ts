/** How questions ended, and what the failures were. Pure. */

import type { FailureCount } from '../../core/run/failure-counts.js';
import type { RunsEvaluation } from '../../evaluation/runs/evaluate-runs.js';
import { count, percent } from '../../evaluation/runs/numbers.js';
import { QUESTION_STATES } from '../../evaluation/runs/question-state.js';
import type { RunFigures } from '../../evaluation/runs/run-figures.js';
import { html, type Markup } from '../html.js';
import { figure, runLabel, scroller } from './parts.js';

export function outcomeSection({ runs }: RunsEvaluation): Markup | undefined {
  const rows = runs.map(
    (
      run,
      position,
    ) => html`<tr><th scope="row">${runLabel(run, position)}</th><td class="wide">${outcomeBar(run)}</td>
${QUESTION_STATES.map((state) => html`<td class="number">${count(run.states[state])}</td>`)}
<td class="number">${run.rejectRate === undefined ? '–' : percent(run.rejectRate)}</td></tr>`,
  );
  return figure(
    'outcomes',
    'How questions ended',
    'Right and wrong by accuracy, EM or STR hit; where there is only a graded score, right is at least half of it. The reject rate is the share answered “unknown”, the failed left out.',
    scroller(
      'How questions ended',
      html`<table><thead><tr><th scope="col">Run</th><td></td>${QUESTION_STATES.map(
        (state) => html`<th scope="col" class="number"><i class="mark ${state}"></i>${state}</th>`,
      )}<th scope="col" class="number">reject rate, %</th></tr></thead><tbody>${rows}</tbody></table>`,
    ),
  );
}

function outcomeBar({ states, ended }: RunFigures): Markup {
  let from = 0;
  const parts = QUESTION_STATES.map((state) => {
    const width = ended === 0 ? 0 : (100 * states[state]) / ended;
    const part = html`<rect class="state ${state}" x="${from.toFixed(2)}%" width="${width.toFixed(2)}%" height="100%"/>`;
    from += width;
    return part;
  });
  return html`<svg class="stack" width="100%" height="14" aria-hidden="true">${parts}</svg>`;
}

export function failureSection({ runs }: RunsEvaluation): Markup | undefined {
  const keyOf = ({ type, step }: FailureCount) => JSON.stringify([type, step]);
  const kinds = new Map(
    runs.flatMap(({ failures }) => failures.map((failure) => [keyOf(failure), failure] as const)),
  );
  if (kinds.size === 0) return undefined;
  const rows = [...kinds].map(([key, { type, step, example }]) => {
    const counts = runs.map(({ failures }) => failures.find((f) => keyOf(f) === key)?.questions);
    return html`<tr><th scope="row">${type}<small>${step ?? 'outside of a step'}</small></th>${counts.map(
      (questions) =>
        html`<td class="number">${questions === undefined ? '–' : count(questions)}</td>`,
    )}<td class="message">${example}</td></tr>`;
  });
  return figure(
    'failures',
    'Failures by kind',
    'Questions, and the message of one of them. “retry” asks them again.',
    scroller(
      'Failures by kind',
      html`<table class="kinds"><thead><tr><th scope="col">Kind</th>${runs.map(
        (run, position) => html`<th scope="col" class="number">${runLabel(run, position)}</th>`,
      )}<th scope="col">Message</th></tr></thead><tbody>${rows}</tbody></table>`,
    ),
  );
}

export function flagSection({ runs }: RunsEvaluation): Markup | undefined {
  const kinds = [...new Set(runs.flatMap(({ flags }) => Object.keys(flags)))].sort();
  if (kinds.length === 0) return undefined;
  return figure(
    'flags',
    'Flags',
    'Questions on whose way something was out of the ordinary.',
    scroller(
      'Flags',
      html`<table><thead><tr><th scope="col">Run</th>${kinds.map(
        (kind) => html`<th scope="col" class="number">${kind}</th>`,
      )}</tr></thead><tbody>${runs.map(
        (run, position) =>
          html`<tr><th scope="row">${runLabel(run, position)}</th>${kinds.map(
            (kind) =>
              html`<td class="number">${count(run.flags[kind as keyof typeof run.flags] ?? 0)}</td>`,
          )}</tr>`,
      )}</tbody></table>`,
    ),
  );
}
