import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVerdict } from '../../../steps/reading/verdict.js';
import { decorations, hostile } from './support.js';

const read = (text: string, cut = false) => readVerdict({ text, cut });

/** What a model wrote, and the verdict in it. */
const outputs: [string, boolean | undefined][] = [
  // By itself, labelled, in brackets.
  ['True', true],
  ['true.', true],
  ['[YES]', true],
  ['(Yes)', true],
  ['Yes!', true],
  ['Supported', true],
  ['Answer: True', true],
  ['Final answer: **True**', true],
  ['Judgment: [YES]', true],
  ['Verdict = true', true],
  ['My verdict is: yes.', true],
  ['The answer is True.', true],
  ['Is it true? True', true],
  ['True or False? True', true],
  ['{"verdict": "True"}', true],
  ['Choices: [True, False]. Answer: True', true],
  ['\\boxed{True}', true],
  ['The verdict is $\\boxed{\\text{False}}$.', false],
  ['<verdict>True</verdict>', true],
  ['{"verdict": "False", "reason": "It is true of Gray only."}', false],
  ['Ｔｒｕｅ', true],
  ['Verdict：True', true],
  ['【NO】', false],
  ['True<|im_end|>', true],
  ['Accurate.', true],
  ['The claim is inaccurate.', false],
  // A label of another thing than the verdict.
  ['True. The answer is Bell.', true],
  ['False. The correct answer is Gray.', false],
  // Negations of what is claimed are none of the verdict.
  ['The claim that Bell was never in Ulm is true.', true],
  ['The statement that Bell was not born in Ulm is not true.', false],
  // What follows says the opposite.
  ['Yes, but the year is wrong.', undefined],
  ['No, but the claim is correct otherwise.', undefined],
  ['Yes, but he was older by then.', true],
  ['The year is named, so [YES].', true],
  ['False', false],
  ['no', false],
  ['[No].', false],
  ['Incorrect.', false],
  ['REFUTED', false],
  ['Unsupported', false],
  ['Answer: False\n\nThe passage names Lyon.', false],
  ['not [YES]', false],
  ['True? No. Final verdict: False', false],
  // The opening, with reasons.
  ['True, because the passage names the year.', true],
  ['True because it names the year.', true],
  ['True. It is not false.', true],
  ['True - the passage says so.', true],
  ['Yes, it does.', true],
  ['Yes it does', true],
  ['Yes, although no date is given.', true],
  ['False. While it is true that the year is named, it is another event.', false],
  ['No, the year is missing.', false],
  ['No, it is true that he lived there, but not that he was born there.', false],
  ['No the passage does not.', false],
  // In a sentence.
  ['The passage correctly supports the prediction.', true],
  ['The passage supports the prediction that it was Bell.', true],
  ['The prediction is supported by the passage.', true],
  ['The prediction is fully and clearly supported.', true],
  ['The passages, taken together, fully support a clear answer.', true],
  ['The statement is true.', true],
  ['It is indeed correct.', true],
  ['The prediction is the correct answer.', true],
  ['It is true that Bell was born in Edinburgh.', true],
  ['No single passage answers it, but taken together they fully support an answer.', true],
  ['The passage does not only name him, it supports the prediction.', true],
  ['Not only does the passage support the prediction.', true],
  ['The claim is not false.', true],
  ['The passages do not refute the claim.', true],
  ['I would say yes', undefined],
  ['My answer is yes.', true],
  ['The passage does not correctly support the prediction.', false],
  ["The passage doesn't support it.", false],
  ['The passage does not support the prediction.', false],
  ['The passage fails to support the prediction.', false],
  ['The passage provides no support for the prediction.', false],
  ['There is no passage that supports the claim.', false],
  ['Neither passage supports the claim.', false],
  ['None of the passages supports the answer.', false],
  ['The passage contradicts the prediction.', false],
  ['The passages refute the claim.', false],
  ['The claim is refuted.', false],
  ['The claim is not supported by any passage.', false],
  ['The claim is unsupported.', false],
  ['The prediction is incorrect because the passage names Gray.', false],
  ['The prediction is not correct: it was Gray.', false],
  ['That is not entirely true.', false],
  ["That isn't true", false],
  ['not true.', false],
  ['Although he lived there, the claim is not true.', false],
  ['The answer is no.', false],
  // Neither, both, or hedged.
  ['', undefined],
  ['...', undefined],
  ['Maybe', undefined],
  ['True or False', undefined],
  ['True/False', undefined],
  ['Yes and no.', undefined],
  ['[YES] or [NO]', undefined],
  ['It could be true, or it could be false.', undefined],
  ['The prediction may be true.', undefined],
  ['It is probably true.', undefined],
  ['It is unclear whether the passage supports the prediction.', undefined],
  ['If the passage is right, the claim is true.', undefined],
  ['The passage only partially supports the prediction.', undefined],
  ['The claim is neither true nor false.', undefined],
  ['It is not true that the passage does not support it.', undefined],
  ['I cannot tell.', undefined],
  ['The passage is about rivers.', undefined],
  ['The passage tells a true story.', undefined],
  ['The correct answer is Paris.', undefined],
  ['True North is a place.', undefined],
  ['The passage supports Lyon.', undefined],
  ['No single passage says so', undefined],
  ['Does the passage support the prediction?', undefined],
];

describe('readVerdict', () => {
  it.each(outputs)('reads %j as %j', (output, verdict) => {
    expect(read(output)).toBe(verdict);
  });

  it('reads what is labelled, and no negation of a claim that is quoted', () => {
    expect(read('True. On a second look, the verdict: unclear.')).toBeUndefined();
    expect(read('The claim "Bell was not born in Ulm" is true.')).toBe(true);
  });

  it.each<[string, boolean | undefined]>([
    ['True. The passage na', true],
    ['True, as the passage', true],
    ['[NO] since the', false],
    ['False\nThe passage', false],
    ['Answer: True\n\nIt', true],
    ['No, the passages do', false],
    ['Yes, but the', undefined],
    ['False - only the', undefined],
    ['True', undefined],
    ['Tr', undefined],
    ['True or Fal', undefined],
    ['[YE', undefined],
    ['Answer: Fal', undefined],
    ['No single passage answers the question, but taken together they fully', undefined],
    ['It is true that Bell was born in Edinburgh,', undefined],
    ['The passage does not support the prediction', undefined],
    ['The passage supports the prediction. Howev', undefined],
  ])('reads %j, cut, as %j', (output, verdict) => {
    expect(read(output, true)).toBe(verdict);
  });

  it('reads from a prefix that was cut the verdict of the whole, or none', () => {
    for (const [output, verdict] of outputs) {
      for (let end = 0; end <= output.length; end++) {
        const prefix = output.slice(0, end);
        const labelled = /answer|verdict|judgment|\?|\]/i.test(output.slice(end));
        if (!labelled) expect([undefined, verdict], prefix).toContain(read(prefix, true));
      }
    }
  });

  it.each(outputs)('reads %j the same however it is decorated', (output, verdict) => {
    for (const decorated of decorations(output)) expect(read(decorated), decorated).toBe(verdict);
  });

  it('returns on hostile text', () => {
    for (const text of hostile(['not ', 'true, ', 'no ', '[YES] ', 'answer: ', 'supports '])) {
      read(text);
      read(text, true);
    }
  });

  it('never throws', () => {
    const words = fc.array(
      fc.constantFrom(...'True False not no yes , . [ ] is answer: supports'.split(' ')),
    );
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      words.map((some) => some.join(' ')),
    );
    fc.assert(fc.property(texts, fc.boolean(), (text, cut) => void read(text, cut)));
  });
});
