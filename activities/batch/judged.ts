/** What a run's judge is asked of an answer. Pure. */
import type { Batch } from '../../methods/batch/input.js';
import type { RunAnswer, RunQuestion } from '../../results/run-store.js';

export interface Judged {
  /** Whether the passages it cites say what it says. */
  citations: boolean;
  /** Whether it says what the reference claims. */
  claims: boolean;
}

/** Told by the form of the run's answers and by the question, whatever came of it. */
export function judgedOf({ judge, options }: Batch, { claims = [] }: RunQuestion): Judged {
  const cites = options.answerForm === 'prose' || options.answerForm === 'list';
  return {
    citations: judge !== undefined && cites,
    claims: judge !== undefined && claims.length > 0,
  };
}

/** Whether the judge is still to be asked of an answer. */
export function isToJudge(
  batch: Batch,
  question: RunQuestion,
  { result, judgement }: Pick<RunAnswer, 'result' | 'judgement'>,
): boolean {
  const { citations, claims } = judgedOf(batch, question);
  return (citations || claims) && result?.outcome === 'answered' && judgement === undefined;
}

/** What a question without an answer scores with the judge, unasked. */
export function zeroScores({ citations, claims }: Judged): Record<string, number> {
  return {
    ...(citations && { citationRecall: 0, citationPrecision: 0, citationF1: 0 }),
    ...(claims && { claimRecall: 0 }),
  };
}
