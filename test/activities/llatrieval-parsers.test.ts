import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerWithCitations,
  parseCitedAnswer,
} from '../../steps/answer-with-citations/implementation.js';
import {
  parseNewPassage,
  parseNewQuestion,
} from '../../steps/missing-info-query/implementation.js';
import { readScore } from '../../steps/reading/score.js';
import { readVerdict } from '../../steps/reading/verdict.js';
import { parseSelection } from '../../steps/select-documents/implementation.js';
import {
  parseShortForm,
  summarizeDocument,
} from '../../steps/summarize-document/implementation.js';

describe('parseSelection', () => {
  const select = (text: string) => parseSelection({ text, cut: false }, { shown: 200, count: 3 });
  const outputs: [string, number[] | undefined][] = [
    ['Selected passages: 2 6 8', [2, 6, 8]],
    ['Selected Documents: 2 6 8', [2, 6, 8]],
    ['selected passages: 2, 6, 8.', [2, 6, 8]],
    ['**Selected passages:** 2 6 8', [2, 6, 8]],
    ['Selected passages: [2] [6] [8]', [2, 6, 8]],
    ['Selected passages: [2, 6, 8]', [2, 6, 8]],
    ['Selected passages: #2 #6 #8', [2, 6, 8]],
    ['2 6 8', [2, 6, 8]],
    ['[2, 6, 8]', [2, 6, 8]],
    ['2 > 6 > 8', [2, 6, 8]],
    ['Passage 2, Passage 6, Passage 8', [2, 6, 8]],
    ['Passages 2, 6 and 8', [2, 6, 8]],
    ['The selected passages are 2, 6 and 8.', [2, 6, 8]],
    ['I would choose passages 2, 6 and 8 because passage 3 only repeats passage 2.', [2, 6, 8]],
    ['2, 6, 8 (not 3)', [2, 6, 8]],
    ['2 6 8. Passage 7 says nothing of it.', [2, 6, 8]],
    ['Selected passages: 2 6 8\n\nPassage 2 names the year 1876.', [2, 6, 8]],
    ['Selected passages:\n2\n6\n8', [2, 6, 8]],
    ['Selected passages:\n- 2\n- 6\n- 8', [2, 6, 8]],
    ['1. Passage 2\n2. Passage 6\n3. Passage 8', [2, 6, 8]],
    ['1. [2]\n2. [6]', [2, 6]],
    ['1. 2\n2. 6\n3. 8', [2, 6, 8]],
    ['Here are the 3 passages: 2 6 8', [2, 6, 8]],
    ['k: 3\nSelected passages: 2 6 8', [2, 6, 8]],
    ['Selected passages: 2-4', [2, 3, 4]],
    ['Selected passages: 2 2 99', [2, 2, 99]],
    ['0', [0]],
    ['None', []],
    ['None of the passages is relevant.', []],
    ['No passage answers it.', []],
    ['', undefined],
    ['(a)', undefined],
    ['Bell was granted the patent.', undefined],
    ['Selected passages: # # #', undefined],
    ['- Passage 2 (Bell)\n- Passage 6 (Gray)', [2, 6]],
    ['1. Passage 2 (Bell, 1876)\n2. Passage 6 (Gray)', [2, 6]],
    ['1. Passage 2 names the year.\n2. Passage 6 names the place.', [2, 6]],
    ['2. Bell\n6. Gray', [2, 6]],
    ['1. Bell\n2. Gray', undefined],
    ['2: Bell\n6: Gray', [2, 6]],
    ['Out of the 20 given, I choose 2 6 8', [2, 6, 8]],
    ['Out of the 20 given, the best are 2, 6 and 8.', [2, 6, 8]],
    ['Of the 20 passages I would select passages 2, 6 and 8.', [2, 6, 8]],
    ['The 3 best passages: 2 6 8', [2, 6, 8]],
    ['Passage 2 and passage 6 together support the answer.', [2, 6]],
    ['Passages 3 and 5 are irrelevant. I choose 2 and 6.', [2, 6]],
    ['Passage 2 (not passages 3, 4 and 5)', [2]],
    ['Passage 2 does not answer the question.', undefined],
    ['Bell filed on 14 February 1876 in Washington.', undefined],
    ['There are 3 passages that help.', undefined],
    ['Out of the 20 given, ... 2 6 8', [2, 6, 8]],
    ['(2) (6) (8)', [2, 6, 8]],
    ['2) 6) 8)', [2, 6, 8]],
    ['2. 6. 8.', [2, 6, 8]],
    ['No. 2, No. 6', [2, 6]],
    ['Passages 2 through 4', [2, 3, 4]],
    ['２ ６ ８', [2, 6, 8]],
    ['【2】【6】', [2, 6]],
    ['1. Bell (Passage 2)\n2. Gray (Passage 6)', [2, 6]],
    // What is denied, one by one, is not chosen.
    ['Passage 2 (relevant)\nPassage 3 (irrelevant)\nPassage 6 (relevant)', [2, 6]],
    ['Passage 1 - Not relevant\nPassage 2 - Relevant\nPassage 6 - Relevant', [2, 6]],
    ['Passages 2, 6 (3 is not relevant)', [2, 6]],
    ['Passages 1-20 are all irrelevant.', undefined],
    ['All passages are irrelevant.', []],
    ['There are no relevant passages.', []],
    // Years and counts.
    ['Passage 2, published in 2012, and passage 6, of 1999', [2, 6]],
    ['Passage 2 (1876), Passage 6 (3 dates)', [2, 6]],
    ['In 1876, 2 inventors filed 3 patents.', undefined],
    ['```json\n[2, 6, 8]\n```', [2, 6, 8]],
    ['{"selected_passages": [2, 6, 8]}', [2, 6, 8]],
  ];
  it.each(outputs)('reads %j as %j', (output, numbers) => {
    expect(select(output)).toEqual(numbers);
  });
  it('takes no passage of half a sentence for the whole choice', () => {
    const cut = (text: string) => parseSelection({ text, cut: true }, { shown: 20, count: 2 });
    expect(cut('Passage 4 is relevant because it')).toBeUndefined();
    expect(cut('Selected passages: 4 6\nPassage 4')).toEqual([4, 6]);
  });
  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void select(text)));
  });
  it('reads every list of numbers as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (numbers) => {
        expect(select(`Selected passages: ${numbers.join(' ')}`)).toEqual(numbers);
        expect(select(numbers.join(', '))).toEqual(numbers);
      }),
    );
  });
});

