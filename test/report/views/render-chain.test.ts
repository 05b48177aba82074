/** What `ask` prints of a chain, for a terminal of 80 columns. */
import { expect, it } from 'vitest';
import type { MethodName } from '../../../interpreters/methods.js';
import type { BaseChain } from '../../../workflows/methods/base.js';
import type { SureChain } from '../../../workflows/methods/sure/chain.js';
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
  const text = shown('sure', chain, { answer: 'Alexander Graham Bell' });
  expect(text).toMatch(/^\n {2}Alexander Graham Bell\n\nCandidates \(2\)\n/);
  expect(text).toContain(
    '* Alexander Graham Bell  supported, 0.5 of 1 in comparison\n    Alexander Graham Bell was granted',
  );
  expect(text).toContain('\n  Elisha Gray  not supported, 0.5 of 1 in comparison\n');
  expect(text).toContain('\n  1 of 2 comparisons could not be read\n');
  expect(text).toContain('\nPassages (5)\n    1. Alexander Graham Bell; 2. Elisha Gray and');
  expect(text).toMatch(
    /\n7 calls, 8,210 .* tokens, 412 .*, \$0\.0012, 12\.3 s\nHistory: workflow ask-1$/,
  );
});

it('a failed question', () => {
  const failure = { type: 'UnknownModel', message: 'There is no model "x".', step: 'read' };
  const text = shown('base', null, { outcome: 'failed', answer: null, failure });
  expect(text).toMatch(
    /^\n {2}Failed in read \(UnknownModel\): There is no model "x"\.\n\n7 calls/,
  );
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
  const text = shown('own' as MethodName, chain);
  for (const part of [
    'How it went\n    Bell was granted the patent for the telephone in the spring of the year\n',
    'Chain\n  rounds:\n    1.\n      query: Gray\n      found: 2 passages\n      enough: false\n',
    '      why:\n        Bell was granted',
    '  skipped: none\n\nIn the model’s words\n    Bell, it says.\n\nPassages (5)\n',
  ]) {
    expect(text).toContain(part);
  }
});
