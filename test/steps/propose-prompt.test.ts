/** Which prompts that were written for a step can take the place of its own. */
import { describe, expect, it, test } from 'vitest';
import type { ProposeInput, StepToPropose } from '../../core/tune/proposals.js';
import { outputOf } from '../../steps/define.js';
import {
  mostCharacters,
  promptProblem,
  proposePrompt,
  requiredTexts,
} from '../../steps/propose-prompt.js';
import { modelSteps } from '../../steps/table.js';
import { writePrompts } from '../../workflows/study/propose-prompts.js';

const PRESENT =
  '{{passages}}\n\nTask: is it right? Reply with True or False.\n\nClaim: {{ claim }}';
const KEEP = ['{{passages}}', '{{claim}}', 'True', 'False'];
const present = { prompt: PRESENT, keep: KEEP };

test.each([
  ['{{passages}}\nIs {{claim}} borne out? Say True or False.', undefined],
  ['{{passages}}\nIs {{ claim }} borne out? Say true or false.', undefined],
  ['  \n', 'is empty'],
  [PRESENT.replaceAll('\n\n', '\n'), 'is the current prompt'],
  ['Is {{claim}} borne out by {{passages}}? Say True.', 'lacks False'],
  ['{{passages}} Is it so? True or False', 'lacks {{claim}}'],
  ['{{passages}} {{claim}} {{question}} True False', 'has {{question}}, which the current'],
  [`{{passages}} {{claim}} True False ${'x'.repeat(3000)}`, 'is longer than'],
])('says of %j that it %s', (written, problem) => {
  const found = promptProblem(written, present);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test('a prompt that is written on ends where it is written on', () => {
  const on = { prompt: 'Search as you think.\n{{soFar}}', keep: ['{{soFar}}'] };
  expect(promptProblem('{{soFar}}\nNow think.', on)).toBe('does not end in {{soFar}}');
  expect(promptProblem('Think, then search.\n{{soFar}}', on)).toBeUndefined();
});

test('a prompt keeps what the reader of its step looks for, of what it names', () => {
  const { validate } = modelSteps;
  const claim = { question: 'q', prediction: 'p', summary: 's' } as never;
  expect(requiredTexts(validate, PRESENT, claim)).toEqual(KEEP);
  expect(requiredTexts(validate, '{{passages}} Well?', claim)).toEqual(['{{passages}}']);
  const { summarize } = modelSteps;
  expect(requiredTexts(summarize, 'End with [DONE]. {{question}}', claim)).toContain('[DONE]');
});

test('what a model writes is read without what stands around it, and asked for again if it cannot be used', () => {
  const input = { ...present, of: 'validate', failures: [], before: '', number: 0 };
  const { read } = outputOf(proposePrompt, input);
  const said = (text: string) => read({ text, cut: false });
  const good = '{{passages}}\nIs {{claim}} borne out? Say True or False.';
  expect(said(`<prompt>\n${good}\n</prompt>`)).toBe(good);
  expect(said(`\`\`\`\n${good}\n\`\`\``)).toBe(good);
  expect(said('Is it so?')).toBeUndefined();
  expect(mostCharacters(PRESENT)).toBeGreaterThan(good.length);
});

describe('an action that writes prompts', () => {
  const step: StepToPropose = {
    ...present,
    step: 'validate',
    file: 'validate',
    failures: [{ question: 'q', shown: 's', wrote: 'True', answers: ['a'] }],
    before: [],
    failureIds: [],
    beforeText: '',
  };
  const task = { proposer: { by: 'mine' }, each: 2, steps: [step] };
  const good = (n: number) => `${n} {{passages}} {{claim}} True False`;

  it('is shown the step, its prompt and its failures, and asked once more for what cannot be used', async () => {
    const asked: ProposeInput[] = [];
    const texts = await writePrompts(task, async ({ step: name, input, action }) => {
      expect([name, action?.name]).toEqual(['mine', 'mine']);
      asked.push(input as ProposeInput);
      return asked.length === 1 ? [good(1), 'no'] : [good(2), good(3)];
    });
    expect(texts).toEqual([[good(1), good(2)]]);
    const { failures, prompt, keep } = step;
    const shown = { step: 'validate', prompt, keep, failures, before: [] };
    expect(asked).toEqual([
      { ...shown, count: 2, refused: [] },
      { ...shown, count: 1, refused: [{ text: 'no', problem: expect.stringContaining('lacks') }] },
    ]);
  });

  it('has to return texts', async () => {
    await expect(writePrompts(task, async () => 'one')).rejects.toThrow(
      'returned no list of texts',
    );
  });
});
