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

it('writes by the human prompts that are named, in their order', () => {
  const chosen = parsed({ generation: 'humanPrompts', humanPrompts: [7, 2] });
  expect(planDocuments(chosen, null)).toEqual([{ humanPrompt: 7 }, { humanPrompt: 2 }]);
  expect(documentCount(chosen)).toBe(2);
});

it('writes no document for a reader of passages alone, or of nothing', () => {
  for (const options of [
    { documents: 0, passages: 10 },
    { documents: 0, task: 'factChecking' as const },
    { documents: 0, task: 'dialogue' as const, passages: 10 },
  ]) {
    expect(planDocuments(parsed(options), null)).toEqual([]);
  }
});

it.each([
  [{ documents: 0 }, 'options.documents: nothing would be read; the method noRetrieval'],
  [{ documents: 0, passages: 5, generation: 'sampled' }, 'no document is generated'],
  [{ humanPrompts: [3] }, 'options.humanPrompts: is used by humanPrompts only'],
  [{ generation: 'humanPrompts', humanPrompts: [3, 3] }, 'names a prompt twice'],
  [
    { generation: 'humanPrompts', humanPrompts: [11] },
    'options.humanPrompts.0: must be a whole number from 1 to 10',
  ],
  [{ generation: 'humanPrompts', humanPrompts: [3], documents: 1 }, 'says how many there are'],
] as const)('refuses %j', (options, message) => {
  expect(() => parsed(options as never)).toThrow(message);
});
