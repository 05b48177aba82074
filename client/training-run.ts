/** The run that makes Chain-of-Note's training data: notes by a strong model (Yu et al., 2023, 3.3.2). Pure. */
import type { RunInput } from '../core/run/input.js';

/** The input of such a run; the rest is that of any run. */
export interface TrainingRun
  extends Omit<RunInput, 'judge' | 'method' | 'noise' | 'options' | 'requireAnswers'> {
  /** k, passages a question; 5 when left out (Chain-of-Note A.3). */
  passages?: number | undefined;
}

/**
 * Chain-of-Note over a data set in one call a question, with an example of each type of note;
 * questions without gold answers are asked as well.
 *
 * @example trainingRun({ run: 'notes', dataset: '/data/nq-train.jsonl.gz', corpus: 'wiki' })
 */
export function trainingRun({ passages, ...input }: TrainingRun): RunInput {
  return {
    ...input,
    method: 'chainOfNote',
    options: { form: 'single', examples: true, ...(passages !== undefined && { passages }) },
    requireAnswers: false,
  };
}