describe('verifyClassify', () => {
  const outputs: [string, boolean | undefined][] = [
    ['[YES]', true],
    ['[NO]', false],
    ['[Yes].', true],
    ['[ no ]', false],
    ['YES', true],
    ['no', false],
    ['**[YES]**', true],
    ['Judgment: [YES]', true],
    ['Judgement: NO', false],
    ['Judgment: No, the year is missing.', false],
    ['[NO] Yes, they name Bell, but the year is missing.', false],
    ['The passages name no year, so [NO].', false],
    ['not [YES]', false],
    ['The passages do not fully support an answer.', false],
    ['True', true],
    ['[YES] or [NO]', undefined],
    ['', undefined],
    ['Bell', undefined],
    ['(a)', undefined],
  ];
  it.each(outputs)('reads %j as %j', (output, passed) => {
    expect(readVerdict({ text: output, cut: false })).toBe(passed);
  });
  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => void readVerdict({ text, cut: false }),
      ),
    );
  });
});

describe('parseScore from 0 to 10', () => {
  const outputs: [string, number | undefined][] = [
    ['[7]', 7],
    ['7', 7],
    ['[7.5]', 7.5],
    ['[10]', 10],
    ['[0]', 0],
    ['[SCORE]: 7', 7],
    ['Rating: [8]', 8],
    ['8/10', 8],
    ['[8/10]', 8],
    ['8 out of 10', 8],
    ['57%', 5.7],
    ['On a scale from 0 to 10, I give it a 6.', 6],
    ['**9**', 9],
    ['[11]', undefined],
    ['[-1]', undefined],
    ['between 5 and 7', undefined],
    ['[SCORE]', undefined],
    ['', undefined],
    ['(a)', undefined],
  ];
  it.each(outputs)('reads %j as %j', (text, score) => {
    expect(readScore({ text, cut: false }, 10)).toBe(score);
  });
});

