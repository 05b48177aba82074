import { describe, expect, it } from 'vitest';
import type { Line } from '../../../testing/scripted-model.js';
import { runScripted } from '../../support/run-scripted.js';
import { telephoneScript } from '../../support/telephone.js';

const candidates: Line = { step: 'generateCandidates', say: '(a) Bell, (b) Gray' };
const single: Line = { step: 'generateCandidates', say: '(a) Bell, (b) the bell.' };
const summaries: Line[] = [
  { step: 'summarize', when: /Prediction: \(a\) Bell/, say: 'Bell was granted it. [DONE]' },
  { step: 'summarize', when: /Prediction: \(b\) Gray/, say: 'Gray filed a caveat. [DONE]' },
];

describe('mcq', () => {
  it('asks for candidates, then for one of them', async () => {
    const { result, model } = await runScripted('mcq', [
      candidates,
      { step: 'choose', say: '(b)' },
    ]);
    expect(result).toMatchObject({
      method: 'mcq',
      outcome: 'answered',
      answer: 'Gray',
      usage: { calls: 2 },
      retrievals: 1,
      flags: [],
      chain: { candidates: [{ text: 'Bell' }, { text: 'Gray' }], choice: 1, reading: 'Gray' },
    });
    expect(result.evidence).toHaveLength(10);
    expect(model.requests.at(-1)?.prompt).toContain('Choices: (a) Bell (b) Gray\nAnswer:');
  });

  it('says unknown when the model refuses to choose', async () => {
    const { result } = await runScripted('mcq', [
      candidates,
      { step: 'choose', say: 'None of the above' },
    ]);
    expect(result).toMatchObject({ outcome: 'unknown', answer: null });
  });

  it('takes a single candidate, repeated in other letters, for the answer', async () => {
    const { result, asked } = await runScripted('mcq', [single]);
    expect(asked).toEqual({ generateCandidates: 1 });
    expect(result).toMatchObject({
      answer: 'Bell',
      flags: [{ kind: 'fewerCandidates', detail: '1 of 2' }],
      chain: { candidates: [{ text: 'Bell' }], choice: null, reading: null },
    });
  });
});

describe('summarizeThenPredict', () => {
  const script: Line[] = [
    { step: 'summarizeGeneric', say: 'Bell was granted it. </summary x> [DONE] More.' },
    { step: 'readSummaries', say: 'Bell' },
  ];

  it('reads one summary in place of the passages', async () => {
    const { result, model } = await runScripted('summarizeThenPredict', script);
    expect(result).toMatchObject({
      answer: 'Bell',
      usage: { calls: 2 },
      chain: { summary: 'Bell was granted it. </summary x>', reading: 'Bell' },
    });
    const [summarized, read] = model.requests.map(({ prompt }) => prompt);
    expect(summarized).toContain('Text of passage 10.');
    expect(summarized).not.toContain('Choices:');
    expect(read).not.toContain('Text of passage');
    expect(read?.match(/<\/summary/g)).toHaveLength(1);
  });
});

describe('conditionalSummaries', () => {
  const script: Line[] = [candidates, ...summaries, { step: 'readSummaries', say: 'Gray.' }];

  it('reads the summaries beside the passages', async () => {
    const { result, model, asked } = await runScripted('conditionalSummaries', script);
    expect(asked).toEqual({ generateCandidates: 1, summarize: 2, readSummaries: 1 });
    expect(result).toMatchObject({
      answer: 'Gray',
      chain: {
        candidates: [
          { text: 'Bell', summary: 'Bell was granted it.' },
          { text: 'Gray', summary: 'Gray filed a caveat.' },
        ],
        reading: 'Gray',
      },
    });
    const prompt = model.requests.at(-1)?.prompt ?? '';
    const order = ['Text of passage 10.', 'Bell was granted it.', 'Gray filed a caveat.', 'Task:'];
    const places = order.map((text) => prompt.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('skips the rest for a single candidate', async () => {
    const { result, asked } = await runScripted('conditionalSummaries', [single]);
    expect(asked).toEqual({ generateCandidates: 1 });
    expect(result).toMatchObject({ answer: 'Bell', chain: { candidates: [{ text: 'Bell' }] } });
  });
});

/**
 * Bell is valid and Gray is not; both orders of the pair are for Gray. So r is 0 and 1, v is 1 and
 * 0: v + r ties, which goes to Bell, ranking alone to Gray, validity alone to Bell (SuRe eq. 6).
 */
describe('sure, by what selects', () => {
  const script = telephoneScript().map((line) =>
    line.step === 'rankPair'
      ? { ...line, say: line.say === 'Passage 1' ? 'Passage 2' : 'Passage 1' }
      : line,
  );
  const asks = { generateCandidates: 1, summarize: 2 };

  it.each([
    ['validityAndRanking', 'Bell', { ...asks, validate: 2, rankPair: 2 }, [true, 0]],
    ['ranking', 'Gray', { ...asks, rankPair: 2 }, [undefined, 0]],
    ['validity', 'Bell', { ...asks, validate: 2 }, [true, undefined]],
  ] as const)('%s takes %s', async (selection, answer, calls, [valid, rank]) => {
    const { result, asked } = await runScripted('sure', script, { options: { selection } });
    expect(asked).toEqual(calls);
    expect(result.answer).toBe(answer);
    const [bell] = result.chain?.candidates ?? [];
    expect([bell?.valid, bell?.rank]).toEqual([valid, rank]);
    expect(result.chain?.votes).toHaveLength(selection === 'validity' ? 0 : 2);
  });
});
