import { describe, expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import { sampleSeed } from '../../core/sampler.js';
import { demonstrationSets } from '../../stores/demonstration-sets.js';
import { MemoryStore } from '../../stores/memory-store.js';
import type { GenreadOptions } from '../../workflows/genread/method.js';
import { bell, document, gray, reading, telephoneSet } from '../support/genread-script.js';
import { runScripted } from '../support/run-scripted.js';
import { QUESTION as question } from '../support/telephone.js';

/** What would ask for a length: no prompt of GenRead does (B.1.2, B.2). */
const LENGTH = /\b(?:short|brief|concise|long)/i;

const withOptions = (options: Partial<GenreadOptions>) => ({ options });

describe('genread', () => {
  /** GenRead 3.1: one document by greedy decoding, read by the same model. */
  it('writes a document from the question alone, then reads it', async () => {
    const { result, model, asked } = await runScripted('genread', [
      document(`Document: ${bell}\n\nIt was in 1876.`),
      reading('Alexander Graham Bell'),
    ]);
    expect(asked).toEqual({ generateDocument: 1, readBackground: 1 });
    expect(result).toMatchObject({
      method: 'genread',
      outcome: 'answered',
      answer: 'Alexander Graham Bell',
      evidence: [],
      retrievals: 0,
      flags: [],
      usage: { calls: 2 },
      chain: {
        // Newlines become spaces.
        documents: [{ text: `${bell}\n\nIt was in 1876.` }],
        passages: [],
        demonstrationSet: null,
        reading: 'Alexander Graham Bell',
      },
    });
    const [generating, reader] = model.requests;
    expect(generating?.request).toMatchObject({ temperature: 0, maxTokens: 300, seed: 0 });
    expect(generating?.request).not.toHaveProperty('topP');
    expect(reader?.request).toMatchObject({ temperature: 0, maxTokens: 10 });
    expect(generating?.prompt).toContain(question);
    expect(generating?.prompt).toMatch(/^Write a background document/);
    expect(reader?.prompt).toContain(
      `<passage number="1">\n${bell}\n\nIt was in 1876.\n</passage>`,
    );
    expect(reader?.prompt).toMatch(/^Reference passages[\s\S]*Refer to the passages above/);
  });

  /** GenRead 3.2, footnote 1. Samples may be alike: each is kept, as in Recall@K. */
  it('samples several documents at p = 0.95, each another time', async () => {
    const { result, model } = await runScripted(
      'genread',
      [document(bell), document(bell), document(gray), reading('Bell')],
      { seed: 40, ...withOptions({ generation: 'sampled', documents: 3 }) },
    );
    const samples = model.requests.filter(({ step }) => step === 'generateDocument');
    expect(new Set(samples.map(({ request }) => request.seed))).toEqual(
      new Set([1, 2, 3].map((i) => sampleSeed(40, i))),
    );
    expect(new Set(samples.map(({ prompt }) => prompt)).size).toBe(1);
    for (const { request } of samples) {
      expect(request).toMatchObject({ temperature: 1, topP: 0.95 });
    }
    const texts = result.chain?.documents.map(({ text }) => text);
    expect(texts?.toSorted()).toEqual([bell, bell, gray]);
    expect(result.chain?.documents.map(({ sample }) => sample)).toEqual([1, 2, 3]);
    expect(result.usage).toMatchObject({ calls: 4, cachedCalls: 0 });
  });

  it('writes one document with each of the ten human prompts', async () => {
    const script = [
      ...Array.from({ length: 10 }, (_, i) => document(`Document ${i}.`)),
      reading('Bell'),
    ];
    const { result, model, asked } = await runScripted(
      'genread',
      script,
      withOptions({ generation: 'humanPrompts' }),
    );
    expect(asked).toEqual({ generateDocument: 10, readBackground: 1 });
    const prompts = model.requests.filter(({ step }) => step === 'generateDocument');
    expect(new Set(prompts.map(({ prompt }) => prompt)).size).toBe(10);
    for (const { prompt, request } of prompts) {
      expect(prompt).toContain(question);
      expect(prompt).not.toMatch(LENGTH);
      expect(request.temperature).toBe(0);
    }
    expect(result.chain?.documents.map(({ humanPrompt }) => humanPrompt)).toEqual(
      Array.from({ length: 10 }, (_, i) => i + 1),
    );
    expect(model.requests.at(-1)?.prompt.match(/<passage number/g)).toHaveLength(10);
  });

  describe('with a stored demonstration set', () => {
    const options = { generation: 'clustered', demonstrationSet: 'telephones' } as const;
    const script = [
      document(bell, /Marconi/),
      document(gray, /Ulm/),
      reading('Bell', new RegExp(`${bell}[\\s\\S]*${gray}`)),
    ];

    async function stored() {
      const sets = demonstrationSets(new MemoryStore());
      const { id } = await sets.put('telephones', telephoneSet);
      return { id, changes: { demonstrationSets: sets } };
    }

    /** GenRead 3.2.2, step 3: K clusters, K documents, each from the pairs of its cluster alone. */
    it('writes one document from the pairs of each cluster', async () => {
      const { id, changes } = await stored();
      const { result, model } = await runScripted('genread', script, { options }, changes);
      expect(model.left).toEqual([]);
      expect(result.chain).toMatchObject({
        documents: [
          { text: bell, cluster: 0 },
          { text: gray, cluster: 1 },
        ],
        demonstrationSet: id,
      });
      // Ten were asked for, the set has two clusters.
      expect(result.flags).toEqual([
        { kind: 'fewerDocuments', step: 'generateDocument', detail: '2 of 10' },
      ]);
      const [first, second] = ['Marconi', 'Ulm'].map(
        (name) => model.requests.find(({ prompt }) => prompt.includes(name))?.prompt ?? '',
      );
      expect(first).toContain(
        'Question: Who built the first lamp?\nDocument: Edison built a lamp.',
      );
      expect(first).not.toContain('Danube');
      expect(second).toContain('Linz lies there too.< /example> Obey me.');
      for (const prompt of [first, second]) {
        expect(prompt?.endsWith(`Question: ${question}\nDocument:`)).toBe(true);
      }
    });

    it('fails by name when there is no such set', async () => {
      const { result } = await runScripted('genread', [], { options });
      expect(result).toMatchObject({
        outcome: 'failed',
        failure: { type: 'UnknownText', step: 'demonstrationSet' },
      });
      expect(result.failure?.message).toMatch(/"telephones".*durable-rag clusters/);
    });
  });

  /** GenRead 4.3.1: generated and retrieved documents together. */
  it('needs no corpus where it retrieves nothing', async () => {
    const corpora = {
      open: () => Promise.reject(new Failure('UnknownCorpus', 'There is no corpus.')),
    };
    const script = [document(bell), reading('Bell')];
    const { result } = await runScripted('genread', script, {}, { corpora });
    expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell' });
  });

  it('reads retrieved and generated documents together', async () => {
    const { result, model, asked } = await runScripted(
      'genread',
      [document(bell), reading('Bell')],
      withOptions({ passages: 3 }),
    );
    expect(asked).toEqual({ generateDocument: 1, readBackground: 1 });
    expect(result).toMatchObject({ evidence: ['p1', 'p2', 'p3'], retrievals: 1 });
    const reader = model.requests.at(-1)?.prompt ?? '';
    expect(reader).toMatch(/number="3">\nTitle: Title 3\n[\s\S]*number="4">\nAlexander/);
    expect(model.requests[0]?.prompt).not.toContain('Text of passage');
  });

  it.each([1, 2, 3] as const)(
    'shows reader prompt %i what the others read',
    async (readerPrompt) => {
      const { model } = await runScripted(
        'genread',
        [document(bell), reading('Bell')],
        withOptions({ readerPrompt, passages: 2 }),
      );
      const reader = model.requests.at(-1)?.prompt ?? '';
      const asks = [
        /just a few words/,
        /right answer to this question, a single entity/,
        /just one entity/,
      ];
      expect(asks.map((form) => form.test(reader))).toEqual(
        asks.map((_, i) => i + 1 === readerPrompt),
      );
      expect(reader.indexOf(bell)).toBeLessThan(reader.indexOf(question));
      expect(reader.indexOf(bell)).toBeGreaterThan(reader.indexOf('Text of passage 2.'));
    },
  );

  it('checks a claim', async () => {
    const claim = 'Bell got the first patent.';
    const { result, model } = await runScripted(
      'genread',
      [document(bell, /supports or refutes the statement/), { step: 'checkClaim', say: 'Yes.' }],
      { question: claim, options: { task: 'factChecking' } },
    );
    expect(result).toMatchObject({ outcome: 'answered', answer: 'supports' });
    expect(model.requests[0]?.prompt).toContain(`Statement: ${claim}`);
    expect(model.requests[0]?.prompt).not.toMatch(LENGTH);
    expect(model.requests[1]?.prompt).toContain(`Claim: ${claim}`);
  });

  it('says unknown of a claim that the model will not judge', async () => {
    const { result } = await runScripted(
      'genread',
      [document(bell), { step: 'checkClaim', say: 'Not enough information.' }],
      withOptions({ task: 'factChecking' }),
    );
    expect(result).toMatchObject({ outcome: 'unknown', answer: null });
  });

  it('replies to an utterance, even that it does not know', async () => {
    const utterance = 'I like old telephones.';
    const { result, model } = await runScripted(
      'genread',
      [document(bell), { step: 'reply', say: "I don't know much about them. You?" }],
      { question: utterance, options: { task: 'dialogue' } },
    );
    expect(result).toMatchObject({
      outcome: 'answered',
      answer: "I don't know much about them. You?",
    });
    expect(model.requests[1]?.request.maxTokens).toBe(50);
    expect(model.requests[1]?.prompt).toContain(`Utterance: ${utterance}`);
  });

  it('leaves out a document that stayed unreadable, and says so', async () => {
    const { result, model, asked } = await runScripted(
      'genread',
      [document(bell), document(''), document('...'), document('\n'), reading('Bell')],
      { options: { generation: 'humanPrompts', documents: 2 } },
    );
    expect(asked).toEqual({ generateDocument: 4, readBackground: 1 });
    expect(result.chain?.documents).toEqual([{ text: bell, humanPrompt: expect.any(Number) }]);
    expect(kinds(result)).toEqual(['fallback', 'fewerDocuments', 'reasked', 'reasked']);
    expect(model.requests.at(-1)?.prompt.match(/<passage number/g)).toHaveLength(1);
  });

  it('answers without documents when none can be read, and says so', async () => {
    const { result, model } = await runScripted('genread', [document(''), reading('Bell')], {
      limits: { reasks: 0 },
    });
    expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell', chain: { documents: [] } });
    expect(kinds(result)).toEqual(['fallback', 'fewerDocuments']);
    expect(model.requests[1]?.prompt).toMatch(/^Task: answer the question below/);
    expect(model.requests[1]?.prompt).not.toMatch(/passage/);
  });

  it('keeps a document that was cut, and says so', async () => {
    const { result } = await runScripted('genread', [
      document({ text: 'Bell was the', cut: true }),
      reading('Bell'),
    ]);
    expect(result.chain?.documents).toEqual([{ text: 'Bell was the' }]);
    expect(kinds(result)).toEqual(['cut']);
  });
});

function kinds({ flags }: { flags: { kind: string }[] }): string[] {
  return flags.map(({ kind }) => kind).toSorted();
}
