import { describe, expect, it } from 'vitest';
import { sampleSeed } from '../../../core/sampler.js';
import type { Line } from '../../../testing/scripted-model.js';
import { runScripted } from '../../support/run-scripted.js';
import { corporaThatFind } from '../../support/searches.js';
import { QUESTION } from '../../support/telephone.js';

const asks = (question: string): Line => ({ step: 'followUp', say: `Follow up: ${question}` });
const says = (answer: string): Line => ({
  step: 'followUp',
  say: `So the final answer is: ${answer}`,
});
const reads = (question: RegExp, say: string): Line => ({ step: 'read', when: question, say });

/**
 * Worked out by hand. The first output goes on and makes up its own intermediate answer, which does
 * not count. "Who filed first?" is looked up (p1, p2), then the question itself (p2, p3), and then
 * "who filed FIRST" is asked again: nothing new can come of it, so the final answer is due.
 * Calls: 4 asked, 2 read.
 */
describe('selfAsk', () => {
  const script: Line[] = [
    {
      step: 'followUp',
      say: 'Follow up: Who filed first?\nIntermediate answer: Gray\nSo the final answer is: Gray',
    },
    reads(/Question: Who filed first\?/, 'Bell, in February'),
    asks(QUESTION),
    reads(/Question: Who got the first patent/, 'Bell'),
    asks('who filed FIRST'),
    says('Alexander Graham Bell.'),
  ];
  const found = (query: string) => (query === QUESTION ? ['p2', 'p3'] : ['p1', 'p2']);

  it('asks and looks up by turns until the answer is there', async () => {
    const corpora = corporaThatFind(found);
    const { result, model } = await runScripted('selfAsk', script, {}, { corpora });
    expect(model.left).toEqual([]);
    expect(corpora.queries).toEqual(['Who filed first?', QUESTION]);
    expect(result).toMatchObject({
      outcome: 'answered',
      answer: 'Alexander Graham Bell',
      evidence: ['p1', 'p2', 'p3'],
      retrievals: 2,
      usage: { calls: 6 },
      flags: [],
    });
    expect(result.chain).toEqual({
      followUps: [
        {
          question: 'Who filed first?',
          passages: [
            { id: 'p1', title: 'Title 1', score: 10 },
            { id: 'p2', title: 'Title 2', score: 9 },
          ],
          answer: 'Bell, in February',
        },
        {
          question: QUESTION,
          passages: [
            { id: 'p2', title: 'Title 2', score: 10 },
            { id: 'p3', title: 'Title 3', score: 9 },
          ],
          answer: 'Bell',
        },
      ],
      answer: 'Alexander Graham Bell',
    });
    const prompts = model.requests
      .filter(({ step }) => step === 'followUp')
      .map(({ prompt }) => prompt);
    expect(prompts.map((prompt) => prompt.match(/<follow-up number/g)?.length ?? 0)).toEqual([
      0, 1, 2, 2,
    ]);
    expect(prompts.map((prompt) => prompt.includes('This line must end it'))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    // Each begins as the one before it up to the end of what was known then.
    const known = (prompt = '') => prompt.slice(0, prompt.lastIndexOf('</follow-up>'));
    for (const [i, prompt] of prompts.slice(2).entries()) {
      expect(prompt.startsWith(known(prompts[i + 1]))).toBe(true);
    }
  });

  it('needs no follow-up for a simple question', async () => {
    const { result, asked } = await runScripted('selfAsk', [says('Bell')]);
    expect(asked).toEqual({ followUp: 1 });
    expect(result).toMatchObject({ answer: 'Bell', retrievals: 0, evidence: [] });
  });

  it('stops asking at the bound, in as many calls as the formula says', async () => {
    const script: Line[] = [asks('One?'), asks('Two?'), asks('Three?')];
    const read: Line[] = [reads(/One/, '1'), reads(/Two/, '...')];
    const input = { options: { maxFollowUps: 2 }, limits: { reasks: 0 } };
    const last: Line = { step: 'followUp', when: /This line must end it/, say: 'Bell' };
    const { result, model } = await runScripted('selfAsk', [last, ...script, ...read], input);
    expect(result).toMatchObject({ answer: 'Bell', usage: { calls: 2 * 2 + 1 } });
    expect(result.chain?.followUps.map(({ answer }) => answer)).toEqual(['1', null]);
    expect(model.left).toEqual([asks('Three?')]);
    expect(model.requests.at(-1)?.prompt).toContain('Intermediate answer: (none was found)');
  });

  it('goes on to the final answer when a follow-up cannot be read', async () => {
    const script: Line[] = [
      { step: 'followUp', when: /This line must end it/, say: 'Bell' },
      { step: 'followUp', say: 'Well.' },
    ];
    const { result } = await runScripted('selfAsk', script, { limits: { reasks: 0 } });
    expect(result).toMatchObject({
      answer: 'Bell',
      flags: [{ kind: 'fallback', step: 'followUp', detail: 'follow-up 1: "Well."' }],
    });
  });

  it('writes the whole chain in one call without retrieval', async () => {
    const written =
      'Follow up: Who filed first?\nIntermediate answer: Bell.\nSo the final answer is: Bell';
    const script: Line[] = [{ step: 'selfAsk', say: written }];
    const { result, model } = await runScripted('selfAsk', script, { options: { passages: 0 } });
    expect(result).toMatchObject({
      answer: 'Bell',
      evidence: [],
      retrievals: 0,
      usage: { calls: 1 },
      chain: {
        followUps: [{ question: 'Who filed first?', passages: [], answer: 'Bell' }],
        answer: 'Bell',
      },
    });
    expect(model.requests[0]?.prompt).toContain('at most 4 of them');
  });
});

/**
 * Three chains. The first answers Gray at once; the second and the third both ask "Who filed first?",
 * which is looked up once; the third cannot be read in the end. The first is greedy.
 * Calls: 1 + 2 + 2 asked, 1 read, 1 over all.
 */
describe('multiChain', () => {
  const inChain = (line: Line, chain: number, when = /^/): Line => ({
    ...line,
    seed: sampleSeed(0, chain),
    when,
  });
  const script: Line[] = [
    inChain(says('Gray'), 0),
    inChain(asks('Who filed first?'), 1, /Question: Who got[^<]*$/),
    inChain(says('Bell'), 1, /<follow-up/),
    inChain(asks('Who filed first?'), 2, /Question: Who got[^<]*$/),
    // A line for the last asking stands before one that it fits as well.
    inChain({ step: 'followUp', say: '?' }, 2, /<follow-up.*This line must end it/s),
    inChain({ step: 'followUp', say: '?' }, 2, /<follow-up/),
    reads(/Question: Who filed first\?/, 'Bell did'),
    { step: 'metaReason', say: 'Two of three looked it up.\nAnswer: Bell' },
  ];
  const input = { options: { chains: 3 }, limits: { reasks: 0 } };

  it('reasons over all chains', async () => {
    const { result, model, asked } = await runScripted('multiChain', script, input);
    expect(asked).toEqual({ followUp: 6, read: 1, metaReason: 1 });
    expect(result).toMatchObject({
      outcome: 'answered',
      answer: 'Bell',
      evidence: ['p1', 'p2', 'p3', 'p4', 'p5'],
      retrievals: 1,
      chain: { reasoning: 'Two of three looked it up.', reading: 'Bell' },
    });
    expect(result.chain?.chains.map(({ answer }) => answer)).toEqual(['Gray', 'Bell', null]);
    expect(result.chain?.chains.map(({ followUps }) => followUps.length)).toEqual([0, 1, 1]);
    const { prompt = '' } = model.requests.find(({ step }) => step === 'metaReason') ?? {};
    // What was read of the evidence does not stand for it, nor do the answers of the chains.
    expect(prompt).toMatch(/^Reference passages[\s\S]*<passage number="5">\nTitle: Title 5\n/);
    expect(prompt).not.toContain('Bell did');
    expect(prompt).toContain(`<pair number="1">
Question: ${QUESTION}
Answer: Gray
</pair>
<pair number="2">
Question: Who filed first?
Evidence: passages 1, 2, 3, 4, 5
</pair>
<pair number="3">
Question: Who filed first?
Evidence: passages 1, 2, 3, 4, 5
</pair>`);
    const temperatures = model.requests
      .filter(({ step }) => step === 'followUp')
      .map(({ request }) => [request.seed, request.temperature]);
    expect(new Set(temperatures.map(String))).toEqual(
      new Set([0, 1, 2].map((i) => `${sampleSeed(0, i)},${i === 0 ? 0 : 0.7}`)),
    );
  });

  it('takes the answer of most chains when the reasoning cannot be read', async () => {
    const lines = [says('Gray'), says('Bell'), says('the bell')].map((line, seed) =>
      inChain(line, seed),
    );
    const meta: Line = { step: 'metaReason', say: 'They differ.' };
    const { result } = await runScripted('multiChain', [...lines, meta], input);
    expect(result).toMatchObject({
      answer: 'Bell',
      chain: { reasoning: null, reading: null },
      flags: [{ kind: 'fallback', step: 'metaReason' }],
    });
  });

  it('writes its chains in one call each without retrieval', async () => {
    const asked = 'Follow up: Who filed first?\nIntermediate answer: Bell did\n';
    const written = ['', '', asked].map(
      (before, i): Line => ({
        step: 'selfAsk',
        say: `${before}Final answer: Bell`,
        seed: sampleSeed(0, i),
      }),
    );
    const meta: Line = { step: 'metaReason', say: 'Most say so.\nAnswer: Bell' };
    const options = { chains: 3, passages: 0 };
    const { result, model } = await runScripted('multiChain', [...written, meta], { options });
    const { prompt = '' } = model.requests.at(-1) ?? {};
    expect(prompt).not.toContain('<passage');
    expect(prompt).toContain('Question: Who filed first?\nAnswer: Bell did\n</pair>');
    expect(result).toMatchObject({ answer: 'Bell', retrievals: 0, usage: { calls: 3 + 1 } });
  });

  it('shows a passage once that several follow-ups found', async () => {
    const found = (query: string) => (query === 'One?' ? ['p2', 'p1'] : ['p3', 'p1']);
    const { model } = await runScripted(
      'multiChain',
      [
        inChain(asks('One?'), 0, /Question: Who got[^<]*$/),
        inChain(asks('Two?'), 1, /Question: Who got[^<]*$/),
        inChain(says('Bell'), 0, /<follow-up/),
        inChain(says('Bell'), 1, /<follow-up/),
        reads(/One/, '1'),
        reads(/Two/, '2'),
        { step: 'metaReason', say: 'So.\nAnswer: Bell' },
      ],
      { options: { chains: 2 } },
      { corpora: corporaThatFind(found) },
    );
    const { prompt = '' } = model.requests.at(-1) ?? {};
    expect(prompt.match(/^Title: .*$/gm)).toEqual([
      'Title: Title 2',
      'Title: Title 1',
      'Title: Title 3',
    ]);
    expect(prompt.match(/^Evidence: .*$/gm)).toEqual([
      'Evidence: passages 1, 2',
      'Evidence: passages 3, 2',
    ]);
  });

  it('asks for no reasoning over nothing', async () => {
    const lines: Line[] = Array(6).fill({ step: 'followUp', say: '...' });
    const { result, asked } = await runScripted('multiChain', lines, input);
    expect(asked).toEqual({ followUp: 6 });
    expect(result).toMatchObject({ outcome: 'unreadable', answer: null });
  });
});
