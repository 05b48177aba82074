/** The orders of SuRe's table 4: by the search, the question, two kinds of summary, and the model. */

import { describe, expect, it } from 'vitest';
import type { Passage } from '../../../core/vocabulary.js';
import { methods } from '../../../interpreters/methods.js';
import { mostCalls } from '../../../interpreters/planning.js';
import { EmbeddingCache } from '../../../llm/embedding-cache.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { ScriptedReply } from '../../../testing/scripted-model.js';
import type { RerankPassagesOptions } from '../../../workflows/methods/baselines/rerank-passages.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { fixedCorpora } from '../../support/ports.js';
import { runScripted } from '../../support/run-scripted.js';

/** Found in this order. */
const corpus: Passage[] = [
  { id: 'river', title: '', text: 'river water flows' },
  { id: 'gray', title: '', text: 'gray filed caveat' },
  { id: 'bell', title: '', text: 'bell was granted patent' },
  { id: 'lamp', title: '', text: 'edison lamp light' },
];
const question = 'edison lamp?';

/** Each order puts another passage first. */
const script: ScriptedReply[] = [
  { step: 'summarizeGeneric', say: 'gray filed caveat [DONE]' },
  { step: 'generateCandidates', say: '(a) Gray, (b) Bell' },
  { step: 'summarize', when: /Prediction: \(a\)/, say: 'edison lamp light gray [DONE]' },
  { step: 'summarize', when: /Prediction: \(b\)/, say: 'bell was granted patent [DONE]' },
  { step: 'validate', when: /Prediction: Gray/, say: 'False' },
  { step: 'validate', when: /Prediction: Bell/, say: 'True' },
  { step: 'rankPair', when: /Passage 1: bell/, say: 'Passage 1' },
  { step: 'rankPair', when: /Passage 1: edison/, say: 'Passage 2' },
  { step: 'rankPassages', say: '[2] > [4]' },
  { step: 'read', say: 'Bell' },
];
const options = { candidates: 4, passages: 1 };
const all: Partial<RerankPassagesOptions> = {
  ...options,
  by: 'sureSummary',
  compare: ['retrieval', 'embedding', 'genericSummary', 'model', 'sureSummary'],
};
const input = { question, options: all };

function parts() {
  const embeddings = new EmbeddingCache(fakeEmbeddings(), new MemoryStore());
  return { corpora: fixedCorpora(corpus), embeddings };
}

describe('rerankPassages', () => {
  it('puts the passages in every order, and reads the best of one', async () => {
    const { result, model } = await runScripted('rerankPassages', script, input, parts());
    expect(model.left).toEqual([]);
    // 1 + 2 for the generic summary + 8 for SuRe's + 1 for the question + 1 for the model.
    expect(result).toMatchObject({ answer: 'Bell', evidence: ['bell'], usage: { calls: 13 } });
    const planned = methods.rerankPassages.options.parse(all);
    expect(await mostCalls(methods.rerankPassages, planned)).toBe(13);

    const rankings = result.chain?.rankings ?? [];
    expect(rankings.map(({ by, ranked }) => [by, ranked[0]?.id])).toEqual([
      ['sureSummary', 'bell'],
      ['retrieval', 'river'],
      ['embedding', 'lamp'],
      ['genericSummary', 'gray'],
      ['model', 'gray'],
    ]);
    for (const { ranked } of rankings) {
      expect(ranked.map(({ id }) => id).sort()).toEqual(['bell', 'gray', 'lamp', 'river']);
    }
    const [sure, retrieval, , generic, byModel] = rankings;
    expect(sure).toMatchObject({
      summary: 'bell was granted patent',
      candidates: [
        { text: 'Gray', valid: false, rank: 0 },
        { text: 'Bell', valid: true, rank: 1 },
      ],
      votes: [{ choice: 'second' }, { choice: 'first' }],
    });
    expect(sure?.ranked[0]?.score).toBeGreaterThan(0.99);
    expect(retrieval?.ranked).toEqual(result.chain?.passages);
    expect(generic?.summary).toBe('gray filed caveat');
    expect(byModel?.ranked.map(({ id, score }) => [id, score])).toEqual([
      ['gray', 1],
      ['lamp', 1 / 2],
      ['river', 1 / 3],
      ['bell', 1 / 4],
    ]);
  });

  it.each([
    ['retrieval', ['read'], 'river'],
    ['model', ['rankPassages', 'read'], 'gray'],
    ['genericSummary', ['summarizeGeneric', 'read'], 'gray'],
  ] as const)('by %s alone pays for nothing else', async (by, steps, first) => {
    const one = { question, options: { ...options, by } };
    const { result, model } = await runScripted('rerankPassages', script, one, parts());
    expect(model.requests.map(({ step }) => step)).toEqual(steps);
    expect(result.evidence).toEqual([first]);
    const costed = methods.rerankPassages.options.parse(one.options);
    expect(result.usage.calls).toBe(await mostCalls(methods.rerankPassages, costed));
  });

  it('writes one summary where SuRe has a single candidate', async () => {
    const single: ScriptedReply[] = [
      { step: 'generateCandidates', say: '(a) Bell' },
      { step: 'summarize', say: 'bell was granted patent [DONE]' },
      { step: 'read', say: 'Bell' },
    ];
    const bySure = { question, options: { ...options, by: 'sureSummary' } } as const;
    const { result, asked } = await runScripted('rerankPassages', single, bySure, parts());
    expect(asked).toEqual({ generateCandidates: 1, summarize: 1, read: 1 });
    expect(result).toMatchObject({ evidence: ['bell'], flags: [{ kind: 'fewerCandidates' }] });
  });

  it.each([
    ['sureSummary', 'generateCandidates'],
    ['genericSummary', 'summarizeGeneric'],
  ] as const)('keeps retrieval order where no %s can be read', async (by, step) => {
    const unread: ScriptedReply[] = [
      { step, say: '' },
      { step: 'read', say: 'Bell' },
    ];
    const unreadable = { question, options: { ...options, by }, limits: { reasks: 0 } };
    const { result } = await runScripted('rerankPassages', unread, unreadable, parts());
    expect(result.evidence).toEqual(['river']);
    expect(result.chain?.rankings).toMatchObject([{ by, summary: null }]);
    expect(result.flags).toContainEqual(expect.objectContaining({ kind: 'fallback', step }));
  });
});
