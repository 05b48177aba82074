/** SuRe step 2: K answer candidates from the passages, in one call (SuRe 3.2, appendices A.1 and B.5). */
import { saysUnknown } from '../core/unknown.js';
import type { Demonstration } from '../core/vocabulary.js';
import { type QuestionInput, readingStep } from './define.js';
import { list } from './outputs/list.js';
import { mapped } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';
import { lettered, renderDemonstrations } from './rendering.js';

export interface GenerateCandidatesInput extends QuestionInput {
  /** K, how many candidates to ask for. */
  count: number;
  demonstrations: Demonstration[];
}

/** When the output stayed unreadable: one short answer, if it can be read as that. */
export const generateCandidates = readingStep<GenerateCandidatesInput, string[]>({
  name: 'generateCandidates',
  label: ({ count }) => `${count} candidates`,
  prompt: {
    among: ['generate-candidates', 'generate-candidates-by-example'],
    of: ({ demonstrations }) =>
      demonstrations.length === 0 ? 'generate-candidates' : 'generate-candidates-by-example',
  },
  maxTokens: ({ count }) => Math.max(128, 32 * count),
  variables: ({ count, demonstrations }) => ({
    form: formOf(count),
    demonstrations: renderDemonstrations(demonstrations),
  }),
  output: ({ count }) =>
    mapped(
      // A line without marks may hold one candidate or several.
      list({
        most: count,
        form: `one line of the form ${formOf(count)}`,
        label: 'answers?|candidates',
        lone: count === 1,
      }),
      (candidates, { unknown }) => {
        const known = candidates.filter((candidate) => !saysUnknown(candidate, unknown));
        return known.length > 0 ? known : candidates.slice(0, 1);
      },
    ),
  fallback: (output) => [shortAnswer().read(output) ?? []].flat(),
});

function formOf(count: number): string {
  return lettered(new Array<string>(count).fill('...'));
}
