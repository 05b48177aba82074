/** How a rubric is asked, and how the judge's reply is read. */
import { expect, it } from 'vitest';
import { fillPrompt } from '../../activities/runtime/model-request.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import type { Rubric } from '../../core/metric.js';
import { outputOf } from '../../steps/define.js';
import { ownSteps } from '../../steps/own-steps.js';
import { rubricStep } from '../../steps/rubric.js';
import { PlannedTranscripts } from '../../stores/transcripts.js';

const rubric: Rubric = {
  from: 'rubric',
  name: 'clear',
  title: 'Clear',
  prompt: {
    name: 'clear',
    text: '{{question}}\n{{#goldAnswers}}\nGold:\n{{goldAnswers}}\n{{/goldAnswers}}\nSaid: {{answer}}\n=== again ===\nOne number.',
  },
  scale: { from: 1, to: 5 },
};
const input = { question: 'Who?', answer: 'Bell', goldAnswers: ['Bell'], passages: ['p1'] };

it.each([
  [{ from: 1, to: 5 }, '1', 0],
  [{ from: 1, to: 5 }, 'Score: 4', 0.75],
  [{ from: 1, to: 5 }, '5/5', 1],
  [{ from: 0, to: 10 }, '7', 0.7],
  ['yesNo', 'Yes, it is.', 1],
  ['yesNo', 'No.', 0],
] as const)('on the scale %j reads %j as %d', (scale, text, score) => {
  const step = rubricStep({ ...rubric, scale });
  expect(outputOf(step, input).read({ text, cut: false })).toEqual({ score, reply: text });
});

it.each([
  [{ from: 1, to: 5 }, '0'],
  [{ from: 1, to: 5 }, '6'],
  [{ from: 1, to: 5 }, 'It names 3 people and 4 places.'],
  ['yesNo', 'Yes and no.'],
  ['yesNo', ''],
] as const)('on the scale %j reads no verdict in %j', (scale, text) => {
  const step = rubricStep({ ...rubric, scale });
  const output = { text, cut: false };
  expect(outputOf(step, input).read(output)).toBeUndefined();
  expect(step.fallback(output, input)).toEqual({ score: null, reply: text });
});

it('shows what its prompt asks for', async () => {
  const { steps, prompts } = ownSteps([rubricStep(rubric)]);
  const ports = {
    prompts: createPromptLibrary(undefined, prompts),
    demonstrationSets: { pairs: async () => [] },
    transcripts: new PlannedTranscripts(),
  };
  const shown = async (more: object, attempt = 0) => {
    const call = { prompts: 'default', attempt };
    const step = steps.clear;
    if (!step) throw new Error('There is no such step.');
    return (await fillPrompt(step, { ...input, ...more }, call, undefined, ports)).content;
  };
  expect(await shown({})).toBe('Who?\nGold:\nBell\nSaid: Bell');
  expect(await shown({ goldAnswers: ['Bell', 'A. G. Bell'] })).toContain('- Bell\n- A. G. Bell');
  expect(await shown({ goldAnswers: [] }, 1)).toBe('Who?\nSaid: Bell\nOne number.');
});

it('shows passages only where its prompt names them', () => {
  expect(rubricStep(rubric).passages).toBeUndefined();
  const text = '{{ passages }}\nIs it so? {{answer}}';
  const grounded = rubricStep({ ...rubric, prompt: { name: 'grounded', text } });
  expect(grounded.passages?.(input)).toEqual(['p1']);
});
