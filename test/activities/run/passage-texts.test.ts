/** Where the report finds the texts of passages, and what it asks the corpora for. */
import { expect, it } from 'vitest';
import { passageTexts } from '../../../activities/run/passage-texts.js';
import { Failure } from '../../../core/failure.js';
import type { Corpora } from '../../../retrieval/retriever.js';
import { passageStore } from '../../../retrieval/supplied-passages.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { manifestOf } from '../../support/runs/example-runs.js';

const supplied = passageStore(new MemoryStore());
const [own = { id: '' }] = await supplied.put([{ title: 'Own', text: 'Of the question.' }]);

/** The corpus `wiki` of the passages a and b, with what was asked of it. */
function recorded(fault?: Failure) {
  const asked: unknown[] = [];
  const texts = new Map([
    ['a', 'Text of a.'],
    ['b', 'Text of b.'],
  ]);
  const corpora: Corpora = {
    async open(name) {
      asked.push(name);
      if (name !== 'wiki') throw new Failure('UnknownCorpus', name);
      return {
        search: async () => [],
        async get(ids) {
          asked.push(ids);
          if (fault) throw fault;
          return ids.map((id) => {
            const text = texts.get(id);
            if (text === undefined) throw new Failure('UnknownPassage', id);
            return { id, title: id, text };
          });
        },
      };
    },
  };
  return { asked, ...passageTexts(corpora, supplied) };
}

const of = (run: string, corpus = 'wiki') => manifestOf({ run, method: 'base', input: { corpus } });

it('opens a corpus once and asks for all passages of a question at once', async () => {
  const { texts, gone, asked } = recorded();
  const found = await Promise.all([
    texts(of('one'), ['a', 'b']),
    texts(of('two'), ['b']),
    texts(of('two'), []),
  ]);
  expect(found.map((map) => [...map])).toEqual([
    [
      ['a', 'Text of a.'],
      ['b', 'Text of b.'],
    ],
    [['b', 'Text of b.']],
    [],
  ]);
  expect(asked).toEqual(['wiki', ['a', 'b'], ['b']]);
  expect(gone).toEqual(new Set());
});

it('finds what is there beside passages that are not, and names the runs that miss some', async () => {
  const { texts, gone, asked } = recorded();
  expect(await texts(of('one'), ['a', own.id])).toEqual(
    new Map([
      ['a', 'Text of a.'],
      [own.id, 'Of the question.'],
    ]),
  );
  expect(asked).toEqual(['wiki', ['a', own.id], ['a'], [own.id]]);
  expect(gone).toEqual(new Set());
  expect(await texts(of('two'), ['lost', 'b'])).toEqual(new Map([['b', 'Text of b.']]));
  expect(gone).toEqual(new Set(['two']));
});

it('does without a corpus that is gone', async () => {
  const { texts, gone, asked } = recorded();
  expect([...(await texts(of('one', 'old'), [own.id])).keys()]).toEqual([own.id]);
  expect(gone).toEqual(new Set());
  expect(await texts(of('one', 'old'), ['a'])).toEqual(new Map());
  expect(gone).toEqual(new Set(['one']));
  expect(asked).toEqual(['old']);
});

it.each(['Connection', 'Incompatible'] as const)(
  'does not take a search engine that fails (%s) for passages that are gone',
  async (type) => {
    const { texts, asked } = recorded(new Failure(type, 'Away.'));
    await expect(texts(of('one'), ['a', 'b'])).rejects.toThrow('Away.');
    expect(asked).toEqual(['wiki', ['a', 'b']]);
  },
);
