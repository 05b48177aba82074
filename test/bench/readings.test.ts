import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AskingOptions, createAsking } from '../../bench/readings/asking.js';
import { readRecorded, type StepName } from '../../bench/readings/recorded.js';
import { readAgain, table, toLookAt } from '../../bench/readings/table.js';

const validated = { question: 'Who?', candidate: 'Bell', summary: 'It was Bell.' };
const named = {
  question: 'Who?',
  passages: [],
  count: 2,
  demonstrations: [{ question: 'Example?', answer: 'Example answer' }],
};

/** A model that says these texts in turn and counts its calls. */
async function scripted(...texts: string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'readings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const prompts: string[] = [];
  const options: AskingOptions = {
    llm: {
      provider: 'script',
      async complete({ messages }) {
        const text = texts[prompts.length] ?? 'Nothing more';
        prompts.push(messages.map(({ content }) => content).join('\n'));
        const usage = { promptTokens: 8, cachedPromptTokens: 2, completionTokens: 1 };
        return { text, cut: false, usage, costUsd: 0, servedModel: 'm', fingerprint: null };
      },
    },
    model: 'm',
    folder,
    perStep: 1,
  };
  return { options, prompts };
}

describe('gathering', () => {
  it('asks an unreadable output again, and nothing twice that the folder has', async () => {
    const { options, prompts } = await scripted('Perhaps', 'True', 'False');
    for (const _ of ['first start', 'second start']) {
      const { stepsOf, wants } = await createAsking(options);
      expect(wants('validate')).toBe(true);
      expect(await stepsOf('nq/1').validate(validated)).toBe(true);
      expect(wants('validate')).toBe(false);
    }
    expect(prompts).toHaveLength(2);
    const recorded = await readRecorded(options.folder, 'm');
    expect(recorded).toMatchObject([
      { step: 'validate', question: 'nq/1', attempt: 0, text: 'Perhaps', input: validated },
      { step: 'validate', question: 'nq/1', attempt: 1, text: 'True', cachedPromptTokens: 2 },
    ]);
  });

  it('compares the wordings of a prompt', async () => {
    const { options, prompts } = await scripted('(a) Bell, (b) Gray', '(a) Bell');
    const announced = await createAsking(options);
    const bare = await createAsking({ ...options, prompts: 'bare-examples' });
    expect(await announced.stepsOf('nq/1').generateCandidates(named)).toEqual(['Bell', 'Gray']);
    expect(await bare.stepsOf('nq/1').generateCandidates(named)).toEqual(['Bell']);
    expect(prompts[0]).toMatch(
      /2 candidates for the answer, at most 3 words each, as \(a\) \.\.\., \(b\) \.\.\.:$/,
    );
    expect(prompts[1]).toMatch(/Answer:$/);
  });
});

describe('reading again', () => {
  const recorded = (step: StepName, attempt: number, text: string, input: unknown) => ({
    ...{ model: 'm', step, question: 'nq/1', hash: 'h', attempt, input, prompt: '', text },
    ...{ cut: false, promptTokens: 8, cachedPromptTokens: 2, completionTokens: 1, request: text },
  });

  it('counts what is read at once, what is not, and what falls back', async () => {
    const other = { ...validated, candidate: 'Gray' };
    const never = { ...validated, candidate: 'Meucci' };
    const readings = readAgain([
      recorded('validate', 0, 'Perhaps', validated),
      recorded('validate', 0, 'False', other),
      recorded('validate', 1, 'True', validated),
      ...[0, 1, 2].map((attempt) => recorded('validate', attempt, 'Perhaps', never)),
      recorded('validate', 0, 'Perhaps', { ...validated, candidate: 'not asked again yet' }),
    ]);
    expect(readings.map(({ value }) => value)).toEqual([true, false, undefined, undefined]);
    expect(table(readings).split('\n').at(-1)).toBe(
      '| `validate` | m | 4 | 1 | 3 | 1 | 56 | 25 % |',
    );
    const shown = toLookAt(readings, 1);
    expect(shown.match(/UNREADABLE/g)).toHaveLength(5);
    expect(shown).toContain('True\n=> true');
  });
});
