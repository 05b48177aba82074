import { withoutCitations } from '../../methods/citations.js';
import { implementStep } from '../define.js';
import { readScore } from '../reading/score.js';
import { readVerdict } from '../reading/verdict.js';
import type * as declared from './step.js';

export const verifyClassify = implementStep<typeof declared.verifyClassify>({
  prompt: 'verify-classify',
  maxTokens: 16,
  passages: (input) => input.passages,
  variables: ({ question, demonstration }) => ({
    question,
    demonstration: demonstration
      ? `Question: ${demonstration.question}\nAnswer: ${withoutCitations(demonstration.answer)}`
      : '',
  }),
  parse: readVerdict,
  fallback: () => null,
});

export const verifyScore = implementStep<typeof declared.verifyScore>({
  prompt: 'verify-score',
  maxTokens: 16,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: (output) => readScore(output, 10),
  fallback: () => null,
});
