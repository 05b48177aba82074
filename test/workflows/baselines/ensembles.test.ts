import { describe, expect } from 'vitest';
import type { Passage } from '../../../core/vocabulary.js';
import { EmbeddingCache } from '../../../llm/embedding-cache.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { ScriptedReply } from '../../../testing/scripted-model.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { fixedCorpora } from '../../support/ports.js';
import { says } from '../../support/run-scripted.js';
import { scenarios } from '../../support/scenarios.js';

/** Four passages; retrieval scores 10, 9, 8, 7. The question shares words with the third only. */
const corpus: Passage[] = [
  { id: 'rivers', title: '', text: 'Rivers of Ohio.' },
  { id: 'gray', title: '', text: 'Elisha Gray filed a caveat.' },
  { id: 'bell', title: '', text: 'Bell got the first patent for the telephone.' },
  { id: 'towns', title: '', text: 'Towns in Ohio.' },
];
const changes = { corpora: fixedCorpora(corpus) };
const options = { passages: 4 };
/** What is read of each passage, in the order of the search. */
const reads = (...answers: string[]): ScriptedReply[] =>
  [/Rivers of/, /Elisha/, /Bell got/, /Towns in/].flatMap((when, i) =>
    answers[i] === undefined ? [] : [{ step: 'readPassage', when, say: answers[i] }],
  );
const readings = reads('Gray', 'the gray.', 'Bell', 'Unknown');

describe('rerank', () => {
  const byModel = { ...options, aggregate: 'model' } as const;

  scenarios('rerank', {
    'weighs the answer of each passage by TF-IDF': {
      script: readings,
      options,
      changes,
      // Only Bell's passage has words of the question: its share is the whole.
      result: {
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
      },
      check({ prompts, model }) {
        for (const prompt of prompts()) expect(prompt.match(/<passage/g)).toHaveLength(2);
        expect(model.requests.some(({ request }) => request.logprobs)).toBe(false);
      },
    },
    'counts heads in a plain vote': {
      script: readings,
      options: { ...options, aggregate: 'vote' },
      changes,
      result: { answer: 'Gray', confidence: 0.5, evidence: ['rivers', 'gray'] },
    },
    'lets the model choose among the different answers, most votes first': {
      script: [...readings, ...says('choose', '(b)')],
      options: byModel,
      changes,
      result: { answer: 'Bell', evidence: ['bell'], usage: { calls: 5 } },
      check({ prompts, result }) {
        expect(prompts('choose')[0]).toContain('Choices: (a) Gray (b) Bell');
        expect(result).not.toHaveProperty('confidence');
      },
    },
    'asks for probabilities where they weigh': {
      script: readings,
      options: { ...options, aggregate: 'tfIdfAndProbability' },
      changes,
      check({ model }) {
        expect(model.requests.every(({ request }) => request.logprobs)).toBe(true);
      },
    },
    'goes back to the vote when the choice cannot be read': {
      script: [...readings, ...says('choose', '')],
      options: byModel,
      reasks: 0,
      changes,
      flags: ['choose fallback'],
      result: { answer: 'Gray' },
    },
    'does not ask the model to choose among one': {
      script: reads('Gray', 'the gray.'),
      options: { ...byModel, passages: 2 },
      changes,
      result: { answer: 'Gray', usage: { calls: 2 } },
    },
  });
});

describe('replug', () => {
  scenarios('replug', {
    /** Softmax of 10, 9, 8, 7 is 0.644, 0.237, 0.087, 0.032. */
    'weighs the answer of each passage by the softmax of its retrieval score': {
      script: reads('Unknown', 'Gray', 'Bell', 'BELL'),
      options: { ...options, weights: 'retrieval' },
      changes,
      result: {
        answer: 'Gray',
        confidence: expect.closeTo(0.237, 3),
        evidence: ['gray'],
        usage: { calls: 4 },
        chain: {
          answers: [
            { answer: 'Gray', weight: expect.closeTo(0.237, 3) },
            { answer: 'Bell', weight: expect.closeTo(0.119, 3) },
          ],
        },
      },
    },
    'weighs by the similarity of question and passage where nothing else is asked for': {
      script: readings,
      options,
      input: { question: 'Bell first patent?' },
      changes: { ...changes, embeddings: new EmbeddingCache(fakeEmbeddings(), new MemoryStore()) },
      result: {
        answer: 'Gray',
        usage: { calls: 5 },
        steps: { rankBySimilarity: { calls: 1 } },
        chain: { passages: [{ score: 10 }, { score: 9 }, { score: 8 }, { score: 7 }] },
      },
      check({ result }) {
        const weights = result.chain?.readings.map(({ weight }) => weight) ?? [];
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1);
        // Bell's passage alone shares words with the question: e times the weight of none, at most.
        expect(weights[2]).toBeGreaterThan(1.2 * (weights[0] ?? 1));
        expect(weights[1]).toBeCloseTo(weights[0] ?? 0, 1);
      },
    },
  });
});
