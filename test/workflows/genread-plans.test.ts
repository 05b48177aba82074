import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import {
  documentCount,
  generatedDocuments,
  planDocuments,
} from '../../workflows/genread/genread.js';
import type { GenreadOptions } from '../../workflows/genread/method.js';
import { genreadMethod } from '../../workflows/genread/method.js';

function parsed(options: Partial<GenreadOptions> = {}): GenreadOptions {
  return parseInput({ options: genreadMethod.options }, { question: 'Who?', options }).options;
}

describe('planDocuments', () => {
  const set = { id: 'set-1', clusters: 3 };
  const plans: [string, Partial<GenreadOptions>, object[]][] = [
    ['zero-shot', {}, [{}]],
    ['sampled', { generation: 'sampled', documents: 2 }, [{ sample: 1 }, { sample: 2 }]],
    [
      'human prompts',
      { generation: 'humanPrompts', documents: 2 },
      [{ humanPrompt: 1 }, { humanPrompt: 2 }],
    ],
    [
      'clusters, all of a set smaller than asked',
      { generation: 'clustered', demonstrationSet: 'webq' },
      [0, 1, 2].map((cluster) => ({ demonstrations: { set: 'set-1', cluster } })),
    ],
    [
      'clusters, the first of a larger set',
      { generation: 'clustered', demonstrationSet: 'webq', documents: 1 },
      [{ demonstrations: { set: 'set-1', cluster: 0 } }],
    ],
  ];
  it.each(plans)('plans %s', (_, options, expected) => {
    const chosen = parsed(options);
    expect(planDocuments(chosen, chosen.demonstrationSet ? set : null)).toEqual(expected);
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
});

describe('generatedDocuments', () => {
  it('puts beside each text what made it, and leaves out what could not be read', () => {
    const plans = [
      { sample: 1 },
      { sample: 2 },
      { humanPrompt: 3 },
      { demonstrations: { set: 'set-1', cluster: 4 } },
      {},
    ];
    expect(generatedDocuments(plans, ['One.', '', 'Three.', 'Four.', 'Five.'])).toEqual([
      { text: 'One.', sample: 1 },
      { text: 'Three.', humanPrompt: 3 },
      { text: 'Four.', cluster: 4 },
      { text: 'Five.' },
    ]);
  });
});
