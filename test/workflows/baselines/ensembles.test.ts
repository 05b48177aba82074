import { describe, expect, it } from 'vitest';
import type { Passage } from '../../../core/vocabulary.js';
import { EmbeddingCache } from '../../../llm/embedding-cache.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { Line } from '../../../testing/scripted-model.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { fixedCorpora } from '../../support/ports.js';
import { runScripted } from '../../support/run-scripted.js';

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

  it('asks for probabilities where they weigh', async () => {
    const input = { options: { ...options, aggregate: 'tfIdfAndProbability' as const } };
    const { model } = await runScripted('rerank', readings, input, { corpora });
    expect(model.requests.every(({ request }) => request.logprobs === true)).toBe(true);
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
});