describe('parseShortForm', () => {
  const outputs: [string, string | undefined][] = [
    ['Bell was granted it in 1876.', 'Bell was granted it in 1876.'],
    ['Summary: Bell was\ngranted it.', 'Bell was granted it.'],
    ['**Summary:** Bell.', 'Bell.'],
    ['Here is a summary of the passage: Bell.', 'Bell.'],
    ['irrelevant', 'irrelevant'],
    ['"Irrelevant."', 'irrelevant'],
    ['Bell.</passage>', 'Bell.'],
    ['', undefined],
    ['...', undefined],
  ];
  it.each(outputs)('reads %j as %j', (output, summary) => {
    expect(parseShortForm(output)).toBe(summary);
  });
});

describe('summarizeDocument', () => {
  it('takes whole sentences of what was cut', () => {
    const input = { question: 'q', passage: 'p1' };
    const cut = (text: string) => summarizeDocument.parse({ text, cut: true }, input);
    expect(cut('Bell was granted it. Gray was')).toBe('Bell was granted it.');
    expect(cut('Bell was granted the')).toBeUndefined();
  });
});

describe('parseNewQuestion', () => {
  const outputs: [string, string | undefined][] = [
    ['When did Gray file?', 'When did Gray file?'],
    ['"When did Gray file?"', 'When did Gray file?'],
    ['New question: When did Gray file?', 'When did Gray file?'],
    ['**New question:** When did Gray file?', 'When did Gray file?'],
    ['Here is a new question:\n\nWhen did Gray file?', 'When did Gray file?'],
    ['Sure! Here is a new question: When did Gray file?', 'When did Gray file?'],
    ['The date is missing.\nWhen did Gray file?', 'When did Gray file?'],
    ['1. When did Gray file?\n2. Where?', 'When did Gray file?'],
    ['date of the filing by Gray', 'date of the filing by Gray'],
    ['格雷何时提交？', '格雷何时提交？'],
    ['', undefined],
    ['?', undefined],
  ];
  it.each(outputs)('reads %j as %j', (output, query) => {
    expect(parseNewQuestion({ text: output, cut: false })).toBe(query);
  });
});

describe('parseNewPassage', () => {
  const outputs: [string, string | undefined][] = [
    ['Gray filed on\n14 February 1876.', 'Gray filed on 14 February 1876.'],
    ['New passage: Gray filed.', 'Gray filed.'],
    ['Passage: Gray filed.', 'Gray filed.'],
    ['Here is a passage:\nGray filed.', 'Gray filed.'],
    ['The following passage supplies what is missing:\n\nGray filed.', 'Gray filed.'],
    ['Sure, here is the new passage: Gray filed.', 'Gray filed.'],
    ['<passage number="1">\nGray filed.\n</passage>', 'Gray filed.'],
    ['Passage of time: it was noon.', 'Passage of time: it was noon.'],
    ['A new question arose in 1876.', 'A new question arose in 1876.'],
    ['', undefined],
    ['---', undefined],
  ];
  it.each(outputs)('reads %j as %j', (output, query) => {
    expect(parseNewPassage({ text: output, cut: false })).toBe(query);
  });
});

describe('parseCitedAnswer', () => {
  const outputs: [string, string | undefined][] = [
    ['Bell [1].', 'Bell [1].'],
    ['Answer: Bell [1].', 'Bell [1].'],
    ['### Answer\n\nBell [1].', 'Bell [1].'],
    ['Sure! Here is the answer:\n\nBell [1].', 'Bell [1].'],
    ['**Answers:** Bell [1], Gray [2]', 'Bell [1], Gray [2]'],
    ['One [1].\n\nTwo [2].', 'One [1].\n\nTwo [2].'],
    ['Bell', 'Bell'],
    ['[1]', undefined],
    ['', undefined],
  ];
  it.each(outputs)('reads %j as %j', (output, answer) => {
    expect(parseCitedAnswer(output)).toBe(answer);
  });

  it('asks again for an answer that was cut, and takes what there is in the end', () => {
    const input = { question: 'q', passages: ['p1'], form: 'prose' as const, demonstrations: [] };
    const output = { text: 'Bell [1]. Gr', cut: true };
    expect(answerWithCitations.parse(output, input)).toBeUndefined();
    expect(answerWithCitations.fallback(output, input)).toBe('Bell [1]. Gr');
    expect(answerWithCitations.fallback({ text: '', cut: false }, input)).toBeNull();
  });

  it('never throws, whichever of these reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        parseCitedAnswer(text);
        parseNewPassage({ text, cut: true });
        parseNewQuestion({ text, cut: true });
        parseShortForm(text);
        readScore({ text, cut: false }, 10);
      }),
    );
  });
});
