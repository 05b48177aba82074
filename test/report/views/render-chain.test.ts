/** What `ask` prints of a chain, for a terminal of 80 columns. */
import { expect, it } from 'vitest';
import type { BaseChain } from '../../../workflows/base/method.js';
import type { MethodName } from '../../../workflows/methods.js';
import type { SureChain } from '../../../workflows/sure/method.js';
import { passages, shown } from '../../support/rendered.js';

it('SuRe', () => {
  const chain: SureChain = {
    passages,
    candidates: [
      {
        text: 'Alexander Graham Bell',
        summary:
          'Alexander Graham Bell was granted United States patent 174,465 for the telephone on 7 March 1876.',
        valid: true,
        rank: 0.5,
      },
      { text: 'Elisha Gray', summary: 'Gray filed a caveat.', valid: false, rank: 0.5 },
    ],
    votes: [
      { first: 0, second: 1, choice: 'first' },
      { first: 1, second: 0, choice: null },
    ],
  };
  expect(shown('sure', chain, { answer: 'Alexander Graham Bell' })).toMatchInlineSnapshot(`
    "
      Alexander Graham Bell

    Candidates (2)
    * Alexander Graham Bell  supported, 0.5 of 1 in comparison
        Alexander Graham Bell was granted United States patent 174,465 for the
        telephone on 7 March 1876.
      Elisha Gray  not supported, 0.5 of 1 in comparison
        Gray filed a caveat.
      1 of 2 comparisons could not be read

    Passages (5)
        1. Alexander Graham Bell; 2. Elisha Gray and Alexander Bell telephone
        controversy; 3. Antonio Meucci; 4. Invention of the telephone; 5. wiki-5

    7 calls, 8,210 prompt tokens, 412 completion tokens, $0.0012, 12.3 s
    History: workflow ask-1"
  `);
});

it('a failed question', () => {
  const failure = { type: 'UnknownModel', message: 'There is no model "x".', step: 'read' };
  expect(shown('base', null, { outcome: 'failed', answer: null, failure })).toMatchInlineSnapshot(`
    "
      Failed in read (UnknownModel): There is no model "x".

    7 calls, 8,210 prompt tokens, 412 completion tokens, $0.0012, 12.3 s
    History: workflow ask-1"
  `);
});

it('base lists its passages, and what the answer cites', () => {
  const chain: BaseChain = {
    passages,
    reading: 'Bell [4].',
    citations: [{ number: 4, passage: 'wiki-4' }],
  };
  expect(shown('base', chain)).toContain(
    'Passages (5)\n  [4] Invention of the telephone\n    1. Alexander Graham Bell; 2. Elisha',
  );
  expect(shown('noRetrieval', { reading: 'Bell' })).toMatch(/^\n {2}Bell\n\n7 calls/);
});

const long = 'Bell was granted the patent for the telephone in the spring of the year 1876. ';

it('a method without a view of its own is shown by its texts, its fields and its passages', () => {
  const chain = {
    passages,
    reading: 'Bell, it says.',
    howItWent: long,
    rounds: [{ query: 'Gray', found: passages.slice(0, 2), enough: false, why: long }],
    skipped: [],
  };
  expect(shown('own' as MethodName, chain).split('\n7 calls')[0]).toMatchInlineSnapshot(`
    "
      Bell

    How it went
        Bell was granted the patent for the telephone in the spring of the year
        1876.

    Chain
      rounds:
        1.
          query: Gray
          found: 2 passages
          enough: false
          why:
            Bell was granted the patent for the telephone in the spring of the year
            1876.
      skipped: none

    In the model’s words
        Bell, it says.

    Passages (5)
        1. Alexander Graham Bell; 2. Elisha Gray and Alexander Bell telephone
        controversy; 3. Antonio Meucci; 4. Invention of the telephone; 5. wiki-5
    "
  `);
});
