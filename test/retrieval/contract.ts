/** What every search engine must do, on the real one. */

import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import type { IndexManifest } from '../../retrieval/manifest.js';
import type { SearchEngine } from '../../retrieval/open-search.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { retrieverContract } from '../../testing/retriever-contract.js';
import { holdsTo } from '../support/contract.js';
import { failureOf } from '../support/failure-of.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { animals, corpusFile, idsOf } from './helpers.js';

export interface ContractParts {
  /** Opens the engine; what is built in one is there in another. */
  open(embeddings?: EmbeddingModel): Promise<SearchEngine>;
  /** A corpus name that nothing else uses. */
  corpusName(): string;
  /** How the command line is told to use this engine. */
  flag: string;
  /** What a query of nothing but stop words finds. */
  stopWordsFind: string[];
  /** Deletes a corpus behind the engine's back. */
  deleteCorpus(name: string): Promise<void>;
}

const passages = [
  { id: '1', title: 'Heron', text: 'A heron stands in the water and waits for fish.' },
  { id: "o'brien", title: 'Otter', text: "The otter's fur keeps the cold water out." },
  { id: 'a\\b', title: 'Kingfisher "Alcedo"', text: 'A kingfisher dives for small fish.' },
  { id: '" OR 1=1 --', title: '', text: 'Beavers build dams of wood.\nThey fell trees.' },
  { id: '東京', title: '東京', text: 'Ναός café Ñandú 東京 Ærø' },
];

/** What searches over such passages find, by what they are there for. */
export const QUERIES: [string, string, string[]][] = [
  ['the best match comes first', 'Which heron waits for fish?', ['1', 'a\\b']],
  ['word forms are the same', 'beaver building a dam', ['" OR 1=1 --']],
  ['the title is searched', 'Alcedo', ['a\\b']],
  ['other scripts', '東京', ['東京']],
  ['letters with accents', 'café Ñandú', ['東京']],
  ['quotes mean nothing', '"otter dives"', ["o'brien", 'a\\b']],
  ['nothing matches', 'zeppelin', []],
  ['an empty query', '', []],
  ['punctuation only', '?!"', []],
  ['control characters', '\u0000otter\u0007', ["o'brien"]],
  ['half a surrogate pair', '\ud800 otter', ["o'brien"]],
];

/** Passages that are found by meaning, where these words mean the same. */
export const MEANINGS = { physician: 'doctor', medic: 'doctor', automobile: 'car' };
export const MEANT = [
  { id: 'medic', title: 'Medic', text: 'A medic heals.' },
  { id: 'doctor', title: 'Doctor', text: 'A doctor helps.' },
  { id: 'car', title: 'Car', text: 'A car drives.' },
  { id: 'car-again', title: 'Car', text: 'A car drives.' },
  { id: 'river', title: 'River', text: 'A river flows.' },
];

export async function searchesByMeaning(retriever: Retriever): Promise<void> {
  expect(idsOf(await retriever.search('automobile', 2, 'dense'))).toEqual(['car', 'car-again']);
  const [first, second] = await retriever.search('physician', 5, 'dense');
  expect([first?.id, second?.id].sort()).toEqual(['doctor', 'medic']);
  expect(first?.score).toBeGreaterThan(0.5);
  expect(first?.score).toBeLessThanOrEqual(1);
}

