/** The options of the method, and what a dry run and `durable-rag methods` tell of it. */
import { defineMethod } from 'durable-rag/steps';
import { z } from 'zod';
import { secondLook } from './step.js';

const options = z.strictObject({
  passages: z.int().min(1).max(50).default(5).describe('passages retrieved'),
});

export type SecondLookOptions = z.output<typeof options>;

export const lookTwice = defineMethod<SecondLookOptions>({
  name: 'lookTwice',
  title: 'Base, with a second look at the answer',
  options,
  steps: ['read', secondLook.name],
  callsFormula: '2; 1 when the model does not know',
  calls: () => 2,
  plan: ({ passages: count }, { question, passages, output }) => {
    const found = passages(count);
    const answer = output('read');
    return [
      { step: 'retrieve', input: { query: question } },
      { step: 'read', input: { question, passages: found, demonstrations: [] } },
      { step: secondLook.name, input: { question, answer, passages: found } },
    ];
  },
});
