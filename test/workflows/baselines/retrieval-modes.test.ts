import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EmbeddingCache } from '../../../llm/embedding-cache.js';
import { buildIndex } from '../../../retrieval/build-index.js';
import { openCorpora } from '../../../retrieval/corpora.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { Line } from '../../../testing/scripted-model.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { runScripted } from '../../support/run-scripted.js';

const reads: Line = { step: 'read', say: 'Bell' };

describe('base with each kind of retrieval', () => {
  const records = [
    { id: 'c', title: 'Car', text: 'An automobile drives.' },
    { id: 'd', title: 'Doctor', text: 'A physician helps.' },
    { id: 'r', title: 'River', text: 'Water flows.' },
  ];

  it('searches by words, by vectors, or by both', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'durable-rag-modes-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'corpus.jsonl');
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const model = fakeEmbeddings({ meanings: { medic: 'physician' } });
    const embeddings = new EmbeddingCache(model, new MemoryStore());
    await buildIndex({ file, into: 'sample', folder, embeddings });
    const corpora = openCorpora(folder, embeddings);

    const ask = async (mode: 'bm25' | 'dense' | 'hybrid') => {
      const input = {
        question: 'A medic, or a river?',
        options: { passages: 2 },
        retrieval: { mode },
      };
      const { result } = await runScripted('base', [reads], input, { corpora, embeddings });
      return result;
    };
    const byWords = await ask('bm25');
    expect(byWords).toMatchObject({ evidence: ['r'], usage: { calls: 1 } });
    const byVector = await ask('dense');
    expect(new Set(byVector.evidence)).toEqual(new Set(['d', 'r']));
    expect(byVector.steps).toMatchObject({ embedTexts: { calls: 1 }, read: { calls: 1 } });
    const byBoth = await ask('hybrid');
    expect(byBoth.evidence).toEqual(['r', 'd']);
  });

  it('answers with citations where they are asked for', async () => {
    const script: Line[] = [{ step: 'answerWithCitations', say: 'It was Bell [1].' }];
    const input = { options: { passages: 5, answerForm: 'prose' } } as const;
    const { result } = await runScripted('base', script, input);
    expect(result).toMatchObject({
      answer: 'It was Bell [1].',
      chain: { citations: [{ number: 1, passage: 'p1' }] },
    });
  });

  it('refuses to cite where nothing is retrieved', async () => {
    const input = { options: { passages: 0, answerForm: 'prose' } } as const;
    await expect(runScripted('base', [], input)).rejects.toThrow(
      /options\.answerForm: cites passages/,
    );
  });
});
