import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Preference, readPreference } from '../../../steps/reading/preference.js';
import { decorations, hostile } from './support.js';

const read = (text: string, cut = false) => readPreference({ text, cut });

const outputs: [string, Preference | undefined][] = [
  ['Passage 1', 'first'],
  ['passage 2.', 'second'],
  ['[Passage 2]', 'second'],
  ['Passage #2', 'second'],
  ['2', 'second'],
  ['1.', 'first'],
  ['(2)', 'second'],
  ['Passage 2: it names the year.', 'second'],
  ['Passage 1 because it names the year.', 'first'],
  ['Passage 1 (it names the year)', 'first'],
  ['Passage 2, since Passage 1 is vague.', 'second'],
  ['The second one.', 'second'],
  ['The first passage', 'first'],
  ['Answer: Passage 2', 'second'],
  ['Passage 1? No.\nFinal answer: Passage 2', 'second'],
  ['Which one? Passage 2', 'second'],
  ['{"answer": "Passage 2"}', 'second'],
  // Comparisons.
  ['Both passages provide relevant information, but Passage 2 is more informative.', 'second'],
  ['Passage 1 is more relevant because neither date of Passage 2 is right.', 'first'],
  ['Passage 1 is more relevant since both names stand in it.', 'first'],
  ['Passage 1 is not as informative as Passage 2.', 'second'],
  ['Passage 2 is not nearly as clear as Passage 1.', 'first'],
  ["Passage 2 isn't as helpful as Passage 1.", 'first'],
  ['Passage 2 is less relevant than Passage 1.', 'first'],
  ['Passage 1 is worse.', 'second'],
  ['The less informative one is Passage 1.', 'second'],
  ['The more informative passage is Passage 2.', 'second'],
  ['The best passage is the first one.', 'first'],
  ['Compared to Passage 1, Passage 2 is more informative.', 'second'],
  ['Passage 2 compared with Passage 1 is more informative.', 'second'],
  ['Between Passage 1 and Passage 2, Passage 2 is the more informative one.', 'second'],
  ['Passage 2, which names the year, is more informative.', 'second'],
  ['Passage 1, which names the year, is less informative.', 'second'],
  ['Passage 1 provides more information about the answer than Passage 2 does.', 'first'],
  ['Passage 1 tells more about the answer.', 'first'],
  ['I would choose Passage 1.', 'first'],
  ['I would go with the second passage.', 'second'],
  ['I prefer Passage 2 over Passage 1.', 'second'],
  ['Passage 1 names the place. Passage 2 is more relevant.', 'second'],
  ['The answer is in Passage 1.', 'first'],
  ['Answer\n\nPassage 1\n\nExplanation\nPassage 2 leaves the year out.', 'first'],
  ['Passage 2. The answer is Bell.', 'second'],
  ['\\boxed{Passage 2}', 'second'],
  ['$\\boxed{1}$', 'first'],
  ['Passage ２', 'second'],
  ['<answer>Passage 1</answer>', 'first'],
  ['Passage 2 does not name him, so Passage 1 is better.', 'first'],
  ['Passage 1 is the more informative of the two, although Passage 2 is more concise.', 'first'],
  ['Passage 1 is more general, whereas Passage 2 is more specific.', 'second'],
  // Ties.
  ['Both passages are equally informative.', 'tie'],
  ['Passage 1 is as informative as Passage 2; they are equally relevant.', 'tie'],
  ['Neither', 'tie'],
  ['Neither passage answers the question.', 'tie'],
  ['It is a tie.', 'tie'],
  ['There is no difference.', 'tie'],
  ['They are the same.', 'tie'],
  // Neither one nor the other.
  ['', undefined],
  ['Both passages provide relevant information.', undefined],
  ['Both', undefined],
  ['Passage 3', undefined],
  ['12', undefined],
  ['Passage 1 or Passage 2', undefined],
  ['Passage 1 and Passage 2', undefined],
  ['Passage 1, Passage 2', undefined],
  ['Passage 1\nPassage 2', undefined],
  ['Passage 1: Bell got it.\nPassage 2: Gray filed as well.', undefined],
  ['Passage 1: Bell got it. Passage 2: Gray filed as well.', undefined],
  ['Passage 1 is more general, whereas Passage 2 names the year.', undefined],
  ["I don't think Passage 1 is better.", undefined],
  ['I would not say that Passage 2 is more informative.', undefined],
  ['It is not true that Passage 1 is more relevant.', undefined],
  ['Passage 1 is not more informative than Passage 2.', undefined],
  ['Passage 1 does not answer the question.', undefined],
  ['Passage 2 might be more informative.', undefined],
  ['Passage 1 is more detailed, but Passage 2 is more relevant.', undefined],
  ['I would not choose Passage 1.', undefined],
  ['Passage 1 is more relevant. Passage 2 is more relevant.', undefined],
  ['In 1 of 2 cases it was so.', undefined],
  ['I cannot decide.', undefined],
];

describe('readPreference', () => {
  it.each(outputs)('reads %j as %j', (output, preference) => {
    expect(read(output)).toBe(preference);
  });

  it.each<[string, Preference | undefined]>([
    ['Passage 1\n\nIt names the', 'first'],
    ['Passage 2. It', 'second'],
    ['Passage 1 is more relevant because neither date', undefined],
    ['Both passages provide relevant information, but Passage 2 is more', undefined],
    ['Both passages are equally informative. Ho', undefined],
    ['Passage 1 is', undefined],
    ['Passage 1: Bell was granted it', undefined],
    ['Passage 1\nPassage', undefined],
    ['Passage 1 - Passage 2', undefined],
    ['Passage 1 is more relevant because neither date ...', undefined],
    ['Passage 1 is not as informative as Passage 2.', undefined],
    ['Passage 2 is less relevant than Passage 1.', undefined],
    ['Passage 1', undefined],
    ['Passage', undefined],
  ])('reads %j, cut, as %j', (output, preference) => {
    expect(read(output, true)).toBe(preference);
  });

  it('reads from a prefix that was cut the preference of the whole, or none', () => {
    for (const [output, preference] of outputs) {
      for (let end = 0; end < output.length; end++) {
        const [prefix, rest] = [output.slice(0, end), output.slice(end)];
        if (/answer:|\?/i.test(rest)) continue;
        expect([undefined, preference], prefix).toContain(read(prefix, true));
      }
    }
  });

  it.each(outputs)('reads %j the same however it is decorated', (output, preference) => {
    for (const text of decorations(output)) expect(read(text), text).toBe(preference);
  });

  it('never throws, and returns on hostile text', () => {
    const some = fc.array(
      fc.constantFrom(...'Passage 1 2 is not as more less than both . ,'.split(' ')),
    );
    fc.assert(fc.property(some, fc.boolean(), (all, cut) => void read(all.join(' '), cut)));
    for (const text of hostile(['passage 1 ', 'more ', 'not as ', 'more is ', 'as '])) {
      read(text);
      read(text, true);
    }
  });
});
