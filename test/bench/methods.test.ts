import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, placesOf } from '../../bench/methods/asked.js';
import { planFor } from '../../bench/methods/plan.js';
import { optionsText, table } from '../../bench/methods/report.js';
import type { DatasetRecord } from '../../evaluation/dataset/record.js';
import type { MethodResult } from '../../methods/result.js';
import { noUsage } from '../../methods/usage.js';
import { fileResults } from '../../results/file-results.js';
import { methods } from '../../workflows/methods.js';

describe('the plan', () => {
  it('has every method once, the ten questions of the papers’ methods first', () => {
    const plan = planFor();
    expect(plan.map(({ method }) => method).sort()).toEqual(Object.keys(methods).sort());
    expect(plan.map(({ questions }) => questions).slice(0, 6)).toEqual([12, 12, 12, 12, 12, 12]);
  });

  it('gives every method options that it takes', () => {
    for (const { method, options } of planFor()) {
      expect(methods[method].options.safeParse(options).error, method).toBeUndefined();
    }
  });

  it('takes only what is asked for', () => {
    const plan = planFor(['base', 'allies'], 2);
    expect(plan.map(({ method, questions }) => `${method} ${questions}`)).toEqual([
      'allies 2',
      'base 2',
    ]);
    expect(() => planFor(['base', 'sur'])).toThrow('There is no method "sur"; there are sure,');
  });
});

const tower: DatasetRecord = {
  id: '1',
  question: 'In which city is the tower?',
  answers: ['Pisa'],
  answerKind: 'span',
};
const bridge: DatasetRecord = { ...tower, id: '2', question: 'In which city is the bridge?' };

function asked(result: Partial<MethodResult>, seconds = 10): Asked {
  const whole: MethodResult = {
    ...{ workflowId: 'w', method: 'base', question: 'q', outcome: 'answered', answer: null },
    ...{ evidence: [], chain: null, usage: noUsage, retrievals: 1, steps: {}, flags: [] },
    ...result,
  };
  return { result: whole, seconds, model: 'small', day: '2026-01-01' };
}

describe('what was asked before', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'durable-rag-bench-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is found again by method, options and question', async () => {
    const store = fileResults<Asked>(folder);
    const row = { method: 'base', options: { passages: 3 }, questions: 2 } as const;
    const [first] = await placesOf(row, [tower, bridge], store);
    if (first === undefined) throw new Error('There is no first question.');
    await store.put(first.key, asked({ answer: 'Pisa' }));

    const found = async (one: Parameters<typeof placesOf>[0]) =>
      (await placesOf(one, [tower, bridge], store)).map((place) => place.asked?.result.answer);
    expect(await found(row)).toEqual(['Pisa', undefined]);
    expect(await found({ ...row, questions: 1 })).toEqual(['Pisa']);
    expect(await found({ ...row, options: { passages: 4 } })).toEqual([undefined, undefined]);
    expect(await found({ ...row, method: 'hyde' })).toEqual([undefined, undefined]);
  });
});

describe('the table', () => {
  const usage = { ...noUsage, calls: 3, promptTokens: 100, cachedPromptTokens: 25 };

  it('has means and shares a method, and says what did not end as asked', () => {
    const fallback = { kind: 'fallback', step: 'read', detail: '' } as const;
    const cut = { kind: 'cut', step: 'read', detail: '' } as const;
    const right = { ...asked({ answer: 'pisa.', usage, flags: [cut] }, 10), modelCpuSeconds: 8 };
    const around = asked({ answer: 'It is in Pisa [1]', usage: { ...usage, calls: 4 } }, 15);
    const none = asked({ outcome: 'unknown', usage, flags: [fallback, fallback] }, 20);
    const places = [right, around, none].map((one) => ({ question: tower, asked: one }));
    expect(table([{ method: 'base', options: { passages: 3 }, places }]).split('\n')[2]).toBe(
      '| `base` | passages 3 | 3 | 1 | 2 | 3.3 | 100 | 25 % | 0 | 15 | 8 | 1 unknown, 2 output unreadable |',
    );
  });

  it('counts what there is of a method that is not done, and leaves out one not begun', () => {
    const done = { question: tower, asked: asked({ answer: 'Rome' }) };
    const open = { question: bridge, asked: undefined };
    const rows = table([
      { method: 'genread', options: {}, places: [done, open] },
      { method: 'sure', options: {}, places: [open] },
    ]).split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[2]).toBe('| `genread` | none | 1 of 2 | 0 | 0 | 0.0 | 0 |  | 0 | 10 |  |  |');
  });

  it('writes options out', () => {
    expect(optionsText({ by: 'embedding', compare: ['model', 'retrieval'], passages: 3 })).toBe(
      'by embedding, compare model and retrieval, passages 3',
    );
  });
});
