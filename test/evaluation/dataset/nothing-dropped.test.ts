/** Nothing that looks like an id, answers or passages is dropped unseen, whatever it is called. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROLE_FIELDS } from '../../../evaluation/dataset/fields.js';
import { readLine } from '../../../evaluation/dataset/read-record.js';

const PASSAGE = 'The ferry was wide.';
const FORM = 'Grace Hopper';

/** Every way of writing a name. */
const written = (names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('same', 'camel', 'upper'))
    .map(([name, way]) => {
      if (way === 'upper') return name.toUpperCase();
      return way === 'camel'
        ? name.replace(/(?<=.)_([a-z])/g, (_, c: string) => c.toUpperCase())
        : name;
    });

/** Words before and behind a word that says what a field holds. */
const unknownName = (words: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom('', 'my_', 'top_', 'all_', 'extra_', 'kb_', 'v2_'),
      fc.constantFrom(...words),
      fc.constantFrom('', '_list', '_v2', '_raw', 'Dpr', '_all'),
    )
    .map((parts) => parts.join(''));

const passages = fc.constantFrom<unknown>(
  PASSAGE,
  [PASSAGE],
  [{ text: PASSAGE }],
  [{ title: 'Ferry', contents: PASSAGE }],
  { title: ['Ferry'], sentences: [[PASSAGE]] },
  [['Ferry', [PASSAGE]]],
);

function holds(value: unknown, text: string): boolean {
  return JSON.stringify(value).includes(text);
}

test('passages are in the record, or refused, or named as not used beside our own', () => {
  const name = fc.oneof(
    written(ROLE_FIELDS.passages),
    unknownName([
      'passages',
      'contexts',
      'docs',
      'documents',
      'paragraphs',
      'snippets',
      'evidence',
    ]),
  );
  fc.assert(
    fc.property(name, passages, fc.boolean(), (field, value, ours) => {
      const line = {
        ...{ id: 'q', question: 'Who?', answers: ['Ada'] },
        ...(ours && { passages: [{ text: 'Ours.' }] }),
        [field]: value,
      };
      const reading = readLine(line);
      if ('problem' in reading) {
        expect(reading.problem).toContain(field);
        return;
      }
      const seen = holds(reading.record.passages ?? [], PASSAGE) || reading.unused.includes(field);
      expect(seen, field).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('answers are in the record, or refused, or named as not used', () => {
  const name = fc.oneof(
    written(ROLE_FIELDS.answers.filter((known) => known !== 'answer_list')),
    unknownName(['answers', 'answer', 'aliases', 'truth', 'reference', 'targets', 'gold']),
  );
  const value = fc.constantFrom<unknown>(FORM, [FORM], JSON.stringify([FORM]), { text: [FORM] });
  fc.assert(
    fc.property(
      name,
      value,
      fc.constantFrom('answers', 'answer', 'none'),
      (field, form, beside) => {
        const line = {
          ...{ id: 'q', question: 'Who?' },
          ...(beside !== 'none' && { [beside]: beside === 'answers' ? ['Ada'] : 'Ada' }),
          [field]: form,
        };
        const reading = readLine(line);
        if ('problem' in reading) {
          // A lone name that is no answer's leaves nothing to compare with, which is said as well.
          expect(reading.problem).toMatch(new RegExp(`${field}|^answer`));
          return;
        }
        const { answers, longAnswers = [] } = reading.record;
        const seen = holds([answers, longAnswers], FORM) || reading.unused.includes(field);
        expect(seen || line[field as keyof typeof line] !== form, field).toBe(true);
        // What was there is there still, unless it is named.
        if (beside === 'none' || field.toLowerCase() === beside) return;
        expect(holds([answers, longAnswers], 'Ada') || reading.unused.includes(beside)).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

test('ids are the id, or refused, or named as not used beside ours', () => {
  const name = fc.oneof(
    written(ROLE_FIELDS.id),
    fc.constantFrom('item_id', 'questionIdx', 'guid', 'data_id', 'uuid', 'record_key', 'nq_id'),
  );
  fc.assert(
    fc.property(name, fc.boolean(), (field, ours) => {
      const line = {
        ...(ours && { id: 'ours' }),
        question: 'Who?',
        answers: ['Ada'],
        [field]: 'i7',
      };
      const reading = readLine(line);
      if ('problem' in reading) {
        expect(reading.problem).toContain(field);
        return;
      }
      expect(reading.record.id === 'i7' || reading.unused.includes(field), field).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('no name is slow to judge, and none breaks the reader', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 8 }), (fields) => {
      const reading = readLine({ ...fields, question: 'Who?', answer: 'Ada' });
      expect('problem' in reading || reading.record.question === 'Who?').toBe(true);
    }),
    { numRuns: 1000 },
  );
});
