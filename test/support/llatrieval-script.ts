/** LLatrieval by script: the lines of its steps, and searches that find what a test says. */
import type { Passage } from '../../core/vocabulary.js';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { corporaThatFind } from './searches.js';

/** Searches that find what is written down for their query. */
export const searches = (found: Record<string, number[]>, texts?: readonly Passage[]) =>
  corporaThatFind((query) => (found[query] ?? []).map((i) => `p${i}`), texts);

export const summary = (i: number, more: Partial<ScriptedReply> = {}): ScriptedReply => ({
  step: 'summarizeDocument',
  when: new RegExp(`Text of passage ${i}\\.`),
  say: `Short form of ${i}.`,
  ...more,
});
export const summaries = (...numbers: number[]) => numbers.map((i) => summary(i));
export const select = (say: string): ScriptedReply => ({
  step: 'selectDocuments',
  say: `Selected passages: ${say}`,
});
export const verify = (say: string): ScriptedReply => ({ step: 'verifyClassify', say });
export const rate = (say: string): ScriptedReply => ({ step: 'verifyScore', say });
export const missing = (say: string): ScriptedReply => ({ step: 'missingInfoQuery', say });
export const answer = (say: string): ScriptedReply => ({ step: 'answerWithCitations', say });

/** One iteration that passes: 6 summaries, selections of 5 and of 3 + 1, a verdict, an answer. */
export const passing = {
  options: { supporting: 3, passages: 6, window: 5 },
  script: [
    ...summaries(1, 2, 3, 4, 5, 6),
    select('1 2 3'),
    select('4 1 2'),
    verify('[YES]'),
    answer('Bell got it [2].'),
  ],
};