/** Registers the tests. */
export function retrievalContract({
  open,
  corpusName,
  flag,
  stopWordsFind,
  deleteCorpus,
}: ContractParts): void {
  /** Indexes records under a name of their own, or the one given. */
  async function index(
    records: readonly unknown[],
    { name = corpusName(), embeddings }: { name?: string; embeddings?: EmbeddingModel } = {},
  ) {
    const engine = await open();
    const file = await corpusFile(records);
    const manifest = await engine.build({ file, into: name, embeddings });
    await engine.close();
    return { name, manifest };
  }

  async function opened(name: string, embeddings?: EmbeddingModel): Promise<Retriever> {
    const engine = await open(embeddings);
    onTestFinished(() => engine.close());
    return engine.corpora.open(name);
  }

  const retrieverOver = async (records: readonly unknown[]) => opened((await index(records)).name);

  describe('a small corpus', () => {
    let name: string;
    let manifest: IndexManifest;
    let corpora: SearchEngine['corpora'];
    let retriever: Retriever;
    beforeAll(async () => {
      ({ name, manifest } = await index(passages));
      ({ corpora } = await open());
      retriever = await corpora.open(name);
    });

    test.each<[string, string, string[]]>([
      ...QUERIES,
      ['operators mean nothing', "+otter -fur AND NOT (heron) OR * ~ ? : \\ ' `", ["o'brien", '1']],
      ['stop words only', 'the of and it is', stopWordsFind],
    ])('%s', async (_, query, expected) => {
      expect(idsOf(await retriever.search(query, 5))).toEqual(expected);
    });

    test.each(["x' OR '1'='1", '', 'x'.repeat(1000)])('has no %j to get', async (id) => {
      await expect(retriever.get(['1', id])).rejects.toMatchObject({
        type: 'UnknownPassage',
        message: expect.stringContaining(
          `Corpus ${name} has no passage with id ${JSON.stringify(id)}`,
        ),
      });
    });

    test('is listed with its record', async () => {
      expect(await corpora.describe(name)).toEqual(manifest);
      expect(await corpora.list()).toContainEqual(manifest);
      expect(manifest).toMatchObject({ name, passages: 5, source: 'corpus.jsonl' });
    });

    test('is named where another is asked for', async () => {
      const failure = await failureOf(corpora.open('missing'));
      expect(failure.type).toBe('UnknownCorpus');
      expect(failure.message).toContain('There is no corpus missing (there are: ');
      expect(failure.message).toContain(name);
      expect(failure.message).toContain('durable-rag index corpus.jsonl --into missing');
    });

    test('is refused for a mode it has no vectors for', async () => {
      const withModel = await opened(name, fakeEmbeddings());
      const failure = await failureOf(withModel.search('car', 1, 'hybrid'));
      expect(failure).toMatchObject({ type: 'BadInput', retryable: false });
      expect(failure.message).toBe(
        `Corpus ${name} was indexed without embeddings, so mode "hybrid" cannot search it. ` +
          `Build it with them: durable-rag index corpus.jsonl --into ${name} --embed${flag}`,
      );
    });
  });

  test('equal scores stand in corpus order at every k, and any number can be got', async () => {
    const same = Array.from({ length: 1000 }, (_, n) => ({
      id: `id ${n}`,
      text: 'same heron text',
    }));
    const retriever = await retrieverOver(same);
    for (const k of [1, 7, 10, 299, 300, 301]) {
      expect(idsOf(await retriever.search('heron', k))).toEqual(idsOf(same.slice(0, k)));
    }
    const ids = idsOf(same).reverse();
    expect(idsOf(await retriever.get(ids))).toEqual(ids);
  });

  test('any id, title and text comes back as it was', async () => {
    const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
    const corpus = fc.uniqueArray(
      fc.record({
        id: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
        title: anyText,
        text: anyText.map((text) => `x ${text}`),
      }),
      { selector: (passage) => passage.id, minLength: 1, maxLength: 200 },
    );
    await fc.assert(
      fc.asyncProperty(corpus, async (records) => {
        const retriever = await retrieverOver(records);
        expect(await retriever.get(idsOf(records))).toEqual(records);
      }),
      { numRuns: 2 },
    );
  });

  test('a corpus that is rebuilt is followed; one that is deleted is unknown', async () => {
    const { name } = await index(animals(20, 'heron'));
    const retriever = await opened(name);
    expect(idsOf(await retriever.search('heron otter', 1))).toEqual(['heron-0']);
    await index(animals(20, 'otter'), { name });
    expect(idsOf(await retriever.search('heron otter', 1))).toEqual(['otter-0']);
    expect(idsOf(await retriever.get(['otter-3']))).toEqual(['otter-3']);
    await expect(retriever.get(['heron-0'])).rejects.toMatchObject({ type: 'UnknownPassage' });
    await deleteCorpus(name);
    // No retry helps.
    const unknown = { type: 'UnknownCorpus', retryable: false };
    await expect(retriever.search('otter', 1)).rejects.toMatchObject(unknown);
    await expect(retriever.get(['otter-0'])).rejects.toMatchObject(unknown);
  });

  describe('a build', () => {
    const otters = animals(2_500, 'otter');

    test.each<[string, unknown, RegExp]>([
      ['a bad line', { id: 'x' }, /line 2501 \(id x\) has no text\. Its fields are id/],
      ['a text that is none', { id: 'x', text: ['x'] }, /line 2501 has a list in text/],
    ])('%s far down leaves the old index served', async (_, line, message) => {
      const { name, manifest } = await index(animals(20, 'heron'));
      await expect(index([...otters, line], { name })).rejects.toMatchObject({
        type: 'BadInput',
        message: expect.stringMatching(message),
      });
      expect(await (await open()).corpora.describe(name)).toEqual(manifest);
      const retriever = await opened(name);
      expect(idsOf(await retriever.search('heron otter', 1))).toEqual(['heron-0']);
    });

    test('tells passages of one document apart, and says which document they are of', async () => {
      const passages = [
        { id: 'd', text: 'heron and otter' },
        { id: 'd', text: 'otter' },
        { id: 'e', text: 'heron' },
        { id: 'd', text: 'heron by the water' },
      ];
      const { name, manifest } = await index(passages);
      expect(manifest).toMatchObject({ passages: 4, repeatedIds: 2, read: 'JSON Lines' });
      const retriever = await opened(name);
      const found = await retriever.search('otter', 4);
      expect(found.map(({ id, own }) => [id, own?.id])).toEqual([
        ['d-2', 'd'],
        ['d', undefined],
      ]);
      const [water] = await retriever.search('water', 1);
      expect(water).toMatchObject({ id: 'd-3', own: { id: 'd' } });
      expect(await retriever.get(['d-3'])).toEqual([
        { id: 'd-3', title: '', text: 'heron by the water' },
      ]);
    });

    test('of a name that another builds is refused, and told about the other', async () => {
      const name = corpusName();
      const results = await Promise.allSettled([
        index(otters, { name }),
        index(otters, { name }),
        index(otters.slice(0, 10)),
      ]);
      const refused = results.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(refused).toEqual([
        expect.objectContaining({
          name: 'BuildInProgress',
          message: expect.stringContaining(
            `Corpus ${name} is being built by process ${process.pid}`,
          ),
        }),
      ]);
      expect(idsOf(await (await opened(name)).search('otter', 1))).toEqual(['otter-0']);
    });
  });

  describe('a corpus with vectors', () => {
    const embeddings = fakeEmbeddings({ meanings: MEANINGS });
    let name: string;
    beforeAll(async () => {
      const built = await index(MEANT, { embeddings });
      name = built.name;
      expect(built.manifest.embedding).toEqual({
        provider: 'fake',
        model: 'fake-words',
        dimensions: 64,
      });
    });

    test('is searched by meaning, equal scores in corpus order', async () => {
      await searchesByMeaning(await opened(name, embeddings));
    });

    describe('as any retriever', () => {
      const open = () => opened(name, embeddings);
      const modes = ['bm25', 'dense', 'hybrid'] as const;
      holdsTo(retrieverContract({ open, query: 'doctor medic car river', modes }));
    });

    test('is searched by words as well, and nothing is embedded for it', async () => {
      const retriever = await opened(name, embeddings);
      const before = embeddings.requests.length;
      expect(await retriever.search('automobile', 5)).toEqual([]);
      expect(idsOf(await retriever.search('doctor', 5, 'bm25'))).toEqual(['doctor']);
      expect(embeddings.requests).toHaveLength(before);
      expect((await retriever.get(['car']))[0]?.text).toBe('A car drives.');
    });

    test('hybrid joins both lists, at most k, each passage once', async () => {
      const retriever = await opened(name, embeddings);
      const found = idsOf(await retriever.search('doctor', 3, 'hybrid'));
      expect(found).toHaveLength(3);
      expect(found[0]).toBe('doctor');
      expect(found).toContain('medic');
      const all = idsOf(await retriever.search('doctor', 100, 'hybrid'));
      expect(all.sort()).toEqual(idsOf(MEANT).sort());
    });

    test('is refused with another model, already when it is opened for the mode', async () => {
      const { corpora } = await open(fakeEmbeddings({ model: 'other' }));
      const failure = await failureOf(corpora.open(name, 'dense'));
      expect(failure.message).toContain('embeds with other.');
      await corpora.open(name, 'bm25');
    });

    test.each([
      ['another model', { model: 'other' }, 'other'],
      ['vectors of other dimensions', { dimensions: 32 }, '32 dimensions of it'],
    ])('is refused with %s', async (_, change, named) => {
      const retriever = await opened(name, fakeEmbeddings(change));
      const failure = await failureOf(retriever.search('car', 1, 'dense'));
      expect(failure.type).toBe('BadInput');
      expect(failure.message).toContain('embedded with fake-words (64 dimensions)');
      expect(failure.message).toContain(`embeds with ${named}.`);
      expect(failure.message).toContain('DURABLE_RAG_EMBEDDING_MODEL');
      expect(failure.message).toContain(
        `durable-rag index corpus.jsonl --into ${name} --embed${flag}`,
      );
    });
  });
}
