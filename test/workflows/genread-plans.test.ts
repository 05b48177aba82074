import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import {
  documentCount,
  type GenreadOptions,
  genread,
  planDocuments,
} from '../../workflows/methods/genread.js';

function parsed(options: Partial<GenreadOptions> = {}): GenreadOptions {
  return parseInput({ options: genread.options }, { question: 'Who?', options }).options;
}

it('takes the first clusters of a larger set', () => {
  const demonstrationSet = 'webq';
  const chosen = parsed({ generation: 'clustered', demonstrationSet, documents: 1 });
  const set = { id: 'set-1', clusters: 3 };
  const first = { demonstrations: { set: 'set-1', cluster: 0 } };
  expect(planDocuments(chosen, set)).toEqual([first]);
});

it('plans as many documents as the formula pays for, no two alike', () => {
  const generation = fc.constantFrom('sampled', 'humanPrompts', 'clustered' as const);
  fc.assert(
    fc.property(generation, fc.integer({ min: 1, max: 10 }), (kind, documents) => {
      const named = kind === 'clustered' ? { demonstrationSet: 'webq' } : {};
      const chosen = parsed({ generation: kind, documents, ...named } as never);
      const plans = planDocuments(chosen, { id: 'set-1', clusters: 20 });
      expect(plans).toHaveLength(documentCount(chosen));
      expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBe(plans.length);
    }),
  );
});
