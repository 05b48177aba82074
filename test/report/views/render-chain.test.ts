/** What `ask` prints of the methods with a paper of their own, for a terminal of 80 columns. */
import { expect, it } from 'vitest';
import type { MethodResult } from '../../../core/result.js';
import type { AlliesChain, AlliesState } from '../../../workflows/allies/options.js';
import type { ChainOfNoteChain } from '../../../workflows/chain-of-note/options.js';
import type { LlatrievalChain } from '../../../workflows/llatrieval/options.js';
import type { SureChain } from '../../../workflows/sure/options.js';
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

it('ALLIES', () => {
  const state = (id: number, parent: number | null, more: Partial<AlliesState>): AlliesState => ({
    id,
    parent,
    depth: parent === null ? 0 : 1,
    subQuery: null,
    passages: [],
    evidence: null,
    answer: 'Bell',
    score: 0.5,
    kept: true,
    flags: [],
    ...more,
  });
  const chain: AlliesChain = {
    states: [
      state(0, null, { answer: 'Elisha Gray', score: 0.2 }),
      state(1, null, {
        subQuery: 'Who got the first patent for the telephone?',
        evidence: 'Bell was granted the patent in 1876, on the day on which it was applied for.',
      }),
      state(2, 0, {
        subQuery: 'When was the patent granted?',
        score: 0,
        kept: false,
        flags: ['unreadableScore'],
      }),
      state(3, 0, { subQuery: 'Who was the clerk?', answer: null, score: 0, kept: false }),
      state(4, 1, {
        subQuery: 'Did anybody else file a caveat with the patent office for a telephone in 1876?',
        evidence:
          'Elisha Gray filed a caveat on the same day, hours after the application of Bell. '.repeat(
            6,
          ),
        score: 0.85,
      }),
    ],
    chosen: 4,
    stopped: 'threshold',
  };
  expect(shown('allies', chain)).toMatchInlineSnapshot(`
    "
      Bell

    Beam search (5 states; a score reached the threshold)
      0.20  Elisha Gray  seed  From what the model knows
        score unreadable  Bell  dropped  When was the patent granted?
        0.00  no answer  dropped  Who was the clerk?
      0.50  Bell  seed  Who got the first patent for the telephone?
    *   0.85  Bell  kept  Did anybody else file a caveat with the patent office ...

    What the answer rests on
      Who got the first patent for the telephone?
        Bell was granted the patent in 1876, on the day on which it was applied for.
      Did anybody else file a caveat with the patent office for a telephone in 1876?
        Elisha Gray filed a caveat on the same day, hours after the application of
        Bell. Elisha Gray filed a caveat on the same day, hours after the
        application of Bell. Elisha Gray filed a caveat on the same day, hours after
        the application of Bell. Elisha Gray filed a caveat on the same day, ...

    7 calls, 8,210 prompt tokens, 412 completion tokens, $0.0012, 12.3 s
    History: workflow ask-1"
  `);
});

it('LLatrieval', () => {
  const chain: LlatrievalChain = {
    supporting: [
      {
        id: 'wiki-1',
        title: 'Alexander Graham Bell',
        summary: 'Bell was granted the patent in 1876.',
      },
      { id: 'wiki-5', title: '', summary: 'irrelevant' },
    ],
    iterations: [
      {
        query: 'Who got the first patent for the telephone?',
        found: passages,
        selections: [
          { candidates: ['wiki-1', 'wiki-2', 'wiki-3'], named: [1, 2], supporting: ['wiki-1'] },
          { candidates: ['wiki-4', 'wiki-5'], named: [1], supporting: ['wiki-1', 'wiki-5'] },
        ],
        verification: { passed: false, score: 3 },
      },
      {
        query:
          'The telephone was patented by several people, some of whom had no money for it. '.repeat(
            3,
          ),
        found: passages.slice(0, 2),
        selections: [],
        verification: { passed: false, score: null },
      },
      { query: 'Meucci', found: [], selections: [], verification: null },
    ],
    passed: false,
    documentsRead: 5,
    documentCandidates: 7,
    reading: 'Bell got it [1].',
    citations: [{ number: 1, passage: 'wiki-1' }],
  };
  const answer =
    'Alexander Graham Bell got the first patent for the telephone [1], though a caveat had been filed on the same day.';
  const flags: MethodResult['flags'] = [
    {
      kind: 'fallback',
      step: 'verifyScore',
      detail: `2 documents: ${JSON.stringify('I would say that it is hard to tell. '.repeat(4))}`,
    },
  ];
  expect(shown('llatrieval', chain, { answer, flags })).toMatchInlineSnapshot(`
    "
      Alexander Graham Bell got the first patent for the telephone [1], though a
      caveat had been filed on the same day.

    Supporting documents (not verified)
      [1] Alexander Graham Bell
          Bell was granted the patent in 1876.
      [2] wiki-5, not cited
          irrelevant

    Iterations (3, 5 documents offered)
      Iteration 1  5 found, 5 new, 2 selections, not verified (3 of 10)
        Who got the first patent for the telephone?
      Iteration 2  2 found, 0 new, 0 selections, not verified (unreadable)
        The telephone was patented by several people, some of whom had no money for
        it. The telephone was patented by several people, some of whom had no money
        for it. The telephone was patented by several people, some of whom had no
        money for it.
      Iteration 3  0 found, 0 new, 0 selections, nothing to verify
        Meucci

    ! verifyScore, fallback: 2 documents: "I would say that it is hard to tell. I
    would say that it is hard to tell. I would say that it is hard to tell. I would
    say that it is hard to tell. "
    7 calls, 8,210 prompt tokens, 412 completion tokens, $0.0012, 12.3 s
    History: workflow ask-1"
  `);
});

it('Chain-of-Note', () => {
  const chain: ChainOfNoteChain = {
    passages,
    notes: [
      {
        passage: 'wiki-1',
        text: 'The passage says that Bell was granted the patent.',
        type: 'relevant',
      },
      {
        passage: 'wiki-2',
        text: 'The passage tells of the quarrel between the two men, and of the hour at which each of them came.',
        type: 'contextual',
      },
      { passage: 'wiki-5', text: 'The passage is about rivers.', type: null },
    ],
    reading: 'unknown',
  };
  const unknown = { outcome: 'unknown', answer: null } as const;
  expect(shown('chainOfNote', chain, unknown)).toMatchInlineSnapshot(`
    "
      Unknown: the model says that it does not know.

    In the model’s words
        unknown

    Reading notes (3)
      1. Alexander Graham Bell  relevant
        The passage says that Bell was granted the patent.
      2. Elisha Gray and Alexander Bell telephone controversy  contextual
        The passage tells of the quarrel between the two men, and of the hour at
        which each of them came.
      5. wiki-5
        The passage is about rivers.
      2 passages without a note

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
