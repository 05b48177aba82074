/** Renders where wrong answers were lost. Pure. */
import { plural } from '../../evaluation/runs/number-text.js';
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import { forestPlot } from '../charts/forest.js';
import type { ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';
import { captionedFigure } from './figure-parts.js';

/**
 * The result of `explain` for one run, prepared for display: the steps that lost right answers,
 * and how much higher, as a fraction, the mean score would be with perfect outputs of one step.
 */
export interface ShownExplanation {
  /** Name of the run. */
  run: string;
  /** Title of the metric that decides whether an answer is right. */
  metric: string;
  /** Number of right answers. */
  right: number;
  /** Number of wrong answers by the step that lost them, most frequent first. */
  lost: { at: string; questions: number }[];
  /**
   * Change of the mean score, as a fraction, if one step alone had perfect outputs, in the order of
   * the calls; `needsCalls` counts the questions that are left out.
   */
  steps: { step: string; more: Interval; needsCalls: number }[];
}

/**
 * Returns, as `Markup`, one figure for each cell that is a single run and has an explanation of
 * wrong answers; undefined if there are none.
 */
export function explanationFigures(
  { id, cells }: ShownData,
  explanations: readonly ShownExplanation[],
): Markup | undefined {
  const figures = cells.flatMap(({ label, colour, cell, figures: { manifest } }) => {
    const found = explanations.find(({ run }) => run === manifest.run);
    if (!found || cell.runs.length > 1 || found.lost.length === 0) return [];
    const { metric, right, lost, steps } = found;
    const lines = steps.map(({ step, more, needsCalls }) => ({
      name: `perfect ${step}`,
      than: '',
      colour,
      difference: more,
      finding: needsCalls > 0 ? `${plural(needsCalls, 'question')} left out` : 'over all questions',
      isFound: more.low > 0 || more.high < 0,
    }));
    const wrong = lost.reduce((sum, { questions }) => sum + questions, 0);
    const key = `${id}-lost-${manifest.run}`;
    const content = html`<ol class="split">${lost.map(({ at, questions }) => html`<li>${at} <small>${plural(questions, 'question')}</small></li>`)}</ol>
${lines.length > 0 && forestPlot(lines, `${metric}, points more with perfect outputs of one step`)}`;
    return (
      captionedFigure(key, `${label}: ${plural(wrong, 'wrong answer')}, ${right} right`, content) ??
      []
    );
  });
  if (figures.length === 0) return undefined;
  return html`<div class="part" id="${id}-lost"><h3>Where wrong answers were lost</h3>
<p>What the score would be if one step were perfect. The stored calls are replayed without asking a model: the step returns the right output according to its oracle, and later steps are recomputed as far as the stored calls allow. A perfect step can lower the score, if a later step had corrected its mistakes.</p>
<div class="pictures">${figures}</div></div>`;
}
