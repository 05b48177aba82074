import { describe, expect, it } from 'vitest';
import { sampleSeed } from '../../../core/sampler.js';
import type { Line } from '../../../testing/scripted-model.js';
import { fixedCorpora } from '../../support/ports.js';
import { runScripted } from '../../support/run-scripted.js';

describe('base', () => {
  it('reads the passages once', async () => {
    const { result, model } = await runScripted('base', [{ step: 'read', say: 'Answer: "Bell".' }]);
    expect(result).toMatchObject({
      ...{ outcome: 'answered', answer: 'Bell', retrievals: 1 },
      ...{ usage: { calls: 1 }, chain: { reading: 'Bell' } },
    });
    expect(result.evidence).toHaveLength(10);
    expect(model.requests[0]?.prompt).toContain('Text of passage 10.');
  });
});

describe('noRetrieval', () => {
  it('answers from memory, with examples if there are any', async () => {
    const demonstrations = [{ question: 'Example question?', answer: 'Example answer' }];
    const input = { options: { demonstrations } };
    const { result, model } = await runScripted(
      'noRetrieval',
      [{ step: 'read', say: 'Bell' }],
      input,
    );
    expect(result).toMatchObject({
      method: 'noRetrieval',
      outcome: 'answered',
      answer: 'Bell',
      evidence: [],
      retrievals: 0,
      flags: [],
      usage: { calls: 1 },
      chain: { passages: [], reading: 'Bell' },
    });
    expect(model.requests[0]?.prompt).toContain('Example answer');
    expect(model.requests[0]?.prompt).not.toMatch(/<passage|passages/);
  });

  it('says that it does not know, or that the answer cannot be read', async () => {
    const ask = async (say: string) =>
      (await runScripted('noRetrieval', [{ step: 'read', say }], { limits: { reasks: 0 } })).result;
    expect(await ask('I do not know.')).toMatchObject({ outcome: 'unknown', answer: null });
    expect(await ask('...')).toMatchObject({ outcome: 'unreadable', chain: { reading: null } });
  });
});

describe('chainOfThought', () => {
  const script: Line[] = [{ step: 'reason', say: 'Bell filed first.\nAnswer: Bell.' }];

  it('reasons over the passages, then answers', async () => {
    const { result, model } = await runScripted('chainOfThought', script);
    expect(result).toMatchObject({
      answer: 'Bell',
      usage: { calls: 1 },
      chain: { reasoning: 'Bell filed first.', reading: 'Bell' },
    });
    expect(result.evidence).toHaveLength(10);
    expect(model.requests[0]?.prompt).toContain('Text of passage 10.');
  });
});

/**
 * Four passages. The ranking names 3, 9 (there is none), 3 again and 1: so the order is 3, 1, and
 * then those it left out, 2 and 4. p3 alone does not suffice, p3 and p1 cannot be read, p3, p1 and
 * p2 give the answer: 1 + 3 calls.
 */
describe('selectionInference', () => {
  const ranked: Line = { step: 'rankPassages', say: '[3] > [9] > [3] > [1]' };
  const options = { passages: 4 };
  const shown = (prompt: string) =>
    [...prompt.matchAll(/Text of passage (\d+)\./g)].map(([, number]) => `p${number}`);

  it('adds passages from the highest ranked down until they suffice', async () => {
    const script: Line[] = [
      ranked,
      { step: 'infer', say: 'INSUFFICIENT' },
      { step: 'infer', say: '' },
      { step: 'infer', say: 'Bell' },
    ];
    const input = { options, limits: { reasks: 0 } };
    const { result, model } = await runScripted('selectionInference', script, input);
    expect(result).toMatchObject({
      outcome: 'answered',
      answer: 'Bell',
      evidence: ['p3', 'p1', 'p2'],
      usage: { calls: 4 },
      flags: [{ kind: 'fallback', step: 'infer' }],
      chain: { order: ['p3', 'p1', 'p2', 'p4'], readings: [null, null, 'Bell'] },
    });
    expect(model.requests.map(({ prompt }) => shown(prompt))).toEqual([
      ['p1', 'p2', 'p3', 'p4'],
      ['p3'],
      ['p3', 'p1'],
      ['p3', 'p1', 'p2'],
    ]);
  });

  it('asks for an answer without a way out once all are read', async () => {
    const no: Line = { step: 'infer', say: 'Not enough information.' };
    const script: Line[] = [ranked, no, no, no, { step: 'read', say: 'Gray' }];
    const { result, asked } = await runScripted('selectionInference', script, { options });
    expect(asked).toEqual({ rankPassages: 1, infer: 3, read: 1 });
    expect(result).toMatchObject({ answer: 'Gray', evidence: ['p3', 'p1', 'p2', 'p4'] });
  });

  it('keeps retrieval order when the ranking cannot be read', async () => {
    const script: Line[] = [
      { step: 'rankPassages', say: 'None of them.' },
      { step: 'infer', say: 'Bell' },
    ];
    const input = { options, limits: { reasks: 0 } };
    const { result } = await runScripted('selectionInference', script, input);
    expect(result).toMatchObject({ answer: 'Bell', evidence: ['p1'] });
    expect(result.chain?.order).toEqual(['p1', 'p2', 'p3', 'p4']);
  });

  it.each([1, 0])('reads %i passages without ranking them', async (count) => {
    const corpora = fixedCorpora(
      [{ id: 'p1', title: '', text: 'Text of passage 1.' }].slice(0, count),
    );
    const script: Line[] = [{ step: 'read', say: 'Bell' }];
    const { result, asked } = await runScripted(
      'selectionInference',
      script,
      { options },
      { corpora },
    );
    expect(asked).toEqual({ read: 1 });
    expect(result.evidence).toHaveLength(count);
  });
});

