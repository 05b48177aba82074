import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReading } from '../../steps/read/implementation.js';
import { readPreference } from '../../steps/reading/preference.js';
import { readVerdict } from '../../steps/reading/verdict.js';
import { parseSummary, summarize } from '../../steps/summarize/implementation.js';
import { hostile } from './reading/support.js';

describe('validate', () => {
  const outputs: [string, boolean | undefined][] = [
    ['True', true],
    ['true', true],
    ['TRUE.', true],
    [' True\n', true],
    ['**True**', true],
    ['"True"', true],
    ['[True]', true],
    ['Yes', true],
    ['Yes, it does.', true],
    ['Answer: True', true],
    ['Choices: [True, False]. Answer: True', true],
    ['True, because the passage names the year.', true],
    ['True. It is not false.', true],
    ['The statement is true.', true],
    ['False', false],
    ['false', false],
    ['False.', false],
    ['No', false],
    ['No, the passage names another year.', false],
    ['Not true', false],
    ['not true.', false],
    ["That isn't true", false],
    ['That is not entirely true.', false],
    ['The statement is not correct.', false],
    ['The passage does not correctly support the prediction.', false],
    ["The passage doesn't support it.", false],
    ['Untrue', false],
    ['Incorrect', false],
    ['Answer: **False**', false],
    ['False. While it is true that the year is named, it is another event.', false],
    ['', undefined],
    ['Maybe', undefined],
    ['True or False', undefined],
    ['It could be true, or it could be false.', undefined],
    ['I cannot tell.', undefined],
    ['The passage is about rivers.', undefined],
  ];
  it.each(outputs)('reads %j as %j', (output, verdict) => {
    expect(readVerdict({ text: output, cut: false })).toBe(verdict);
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

describe('rankPair', () => {
  const outputs: [string, string | undefined][] = [
    ['Passage 1', 'first'],
    ['passage 2.', 'second'],
    ['PASSAGE 1', 'first'],
    ['**Passage 2**', 'second'],
    ['"Passage 1"', 'first'],
    ['Passage #2', 'second'],
    ['1', 'first'],
    ['2.', 'second'],
    ['(1)', 'first'],
    ['[Passage 2]', 'second'],
    ['The first passage', 'first'],
    ['The second passage is more relevant.', 'second'],
    ['Answer: Passage 2', 'second'],
    ['Passage 1 is more informative than Passage 2.', 'first'],
    ['Passage 2 is more relevant and informative than Passage 1', 'second'],
    ['Between Passage 1 and Passage 2, Passage 2 is the more informative one.', 'second'],
    ['I would choose Passage 1.', 'first'],
    ['The more informative one is Passage 2', 'second'],
    ['Choices: [Passage 1, Passage 2]. Answer: Passage 1', 'first'],
    ['Passage 1\n\nIt names the year, which Passage 2 does not.', 'first'],
    ['Both passages are equally informative.', 'tie'],
    ['Neither', 'tie'],
    ['Passage 1 and Passage 2 are equally relevant.', 'tie'],
    ['It is a tie.', 'tie'],
    ['', undefined],
    ['Passage 3', undefined],
    ['Passage 1 or Passage 2', undefined],
    ['I cannot decide.', undefined],
    ['The passages are about rivers.', undefined],
    ['(a)', undefined],
  ];
  it.each(outputs)('reads %j as %j', (output, choice) => {
    expect(readPreference({ text: output, cut: false })).toBe(choice);
  });
  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => void readPreference({ text, cut: false }),
      ),
    );
  });
});

describe('parseSummary', () => {
  const outputs: [string, string | undefined][] = [
    ['Paris is the capital. [DONE]', 'Paris is the capital.'],
    ['Paris is the capital.\n\n[done]', 'Paris is the capital.'],
    ['Paris is the capital. [ DONE ] More words.', 'Paris is the capital.'],
    ['Paris is the capital. DONE', 'Paris is the capital.'],
    ['Passage: Paris is the capital. [DONE]', 'Paris is the capital.'],
    ['**Passage:** Paris is the capital.', 'Paris is the capital.'],
    ['Response: Paris.', 'Paris.'],
    ['He had DONE much by then. It was 1900.', 'He had DONE much by then. It was 1900.'],
    ['One.\n\nTwo. [DONE]', 'One.\n\nTwo.'],
    ['[DONE]', undefined],
    ['[Done].', undefined],
    ['DONE', undefined],
    ['In 1876 the work was done.', 'In 1876 the work was done.'],
    ['IN 1876 THE WORK WAS DONE.', 'IN 1876 THE WORK WAS DONE.'],
    ['In 1876 it was done', 'In 1876 it was done'],
    ['It was done (he said) in 1876. [DONE]', 'It was done (he said) in 1876.'],
    ['Paris is the capital. [/DONE]', 'Paris is the capital.'],
    ['[DONE] Paris is the capital. [/DONE]', 'Paris is the capital.'],
    ['[DONE]\nParis is the capital.', 'Paris is the capital.'],
    ['Paris is the capital.\n\nDONE.', 'Paris is the capital.'],
    ['"Paris," he said, "is the capital." DONE', '"Paris," he said, "is the capital."'],
    ['Paris is the capital. **[DONE]**', 'Paris is the capital.'],
    ['Paris is the capital. <DONE>', 'Paris is the capital.'],
    ['Paris is the capital. (DONE)', 'Paris is the capital.'],
    ['Summary: [DONE]', undefined],
    [
      'Sure! Here is a passage that supports it:\n\nParis is the capital. [DONE]',
      'Paris is the capital.',
    ],
    ['Prediction: (a) Paris\n\nPassage: Paris is the capital. [DONE]', 'Paris is the capital.'],
    ['Here is where Paris lies: on the Seine.', 'Here is where Paris lies: on the Seine.'],
    ['Paris is the capital. \\[DONE\\]', 'Paris is the capital.'],
    ['Paris is the capital. 【DONE】', 'Paris is the capital.'],
    ['...', undefined],
    ['', undefined],
  ];
  it.each(outputs)('reads %j', (output, summary) => {
    expect(parseSummary(output)).toBe(summary);
  });

  it.each(['None [DONE]', "I'm sorry, I cannot support this prediction."])(
    'takes %j for no summary',
    (text) => {
      const input = { question: 'q', passages: [], candidates: ['a', 'b'], k: 0 };
      expect(summarize.parse({ text, cut: false }, input)).toBeUndefined();
    },
  );

  it('asks again for a summary that was cut, and takes what there is in the end', () => {
    const input = { question: 'q', passages: [], candidates: ['a', 'b'], k: 0 };
    const output = { text: 'Paris is the', cut: true };
    expect(summarize.parse(output, input)).toBeUndefined();
    expect(summarize.fallback(output, input)).toBe('Paris is the');
    expect(summarize.parse({ text: 'Paris. [DONE] And', cut: true }, input)).toBe('Paris.');
  });
});

