/** What is read of a turn, in each form in which an action can be marked. */
import { describe, expect, it } from 'vitest';
import { outputOf } from '../../steps/define.js';
import { inLines, inMarks, inResults, type TurnForm, turnStep } from '../../steps/turns.js';

function read(form: TurnForm, text: string, held?: 'schema') {
  const step = turnStep({ name: 'plan', prompt: 'plan', maxTokens: 8, protocol: inResults(form) });
  const input = { question: '', soFar: null, added: [], turn: 1 };
  return outputOf(step, input).read({ text, cut: false, ...(held && { form: held }) });
}

const search = (argument: string) => ({ name: 'search', argument });
const LABELS = inLines({ search: 'Search', sum: 'C++ (sum)', answer: 'Final answer' });

describe('an action in a line', () => {
  it.each([
    ['as asked', 'I look.\nSearch: who filed', search('who filed')],
    ['in bold print', 'I look.\n**Search:** who filed', search('who filed')],
    ['in bold print as a whole', '**Search: who filed**', search('who filed')],
    ['in a list', '- search : who filed', search('who filed')],
    ['below a heading sign', '### Search: who filed', search('who filed')],
    ['with quotes, which are kept', 'Search: "who filed"', search('"who filed"')],
    ['whose label has signs', 'C++ (sum): 3 + 4', { name: 'sum', argument: '3 + 4' }],
    ['that answers', '**Final answer:** Bell', { name: 'answer', argument: 'Bell' }],
    ['of two, the first', 'Search: a\nFinal answer: b', search('a')],
    ['that is none: no label', 'Fetch: who filed', null],
    ['that is none: in a sentence', 'I could Search: who filed', null],
    ['that is none: of another word', 'Searches: who filed', null],
    ['that is none: without an argument', 'Search: \n', null],
  ])('%s', (_, text, action) => {
    expect(read(LABELS, text)?.action).toEqual(action);
  });

  it('is written as it stands, in a line of its own', () => {
    expect(read(LABELS, '**Search:** a')).toMatchObject({ written: '**Search:** a' });
    expect(read(LABELS, 'I look.\n\nSearch: a\nSo')).toMatchObject({
      written: 'I look.\n\nSearch: a',
      wroteOn: true,
    });
  });
});

describe('an action between marks', () => {
  const MARKS = inMarks({ code: ['<code>', '</code>'], answer: ['<answer>', '</answer>'] });

  it('keeps the lines of its argument; an answer is one line', () => {
    const code = 'for x in y:\n  print(x)';
    expect(read(MARKS, `So.\n<code>\n${code}\n</code>`)?.action).toEqual({
      name: 'code',
      argument: code,
    });
    expect(read(MARKS, '<answer>\nAlexander\nBell\n</answer>')?.action?.argument).toBe(
      'Alexander Bell',
    );
  });
});

describe('an action held to the schema', () => {
  const member = (argument: unknown, action = 'search') =>
    read(LABELS, JSON.stringify({ thought: 'I look.', action, argument }), 'schema');

  it.each([
    ['a text', 'who filed', search('who filed')],
    ['a number', 7, search('7')],
    ['an object', { a: 1 }, search('{"a":1}')],
    ['null', null, null],
  ])('takes %s for its argument', (_, argument, action) => {
    expect(member(argument)?.action).toEqual(action);
  });

  it('stands in the text so far as it would be written without a schema', () => {
    expect(member('who filed')?.written).toBe('I look.\nSearch: who filed');
    expect(member('who filed', 'fly')?.action ?? null).toBeNull();
  });
});
