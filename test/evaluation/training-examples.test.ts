import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MethodResult } from '../../core/result.js';
import { sampler } from '../../core/sampler.js';
import { NO_USAGE } from '../../core/usage.js';
import {
  chatLine,
  type Loss,
  trainingTarget,
  weightedLine,
} from '../../evaluation/training-examples.js';
import type { Note } from '../../steps/chain-of-note.js';
import type { ChainOfNoteChain } from '../../workflows/methods/chain-of-note.js';

const notes: Note[] = [
  { passage: 'p1', text: 'On  rivers.\nMany.', type: 'irrelevant' },
  { passage: 'p2', text: 'Names Bell.', type: null },
];

function resultOf(changes: Partial<MethodResult<ChainOfNoteChain>>, chain = notes) {
  const passages = ['p1', 'p2'].map((id) => ({ id, title: '', score: 1 }));
  return {
    workflowId: 'w',
    method: 'chainOfNote',
    question: 'q',
    outcome: 'answered',
    answer: 'Bell',
    evidence: [],
    chain: { passages, notes: chain, reading: 'Bell' },
    usage: NO_USAGE,
    retrievals: 1,
    steps: {},
    flags: [],
    ...changes,
  } satisfies MethodResult<ChainOfNoteChain>;
}

describe('trainingTarget', () => {
  it('writes notes and answer in the form that is asked for', () => {
    expect(trainingTarget(resultOf({}))).toEqual({
      notes: 'Note 1 (irrelevant): On rivers. Many.\nNote 2: Names Bell.\n',
      answer: 'Answer: Bell',
    });
    expect(trainingTarget(resultOf({ outcome: 'unknown', answer: null }))?.answer).toBe(
      'Answer: unknown',
    );
  });

  it('makes no example of what is not complete', () => {
    expect(trainingTarget(resultOf({ outcome: 'unreadable', answer: null }))).toBeNull();
    expect(trainingTarget(resultOf({ outcome: 'failed', answer: null, chain: null }))).toBeNull();
    expect(trainingTarget(resultOf({}, notes.slice(0, 1)))).toBeNull();
    const wordless: Note[] = [...notes.slice(0, 1), { passage: 'p2', text: '', type: 'relevant' }];
    expect(trainingTarget(resultOf({}, wordless))).toBeNull();
  });
});

describe('the lines', () => {
  const target = { notes: 'Note 1 (relevant): 電話 😀.\n', answer: 'Answer: Bell' };

  it('are chat messages', () => {
    expect(JSON.parse(chatLine('Prompt', target))).toEqual({
      messages: [
        { role: 'user', content: 'Prompt' },
        { role: 'assistant', content: 'Note 1 (relevant): 電話 😀.\nAnswer: Bell' },
      ],
    });
  });

  /** The letters that the loss is computed on, as Python counts them. */
  function trained(line: string): string {
    const [, reply] = JSON.parse(line).messages;
    const letters = [...reply.content];
    return reply.train_detail
      .filter(({ train }: { train: boolean }) => train)
      .map(({ begin_offset: begin, end_offset: end }: Record<string, number>) =>
        letters.slice(begin, (end ?? 0) + 1).join(''),
      )
      .join('');
  }

  it.each<[Loss, string]>([
    ['notes-and-answer', target.notes + target.answer],
    ['answer', target.answer],
  ])('put the loss on %s', (loss, text) => {
    const line = weightedLine('id', 'Prompt', target, loss);
    expect(JSON.parse(line)).toMatchObject({ id: 'id', loss });
    expect(line).not.toContain('\n');
    expect(trained(line)).toBe(text);
  });

  it('cover the reply without a gap, whatever is in it', () => {
    const texts = fc.record({
      notes: fc.string({ unit: 'grapheme', minLength: 1 }),
      answer: fc.string({ unit: 'grapheme', minLength: 1 }),
    });
    fc.assert(
      fc.property(texts, (any) => {
        expect(trained(weightedLine('id', '', any, 'notes-and-answer'))).toBe(
          any.notes + any.answer,
        );
        expect(trained(weightedLine('id', '', any, 'answer'))).toBe(any.answer);
      }),
    );
  });
});

describe('sampler', () => {
  const choose = (seed: string, wanted: number, total: number) => {
    const take = sampler(seed, wanted, total);
    return Array.from({ length: total }, (_, i) => i).filter(() => take());
  };

  it('takes exactly as many as wanted, the same ones for the same seed', () => {
    const sizes = fc
      .nat(200)
      .chain((total) => fc.tuple(fc.string(), fc.nat(total), fc.constant(total)));
    fc.assert(
      fc.property(sizes, ([seed, wanted, total]) => {
        const chosen = choose(seed, wanted, total);
        expect(chosen).toHaveLength(wanted);
        expect(choose(seed, wanted, total)).toEqual(chosen);
      }),
    );
    expect(choose('0', 10, 100)).not.toEqual(choose('1', 10, 100));
  });

  it('takes each item about as often as any other', () => {
    const times = new Array<number>(20).fill(0);
    for (let seed = 0; seed < 1000; seed++) {
      for (const i of choose(String(seed), 5, 20)) times[i] = (times[i] ?? 0) + 1;
    }
    // 250 expected, standard deviation 14.
    for (const count of times) expect(Math.abs(count - 250)).toBeLessThan(70);
  });
});