/**
 * Five samples: Gray, Bell, "the bell", one that cannot be read, one that does not know. So there
 * are two candidates, Gray (1 sample) and Bell (2). Two parts of the question are masked. From Gray
 * only the telephone is recovered, from Bell both: Bell. 5 + 1 + 2 x 2 calls.
 */
describe('selfVerification', () => {
  /** Each sample of a question has a seed of its own. */
  const sampled = (...said: string[]) =>
    said.map((say, i): Line => ({ step: 'reason', say, seed: sampleSeed(0, i) }));
  const samples = sampled(
    'So.\nAnswer: Gray',
    'So.\nAnswer: Bell',
    'Well.\nAnswer: the bell',
    'Well.',
    'Well.\nAnswer: unknown',
  );
  const parts: Line = { step: 'nameConditions', say: 'first patent\nthe steam engine\nTelephone' };
  const recover = (part: RegExp, candidate: RegExp, say: string): Line => ({
    step: 'recoverCondition',
    when: new RegExp(`${part.source}[^]*Right answer: ${candidate.source}`),
    say,
  });
  const noPatent = /Who got the \[X\] for the telephone/;
  const noTelephone = /Who got the first patent for the \[X\]/;
  const recovered = [
    recover(noPatent, /Gray/, 'a caveat'),
    recover(noTelephone, /Gray/, 'telephone'),
    recover(noPatent, /Bell/, 'The first patent.'),
    recover(noTelephone, /Bell/, '[X]: the telephone'),
  ];
  const input = { limits: { reasks: 0 }, options: { passages: 2 } };

  const whole = [...samples, parts, ...recovered];

  it('takes the candidate from which the question is best recovered', async () => {
    const { result, model, asked } = await runScripted('selfVerification', whole, input);
    expect(asked).toEqual({ reason: 5, nameConditions: 1, recoverCondition: 4 });
    expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell', evidence: ['p1', 'p2'] });
    expect(result.chain?.samples).toEqual([
      { reasoning: 'So.', answer: 'Gray' },
      { reasoning: 'So.', answer: 'Bell' },
      { reasoning: 'Well.', answer: 'the bell' },
      null,
      { reasoning: 'Well.', answer: 'unknown' },
    ]);
    expect(result.chain?.conditions).toEqual(['first patent', 'telephone']);
    expect(result.chain?.candidates).toEqual([
      { text: 'Gray', samples: 1, recovered: ['a caveat', 'telephone'], verified: 1 },
      { text: 'Bell', samples: 2, recovered: ['The first patent', 'the telephone'], verified: 2 },
    ]);
    const requests = model.requests.filter(({ step }) => step === 'reason');
    expect(requests.map(({ request }) => request.temperature)).toEqual(Array(5).fill(0.7));
  });

  it('takes a single candidate unverified', async () => {
    const bell = sampled(...Array<string>(5).fill('Answer: Bell'));
    const { result, asked } = await runScripted('selfVerification', bell, input);
    expect(asked).toEqual({ reason: 5 });
    expect(result).toMatchObject({
      answer: 'Bell',
      chain: { conditions: [], candidates: [{ text: 'Bell', samples: 5 }] },
    });
  });

  it('goes by the samples when no part of the question was named', async () => {
    const script: Line[] = [...samples, { step: 'nameConditions', say: 'Thomas Edison' }];
    const { result, asked } = await runScripted('selfVerification', script, input);
    expect(asked).toEqual({ reason: 5, nameConditions: 1 });
    expect(result.answer).toBe('Bell');
    expect(result.flags.map(({ step }) => step)).toContain('nameConditions');
  });
});