describe('parseReading', () => {
  const outputs: [string, string | undefined][] = [
    ['Paris', 'Paris'],
    ['Paris.', 'Paris'],
    ['"Paris"', 'Paris'],
    ['Answer: Paris', 'Paris'],
    ['The answer is: Paris.', 'Paris'],
    ['\n\n**Paris**\n\nIt is the capital.', 'Paris'],
    ['Washington, D.C.', 'Washington, D.C.'],
    ['3.5 million', '3.5 million'],
    ['I do not know', 'I do not know'],
    ['東京', '東京'],
    ['```\nParis\n```', 'Paris'],
    ['```text\nParis\n```', 'Paris'],
    ['> **Paris**', 'Paris'],
    ['# Paris', 'Paris'],
    ['1. Paris', 'Paris'],
    ['(a) Paris', 'Paris'],
    ['- "Paris"', 'Paris'],
    ['1. FC Köln', '1. FC Köln'],
    ['1. Bundesliga', '1. Bundesliga'],
    ['M*A*S*H', 'M*A*S*H'],
    ['{"answer": "Paris"}', 'Paris'],
    ['```json\n{"answer": "Paris"}\n```', 'Paris'],
    ['7 March 1876', '7 March 1876'],
    ['£1. 5 billion', '£1. 5 billion'],
    // an answer that is stated in a sentence, below a label, or after a preamble
    ['Based on the passages, the answer is Paris.', 'Paris'],
    ['Therefore, the answer is Paris.', 'Paris'],
    ['Sure! The answer is Paris.', 'Paris'],
    ["Sure, here's the answer:\n\nParis", 'Paris'],
    ['Here is the answer: Paris', 'Paris'],
    ['### Answer\n\nParis', 'Paris'],
    ['Short answer: Paris', 'Paris'],
    ['Answer (three words at most): Paris', 'Paris'],
    ['The answer to the question "Which city is it?" is Paris.', 'Paris'],
    ['Reasoning: It is the capital.\nAnswer: Paris', 'Paris'],
    ['It lies on the Seine.\n\nFinal answer: Paris', 'Paris'],
    ['Answer: Paris\n\nExplanation: The answer is what passage 1 names.', 'Paris'],
    ['A: Paris', 'Paris'],
    ['Response: Paris', 'Paris'],
    ['Paris\n\nQuestion: Which river?\nAnswer: The Seine', 'Paris'],
    ['The Answer', 'The Answer'],
    ['Here to Eternity', 'Here to Eternity'],
    ['Sure Thing', 'Sure Thing'],
    // where it stands is no part of it
    ['Paris [1][2].', 'Paris'],
    ['Paris (passage 3)', 'Paris'],
    ['Paris, according to passage 1', 'Paris'],
    ['Paris, as stated in the passages.', 'Paris'],
    ['Notes from the Passage', 'Notes from the Passage'],
    ['$\\boxed{\\text{Paris}}$', 'Paris'],
    ['<answer>Paris</answer>', 'Paris'],
    ['Answer：Paris。', 'Paris'],
    ['{"answer": "Paris", "passage": 1}', 'Paris'],
    ['Paris<|im_end|>', 'Paris'],
    ['', undefined],
    ['...', undefined],
  ];
  it.each(outputs)('reads %j', (output, reading) => {
    expect(parseReading(output)).toBe(reading);
  });
});

describe('what long runs are made of', () => {
  it('is read in a time that grows with their length only', () => {
    for (const text of hostile(['answer is ', '[DONE', 'DONE. ', 'passage:'])) {
      parseSummary(text);
      parseReading(text);
    }
  });
});
