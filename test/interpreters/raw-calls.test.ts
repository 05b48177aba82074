/** What a model was sent and said, shown of kept calls: what has changed or is gone is said so. */
import { expect, it } from 'vitest';
import { parseRunInput } from '../../interpreters/methods.js';
import { rawCalls } from '../../interpreters/raw-calls.js';
import { answerAndRecordCalls } from '../../interpreters/scripted.js';
import type { RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { fixedCorpora, testPorts } from '../support/ports.js';
import { QUESTION, telephoneScript } from '../support/telephone.js';

const input = parseRunInput({ run: 'r', method: 'sure', dataset: 'd', corpus: 'sample' });
const manifest = { input, corpus: {}, provider: 'scripted' } as unknown as RunManifest;
const question = { id: 'q', question: QUESTION, answers: [] } as unknown as RunQuestion;

async function kept() {
  const script = [{ step: 'generateCandidates', say: '...' } as const, ...telephoneScript()];
  const ports = testPorts(scriptedModel(script), { corpora: fixedCorpora() });
  const { calls } = await answerAndRecordCalls('sure', { question: QUESTION }, ports);
  return { calls, ports };
}

it('shows each prompt as it was sent, and each reply, asked again ones too', async () => {
  const { calls, ports } = await kept();
  const raw = await rawCalls(manifest, question, calls, ports as never);
  expect(raw.map(({ asked }) => asked.length).sort()).toEqual([1, 1, 1, 1, 1, 1, 2]);
  const [first, again] = raw.find(({ name }) => name === 'generateCandidates[1]')?.asked ?? [];
  expect(first?.reply).toBe('...');
  expect(first?.prompt).toContain(QUESTION);
  expect(again?.prompt?.length).toBeGreaterThan(first?.prompt?.length ?? 0);
  expect(raw.flatMap(({ asked }) => asked).every(({ prompt, reply }) => prompt && reply)).toBe(
    true,
  );
});

it('shows no prompt that was another one, and no reply that is gone', async () => {
  const { calls, ports } = await kept();
  const load: typeof ports.prompts.load = async (set, name) => {
    const template = await ports.prompts.load(set, name);
    return name === 'validate' ? { ...template, text: `Now: ${template.text}` } : template;
  };
  const edited = { ...ports, prompts: { ...ports.prompts, load } };
  const { responses } = testPorts(scriptedModel([]));
  const raw = await rawCalls(manifest, question, calls, { ...edited, responses } as never);
  const without = raw.filter(({ asked }) => asked.some(({ prompt }) => prompt === null));
  expect(without.map(({ name }) => name).sort()).toEqual(['validate[1]', 'validate[2]']);
  expect(raw.flatMap(({ asked }) => asked).every(({ reply }) => reply === null)).toBe(true);
  // Of a question that failed half way what was asked by then is shown.
  const half = await rawCalls(manifest, question, calls.slice(0, 2), ports as never);
  expect(half.map(({ asked }) => asked[0]?.prompt !== null)).toEqual([true]);
});
