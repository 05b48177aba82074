/**
 * The input of a run that creates Chain-of-Note's training data: notes by a strong model (Yu et
 * al., 2023, 3.3.2). Pure.
 */
import type { RunInput } from '../core/run/input.js';

/**
 * The input of `trainingRun`: that of a run, without the fields that training data fixes, and the
 * number of passages of a question.
 */
export interface TrainingRun
  extends Omit<RunInput, 'judge' | 'method' | 'noise' | 'options' | 'requireAnswers'> {
  /** Number of passages of a question. @default 5 (Chain-of-Note A.3) */
  passages?: number | undefined;
}

/**
 * Returns the input of a run that makes training data for Chain-of-Note: one call for each
 * question, with an example of each type of note. Questions without gold answers are included.
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
