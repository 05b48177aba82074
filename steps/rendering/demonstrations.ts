/** Question-answer examples as text (SuRe, few-shot prompts in appendix B). Pure. */
import type { Demonstration } from '../../core/vocabulary.js';

/** Returns one block an example, with a blank line after each; empty when there are none. */
export function renderDemonstrations(demonstrations: readonly Demonstration[]): string {
  return demonstrations
    .map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}\n`)
    .join('\n');
}
