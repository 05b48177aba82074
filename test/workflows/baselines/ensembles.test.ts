import { describe, expect, it } from 'vitest';
import type { Passage } from '../../../core/vocabulary.js';
import { EmbeddingCache } from '../../../llm/embedding-cache.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { Line } from '../../../testing/scripted-model.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { fixedCorpora } from '../../support/ports.js';
import { runScripted, turned } from '../../support/run-scripted.js';

/** Four passages; retrieval scores 10, 9, 8, 7. The question shares words with the third only. */
const corpus: Passage[] = [
  { id: 'rivers', title: '', text: 'Rivers of Ohio.' },
  { id: 'gray', title: '', text: 'Elisha Gray filed a caveat.' },
  { id: 'bell', title: '', text: 'Bell got the first patent for the telephone.' },
  { id: 'towns', title: '', text: 'Towns in Ohio.' },
];
const corpora = fixedCorpora(corpus);
const options = { passages: 4 };
const about = (passage: RegExp, say: Line['say']): Line => ({
  step: 'readPassage',
  when: passage,
  say,
});
/** Retrieval order: Gray, Gray, Bell, and one that does not know. */
const readings: Line[] = [
  about(/Rivers of/, 'Gray'),
  about(/Elisha/, 'the gray.'),
  about(/Bell got/, 'Bell'),
  about(/Towns in/, 'Unknown'),
];

describe('rerank', () => {
  it('weighs the answer of each passage by TF-IDF', async () => {
    const { result, model } = await runScripted('rerank', readings, { options }, { corpora });
    expect(model.requests).toHaveLength(4);
    for (const { prompt } of model.requests) expect(prompt.match(/<passage/g)).toHaveLength(2);
    // Only Bell's passage has words of the question: its share is the whole.
    expect(result).toMatchObject({
      method: 'rerank',
      outcome: 'answered',
      answer: 'Bell',
      confidence: 1,
      evidence: ['bell'],
      retrievals: 1,
      usage: { calls: 4 },
      chain: {
        readings: [
          { passage: 'rivers', answer: 'Gray', weight: 0 },
          { passage: 'gray', answer: 'the gray', weight: 0 },
          { passage: 'bell', answer: 'Bell', weight: 1 },
          { passage: 'towns', answer: 'unknown', weight: 0 },
        ],
        answers: [
          { answer: 'Bell', weight: 1, ballots: [2] },
          { answer: 'Gray', weight: 0, ballots: [0, 1] },
        ],
      },
    });
    expect(model.requests.every(({ request }) => request.logprobs === undefined)).toBe(true);
  });

  it('counts heads in a plain vote', async () => {
    const input = { options: { ...options, aggregate: 'vote' as const } };
    const { result } = await runScripted('rerank', readings, input, { corpora });
    expect(result).toMatchObject({
      answer: 'Gray',
      confidence: 0.5,
      evidence: ['rivers', 'gray'],
    });
  });

  it('lets the model choose among the different answers, most votes first', async () => {
    const input = { options: { ...options, aggregate: 'model' as const } };
    const script: Line[] = [...readings, { step: 'choose', say: '(b)' }];
    const { result, model } = await runScripted('rerank', script, input, { corpora });
    expect(model.requests.at(-1)?.prompt).toContain('Choices: (a) Gray (b) Bell');
    expect(result).toMatchObject({ answer: 'Bell', evidence: ['bell'], usage: { calls: 5 } });
    expect(result).not.toHaveProperty('confidence');
  });

  it('goes back to the vote when the choice cannot be read', async () => {
    const input = {
      options: { ...options, aggregate: 'model' as const },
      limits: { reasks: 0 },
    };
    const script: Line[] = [...readings, { step: 'choose', say: '' }];
    const { result } = await runScripted('rerank', script, input, { corpora });
    expect(result).toMatchObject({ answer: 'Gray', flags: [{ kind: 'fallback', step: 'choose' }] });
  });

  it('does not ask the model to choose among one', async () => {
    const input = { options: { passages: 2, aggregate: 'model' as const } };
    const { result } = await runScripted('rerank', readings.slice(0, 2), input, { corpora });
    expect(result).toMatchObject({ answer: 'Gray', usage: { calls: 2 } });
  });

  it('multiplies by the probability of the answer', async () => {
    // Half the weight each for the first two, which fit the question equally, and none for the third.
    const two = fixedCorpora([
      { id: 'a', title: '', text: 'The first telephone, red.' },
      { id: 'b', title: '', text: 'The first telephone, blue.' },
      { id: 'c', title: '', text: 'Nothing of it.' },
    ]);
    const sure = { text: 'Bell', logprob: Math.log(0.3) };
    const surer = { text: 'Gray', logprob: Math.log(0.6) };
    const script: Line[] = [
      { step: 'readPassage', when: /red/, say: sure },
      { step: 'readPassage', when: /blue/, say: surer },
      { step: 'readPassage', when: /Nothing/, say: { text: 'Reis', logprob: 0 } },
    ];
    const input = { options: { passages: 3, aggregate: 'tfIdfAndProbability' as const } };
    const { result, model } = await runScripted('rerank', script, input, { corpora: two });
    const weights = result.chain?.readings.map(({ weight }) => weight) ?? [];
    expect(weights).toEqual([expect.closeTo(1 / 3), expect.closeTo(2 / 3), 0]);
    expect(result).toMatchObject({ answer: 'Gray', confidence: expect.closeTo(2 / 3) });
    expect(model.requests.every(({ request }) => request.logprobs === true)).toBe(true);
  });

  it('tells not knowing from not being read, and reads a single passage', async () => {
    const one = { options: { passages: 1 }, limits: { reasks: 0 } };
    const ask = async (say: string) =>
      (await runScripted('rerank', [about(/Rivers/, say)], one, { corpora })).result;
    expect(await ask('Not mentioned')).toMatchObject({ outcome: 'unknown', evidence: ['rivers'] });
    expect(await ask('')).toMatchObject({ outcome: 'unreadable' });
    expect(await ask('Gray')).toMatchObject({ answer: 'Gray', confidence: 1 });
  });

  it('scores passages that came with the question', async () => {
    const retrieval = { passages: corpus.map(({ title, text }) => ({ title, text })) };
    const { result } = await runScripted('rerank', readings, { options, retrieval });
    expect(result).toMatchObject({ answer: 'Bell', confidence: 1 });
  });
});

