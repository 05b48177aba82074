import { describe, expect, it } from 'vitest';
import { bracketed } from '../../../steps/reading/bracketed.js';
import { closedText } from '../../../steps/reading/cut.js';
import { afterFinalLabel } from '../../../steps/reading/label.js';
import { bareText, plainText, withoutItemMark } from '../../../steps/reading/plain.js';
import { sentencesOf, wordsOf } from '../../../steps/reading/sentences.js';
import { decorations, hostile } from './support.js';

describe('plainText', () => {
  it.each([
    ['**Paris**', 'Paris'],
    ['*Paris*', 'Paris'],
    ['_Paris_, **Lyon**', 'Paris, Lyon'],
    ['`Paris`', 'Paris'],
    ['## Answer\nParis', 'Answer\nParis'],
    ['> Paris\n> Lyon', 'Paris\nLyon'],
    ['> > Paris', 'Paris'],
    ['```json\n["Paris"]\n```', '["Paris"]'],
    ['```json ["Paris"] ```', '["Paris"]'],
    ['```\nParis\n```', 'Paris'],
    ['a \t b\r\n\r\n\r\n\r\nc', 'a b\n\nc'],
    ['M*A*S*H', 'M*A*S*H'],
    ['snake_case and #2', 'snake_case and #2'],
    ['* Paris\n* Lyon', '* Paris\n* Lyon'],
    ['"Paris"', '"Paris"'],
    ["the ``City of Light'' and ``Lyon ''too", 'the "City of Light" and "Lyon "too'],
    ["it has `` open and 'one'", "it has  open and 'one'"],
    ['$\\boxed{\\text{Paris}}$', '[Paris]'],
    ['It is \\(\\boxed{Paris}\\).', 'It is [Paris].'],
    ['It is \\[ \\boxed{8} \\].', 'It is [8].'],
    ['Paris \\[1\\], 3\\. Lyon', 'Paris [1], 3. Lyon'],
    ['C:\\temp and $5', 'C:\\temp and $5'],
    ['<answer>Paris</answer>', 'answer: Paris'],
    ['It is large. <final_answer>Paris</final_answer>', 'It is large.\nanswer: Paris'],
    ['<response>Paris</response><|im_end|>', 'Paris'],
    ['Paris</s>', 'Paris'],
    ['a <b> c', 'a <b> c'],
    ['（１）Ｐａｒｉｓ：【２】', '(1)Paris:[2]'],
    ['谁？他。', '谁？他。'],
    ['1、Paris\n2．Lyon\n3.Nice\n3.5 km', '1. Paris\n2. Lyon\n3. Nice\n3.5 km'],
    ['>0.7', '>0.7'],
    ['', ''],
  ])('of %j is %j', (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });
});

describe('bareText', () => {
  it.each([
    ['"Paris"', 'Paris'],
    ['**"Paris"**', 'Paris'],
    ['“‘Paris’”', 'Paris'],
    ['"Help!" and "Let It Be"', '"Help!" and "Let It Be"'],
    ['"', '"'],
    ['{"answer": "Paris", "because": "It is named."}', 'Paris'],
    ['{"because": "It is named.", "final_answer": 3}', '3'],
    ['{"answer": null}', ''],
    ['{"city": "Paris", "country": "France"}', '{"city": "Paris", "country": "France"}'],
  ])('of %j is %j', (text, bare) => {
    expect(bareText(text)).toBe(bare);
  });

  it('is the same however one line is decorated', () => {
    for (const text of decorations('Bell, in 1876')) {
      expect(withoutItemMark(bareText(text))).toBe('Bell, in 1876');
    }
  });
});

describe('withoutItemMark', () => {
  it.each([
    ['- Paris', 'Paris'],
    ['12. Paris', 'Paris'],
    ['(3) Paris', 'Paris'],
    ['(a) Paris', 'Paris'],
    ['b) Paris', 'Paris'],
    ['A. Lincoln', 'A. Lincoln'],
    ['1969', '1969'],
    ['3.5 million', '3.5 million'],
    ['-5', '-5'],
  ])('of %j is %j', (line, item) => {
    expect(withoutItemMark(line)).toBe(item);
  });
});

describe('afterFinalLabel', () => {
  it.each([
    ['Answer: Paris', 'Paris'],
    ['Answer:\nParis', 'Paris'],
    ['The final answer is: Paris', 'Paris'],
    ['Verdict = Paris', 'Paris'],
    ['Answer: Lyon? No.\nFinal answer: Paris', 'Paris'],
    ['{"answer": "Paris"}', '"Paris"}'],
    ['Answer -> Paris', 'Paris'],
    ['Final answer\n\nParis', 'Paris'],
    ['The Answer\n', 'The Answer\n'],
    ['Paris\nAnswer:', 'Paris\nAnswer:'],
    ['Answers to all that: none', 'Answers to all that: none'],
    ['It answers: Paris', 'Paris'],
    ['The answer isolates it', 'The answer isolates it'],
  ])('of %j is %j', (text, after) => {
    expect(afterFinalLabel(text)).toBe(after);
  });

  it('knows the words of a step', () => {
    expect(afterFinalLabel('Rating: 8', 'rating|score')).toBe('8');
    expect(afterFinalLabel('Selected passages: 2 6', 'selected passage')).toBe('2 6');
  });
});

describe('closedText', () => {
  it.each([
    ['The score is 0.', 'The score is  …'],
    ['True. It na', 'True. It  …'],
    ['True\n', 'True\n …'],
    ['[8]', '[8] …'],
    ['Tr', ' …'],
    ['', ' …'],
  ])('of %j, cut, is %j', (text, closed) => {
    expect(closedText({ text, cut: true })).toBe(closed);
    expect(closedText({ text, cut: false })).toBe(text);
  });
});

describe('bracketed', () => {
  it.each<[string, boolean, string[]]>([
    ['[8]', false, ['8']],
    ['so [ YES ] or (b)', false, ['YES']],
    ['so [ YES ] or (b)', true, ['YES', 'b']],
    ['[[2] > [1]', false, ['2', '1']],
    ['[]', false, []],
  ])('of %j, round %j, are %j', (text, round, values) => {
    expect(bracketed(text, { round }).map(({ value }) => value)).toEqual(values);
  });
});

describe('sentencesOf', () => {
  it('parts sentences, lines and items of a list', () => {
    expect(sentencesOf('One. Two? (Three.) Four\n\n1. Five\n- Six…\n---')).toEqual([
      'One.',
      'Two?',
      '(Three.)',
      'Four',
      'Five',
      'Six…',
    ]);
  });
  it('spells negations out', () => {
    expect(wordsOf("It doesn’t; I can't, you cannot.").join(' ')).toBe(
      'it does not i can not you can not',
    );
  });
});

describe('all of them', () => {
  it('return on hostile text', () => {
    for (const text of hostile(['answer is ', '```\n', '# ', '**', '>> '])) {
      for (const read of [bareText, withoutItemMark, afterFinalLabel, sentencesOf, wordsOf]) {
        read(text);
        read(plainText(text));
      }
      bracketed(text, { round: true });
      closedText({ text, cut: true });
    }
  });
});
