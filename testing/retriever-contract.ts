import assert from 'node:assert/strict';
import { Failure } from '../core/failure.js';
import type { PassageRef, SearchMode } from '../core/vocabulary.js';
import type { Retriever } from '../retrieval/retriever.js';
import { type ContractCase, caseWith } from './contract-case.js';

/**
 * The options of `retrieverContract`: a function that opens the retriever to be tested, a query
 * that finds at least three passages, and the supported search modes.
 */
export interface RetrieverParts {
  /** Opens the retriever; called for each case. */
  open(): Promise<Retriever>;
  /** A query that finds three passages or more, in every mode. */
  query: string;
  /** An id that no passage has. @default 'no such passage' */
  missing?: string;
  /** Supported search modes. @default ['bm25'] */
  modes?: readonly SearchMode[];
  /** Called after each case. */
  close?(): Promise<void>;
}

/** Queries with the syntax of query languages, which must be taken as text. */
const ODD = [
  '"',
  '""',
  '"unclosed',
  "'",
  '\\',
  '/',
  '*',
  '?',
  '~',
  '^2',
  '+a -b',
  '(',
  ')',
  '[a TO b]',
  'AND',
  'OR NOT',
  'title:x',
  '{"match_all": {}}',
  "'; DROP TABLE passages; --",
  '%s',
  '',
  ' \n\t ',
  '?!"',
  '\u0000otter\u0007',
  '\ud800 otter',
  '東京 🌍',
  'x'.repeat(10_000),
];

/**
 * Returns an array of test cases, each with `name` and `run`, for a retriever; they only search
 * and read.
 */
export function retrieverContract(parts: RetrieverParts): ContractCase[] {
  const { query, missing = 'no such passage', modes = ['bm25'] } = parts;
  const opened = async () => ({ retriever: await parts.open(), close: () => parts.close?.() });
  const testCase = (name: string, check: (retriever: Retriever) => Promise<void>) =>
    caseWith(opened, name, ({ retriever }) => check(retriever));

  return [
    ...modes.flatMap((mode) => [
      testCase(
        `${mode} finds passages, best first, each once, and at most k`,
        async (retriever) => {
          const found = await retriever.search(query, 3, mode);
          assert.equal(found.length, 3);
          assertHits(found);
          for (const k of [1, 2]) {
            const fewer = await retriever.search(query, k, mode);
            assert.equal(fewer.length, k);
            assertHits(fewer);
          }
          assertHits(await retriever.search(query, 1000, mode));
        },
      ),

      testCase(`${mode} treats any query as text`, async (retriever) => {
        for (const odd of ODD) {
          const found = await retriever.search(odd, 3, mode);
          assert.ok(found.length <= 3);
          assertHits(found);
        }
      }),

      testCase(`${mode} finds the same again`, async (retriever) => {
        const [first, again] = [
          await retriever.search(query, 3, mode),
          await retriever.search(query, 3, mode),
        ];
        assert.deepEqual(
          again.map(({ id }) => id),
          first.map(({ id }) => id),
        );
      }),
    ]),

    testCase('refuses a count that is not a whole number above 0', async (retriever) => {
      for (const k of [0, -1, 1.5, Number.NaN]) {
        await assert.rejects(retriever.search(query, k), ofType('BadInput'));
      }
    }),

    testCase('rejects with the reason if it rejects a cancelled search', async (retriever) => {
      const reason = new Error('cancelled');
      const searching = retriever.search(query, 1, modes[0], AbortSignal.abort(reason));
      await searching.catch((error: unknown) => assert.equal(error, reason));
    }),

    testCase(
      'returns whole passages in the order of the ids, repeated ones too',
      async (retriever) => {
        const found = (await retriever.search(query, 3, modes[0])).toReversed();
        const asked = [...found, ...found.slice(0, 1)];
        const passages = await retriever.get(asked.map(({ id }) => id));
        assert.deepEqual(
          passages.map(({ id, title }) => ({ id, title })),
          asked.map(({ id, title }) => ({ id, title })),
        );
        for (const { text } of passages) assert.ok(typeof text === 'string' && text !== '');
        assert.deepEqual(await retriever.get([]), []);
      },
    ),

    testCase('names the passage that is missing', async (retriever) => {
      const [hit] = await retriever.search(query, 1, modes[0]);
      const getting = retriever.get([hit?.id ?? '', missing]);
      await assert.rejects(getting, ofType('UnknownPassage', missing));
    }),
  ];
}

function assertHits(found: readonly PassageRef[]): void {
  for (const { id, title, score } of found) {
    assert.ok(typeof id === 'string' && id !== '');
    assert.equal(typeof title, 'string');
    assert.ok(Number.isFinite(score), 'a score is a number');
  }
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length, 'a passage is found once');
  const scores = found.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  // Texts are read when a prompt is written, to keep histories small.
  for (const hit of found) assert.deepEqual(Object.keys(hit).sort(), ['id', 'score', 'title']);
}

function ofType(type: string, named = ''): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Failure, `no Failure: ${String(error)}`);
    assert.equal(error.type, type);
    assert.ok(error.message.includes(named), `"${named}" is not named: ${error.message}`);
    return true;
  };
}