/** Softmax of 10, 9, 8, 7 is 0.644, 0.237, 0.087, 0.032. */
describe('replug', () => {
  const byRetrieval = { ...options, weights: 'retrieval' as const };

  it('weighs the answer of each passage by the softmax of its retrieval score', async () => {
    const script = [
      about(/Rivers of/, 'Unknown'),
      about(/Elisha/, 'Gray'),
      about(/Bell got/, 'Bell'),
      about(/Towns in/, 'BELL'),
    ];
    const { result } = await runScripted('replug', script, { options: byRetrieval }, { corpora });
    expect(result).toMatchObject({
      answer: 'Gray',
      confidence: expect.closeTo(0.237, 3),
      evidence: ['gray'],
      usage: { calls: 4 },
    });
    const tallied = result.chain?.answers.map(({ answer, weight }) => [answer, weight]);
    expect(tallied).toEqual([
      ['Gray', expect.closeTo(0.237, 3)],
      ['Bell', expect.closeTo(0.119, 3)],
    ]);
  });

  it('mixes in the probabilities of the answers where the endpoint gives them', async () => {
    const likely = (text: string, probability: number) => ({
      text,
      logprob: Math.log(probability),
    });
    const script = [
      about(/Rivers of/, likely('Gray', 0.1)),
      about(/Elisha/, likely('Gray', 0.1)),
      about(/Bell got/, likely('Bell', 0.99)),
      about(/Towns in/, likely('Bell', 0.99)),
    ];
    // 0.1 (0.644 + 0.237) = 0.088 for Gray, 0.99 (0.087 + 0.032) = 0.118 for Bell, which is 0.573 of both.
    const mixed = await runScripted('replug', script, { options: byRetrieval }, { corpora });
    expect(mixed.result).toMatchObject({ answer: 'Bell', confidence: expect.closeTo(0.573, 3) });
    const voted = await runScripted(
      'replug',
      script,
      { options: { ...byRetrieval, probabilities: false } },
      { corpora },
    );
    expect(voted.result).toMatchObject({ answer: 'Gray', confidence: expect.closeTo(0.881, 3) });
  });

  it('weighs by the similarity of question and passage where nothing else is asked for', async () => {
    const input = { question: 'Bell first patent?', options };
    const embeddings = new EmbeddingCache(fakeEmbeddings(), new MemoryStore());
    const { result } = await runScripted('replug', readings, input, { corpora, embeddings });
    const weights = result.chain?.readings.map(({ weight }) => weight) ?? [];
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1);
    // Bell's passage alone shares words with the question: e times the weight of none, at most.
    expect(weights[2]).toBeGreaterThan(1.2 * (weights[0] ?? 1));
    expect(weights[1]).toBeCloseTo(weights[0] ?? 0, 1);
    expect(result).toMatchObject({
      answer: 'Gray',
      usage: { calls: 5 },
      steps: { rankBySimilarity: { calls: 1 } },
    });
    expect(result.chain?.passages.map(({ score }) => score)).toEqual([10, 9, 8, 7]);
  });

  it('gives the same whatever the order in which the passages are read', async () => {
    const script = [...readings.slice(0, 3), about(/Towns in/, '')];
    const input = { options, limits: { reasks: 0 } };
    const { result: straight } = await runScripted('replug', script, input, { corpora });
    const { result } = await runScripted('replug', turned(script), input, { corpora });
    expect(result).toEqual({ ...straight, workflowId: result.workflowId });
    expect(result.chain?.readings[3]).toMatchObject({ answer: null });
  });

  it('answers from memory when nothing was found', async () => {
    const nothing = { corpora: fixedCorpora([]) };
    const { result } = await runScripted(
      'replug',
      [{ step: 'readPassage', say: 'Bell' }],
      {},
      nothing,
    );
    expect(result).toMatchObject({
      answer: 'Bell',
      confidence: 1,
      evidence: [],
      flags: [{ kind: 'noPassages' }],
      chain: { readings: [{ passage: null, answer: 'Bell' }] },
    });
  });
});
