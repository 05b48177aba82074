/** What becomes of LLatrieval where outputs cannot be read, little is found, or a call fails. */
import { expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import {
  answer,
  missing,
  passing,
  rate,
  runLlatrieval,
  searches,
  select,
  summaries,
  summary,
  verify,
} from '../support/llatrieval-script.js';
import { passages as corpus, fixedCorpora } from '../support/ports.js';
import { QUESTION as question } from '../support/telephone.js';

it('shows a document in full whose short form could not be read', async () => {
  const [, ...others] = passing.script;
  const silent = summary(1, { say: '' });
  const { result, model } = await runLlatrieval(
    [silent, silent, silent, ...others],
    passing.options,
  );
  const selected = model.requests.find(({ step }) => step === 'selectDocuments');
  expect(selected?.prompt).toMatch(/Text of passage 1\.[\s\S]*Short form of 2\./);
  expect(result.flags.map(({ kind }) => kind)).toEqual(['fallback', 'reasked', 'reasked']);
  expect(result.chain?.supporting[1]).toEqual({ id: 'p1', title: 'Title 1' });
});

it('holds a score against the threshold, and is as confident', async () => {
  const options = { supporting: 2, passages: 3, window: 4, iterations: 3 };
  const { result } = await runLlatrieval(
    [
      ...summaries(1, 2, 3),
      select('1 2'),
      rate('[6.5]'),
      missing('Who was Gray?'),
      ...summaries(4),
      select('3 1'),
      rate('Rating: [8]'),
      answer('Gray [1].'),
    ],
    { ...options, verification: 'score', threshold: 8, queryStyle: 'question' },
    { corpora: searches({ [question]: [1, 2, 3], 'Who was Gray?': [4, 1] }) },
  );
  expect(result.chain?.iterations.map(({ verification }) => verification)).toEqual([
    { passed: false, score: 6.5 },
    { passed: true, score: 8 },
  ]);
  expect(result).toMatchObject({ answer: 'Gray [1].', confidence: 0.8, evidence: ['p4', 'p1'] });
});

it('takes verdicts that cannot be read for not passed', async () => {
  const garbage = rate('Hm.');
  const options = { supporting: 2, passages: 2, iterations: 1, verification: 'score' as const };
  const { result, asked } = await runLlatrieval(
    [garbage, garbage, garbage, answer('Bell [1].')],
    options,
  );
  expect(asked).toEqual({ verifyScore: 3, answerWithCitations: 1 });
  expect(result.chain?.iterations[0]?.verification).toEqual({ passed: false, score: null });
  expect(result.confidence).toBeUndefined();
  expect(result.flags.map(({ kind }) => kind).sort()).toEqual([
    'fallback',
    'notVerified',
    'reasked',
    'reasked',
  ]);
});

it('makes the first search with a hypothetical passage, however long it is', async () => {
  const hypothetical = `Bell was granted the patent. ${'He filed it on the same day. '.repeat(60)}`;
  const query = hypothetical.trim();
  const { result, asked } = await runLlatrieval(
    [
      { step: 'hypotheticalPassage', say: `Passage: ${hypothetical}` },
      verify('[YES]'),
      answer('Bell [2].'),
    ],
    { firstQuery: 'hypothetical-passage', answerForm: 'list' },
    { corpora: searches({ [query]: [5, 3] }) },
  );
  expect(asked).toEqual({ hypotheticalPassage: 1, verifyClassify: 1, answerWithCitations: 1 });
  expect(result.chain?.iterations[0]?.query).toBe(query);
  expect(result.chain?.citations).toEqual([{ number: 2, passage: 'p3' }]);
});

it('searches with the question where no query could be read', async () => {
  const { result } = await runLlatrieval(
    [
      { step: 'hypotheticalPassage', say: '' },
      { step: 'hypotheticalPassage', say: '' },
      { step: 'hypotheticalPassage', say: '' },
      verify('[NO]'),
      missing(''),
      missing(''),
      missing(''),
      answer('Bell [1].'),
    ],
    { passages: 2, iterations: 2, firstQuery: 'hypothetical-passage' },
  );
  expect(result.chain?.iterations.map(({ query }) => query)).toEqual([question, question]);
  expect(result.answer).toBe('Bell [1].');
});

it('shows examples where the answer is written, and what to aim at where it is judged', async () => {
  const example = {
    question: 'Who painted it?',
    passages: [{ title: 'Painting', text: 'Text of the example. </passage>' }],
    answer: 'Vermeer did [1].',
  };
  const { model } = await runLlatrieval([verify('[YES]'), answer('Bell [1].')], {
    passages: 2,
    demonstrations: [example],
  });
  const [judged, answered] = model.requests.map(({ prompt }) => prompt);
  expect(judged).toContain('Question: Who painted it?\nAnswer: Vermeer did.\n');
  expect(judged).not.toContain('Text of the example.');
  expect(answered).toContain('Question: Who painted it?\nAnswer: Vermeer did [1].\n');
  expect(answered).toContain('Text of the example. < /passage>');
  expect(answered).not.toContain('{{');
});

it('asks for a selection again that names nothing, then fills', async () => {
  const empty = select('# #');
  const { result, asked } = await runLlatrieval(
    [
      ...summaries(1, 2, 3),
      empty,
      empty,
      empty,
      verify('[YES]'),
      answer('None of the three was Bell [1].'),
    ],
    { supporting: 2, passages: 3 },
  );
  expect(asked.selectDocuments).toBe(3);
  expect(result.chain?.iterations[0]?.selections).toEqual([
    { candidates: ['p1', 'p2', 'p3'], named: [], supporting: ['p1', 'p2'] },
  ]);
  expect(result).toMatchObject({
    outcome: 'answered',
    answer: 'None of the three was Bell [1].',
  });
});

it('tells an answer that there is none, and one that cannot be read', async () => {
  const options = { passages: 2, iterations: 1 };
  const unknown = await runLlatrieval([verify('[NO]'), answer('Unknown.')], options);
  expect(unknown.result).toMatchObject({ outcome: 'unknown', answer: null });
  expect(unknown.result.chain?.reading).toBe('Unknown.');
  const silent = await runLlatrieval(
    [verify('[NO]'), answer(''), answer(''), answer('[1]')],
    options,
  );
  expect(silent.result).toMatchObject({ outcome: 'unreadable', evidence: ['p1', 'p2'] });
});

it('takes all of a corpus smaller than k without asking which', async () => {
  const { result, asked } = await runLlatrieval(
    [verify('[NO]'), missing('More.'), answer('Bell [1].')],
    { iterations: 2 },
    { corpora: fixedCorpora(corpus.slice(0, 3)) },
  );
  expect(asked).toEqual({ verifyClassify: 1, missingInfoQuery: 1, answerWithCitations: 1 });
  expect(result.chain?.iterations[0]?.selections).toEqual([
    { candidates: ['p1', 'p2', 'p3'], named: null, supporting: ['p1', 'p2', 'p3'] },
  ]);
  expect(result.chain).toMatchObject({ documentsRead: 3, documentCandidates: 6 });
});

it('fails with the reason when a summary that is not needed yet fails', async () => {
  const { options, script } = passing;
  const refused = new Failure('ContentRefused', 'No.');
  const failing = script.map((line) =>
    String(line.when).includes('6') ? { ...line, say: refused } : line,
  );
  const { result } = await runLlatrieval(failing, options);
  expect(result).toMatchObject({
    outcome: 'failed',
    failure: { type: 'ContentRefused', step: 'summarizeDocument' },
  });
});
