/** What the tests of GenRead's clustering share: a run over questions on two topics. */
import { openRun } from '../../activities/run/open-run.js';
import type { OfflinePorts } from '../../activities/runtime/ports.js';
import type { MethodResult } from '../../core/result.js';
import type { RunInput } from '../../core/run/input.js';
import { NO_USAGE } from '../../core/usage.js';

/** Every other one on rivers, the rest on poets. */
function trainLines(count: number) {
  return Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? { id: `q${i}`, question: `Which river water flows by town ${i}?`, answers: [`River ${i}`] }
      : { id: `q${i}`, question: `Which poet wrote verse poem ${i}?`, answers: [`Poet ${i}`] },
  );
}

/** Returns the document that was written for a question. */
function documentOn(question: string): string {
  const number = /\d+/.exec(question)?.[0] ?? '';
  return question.includes('river')
    ? `River ${number} is a river whose water flows by the town.`
    : `Poet ${number} wrote the verse of that poem, a poet.`;
}

/** Changes to the result of a question; null for one that has no answer. */
type Change = (question: string) => Partial<MethodResult> | null | undefined;

/** Keeps a run of `genread` that has answered so many questions, without a call. */
export async function keptDocuments(
  ports: OfflinePorts,
  count: number,
  input: Partial<RunInput> = {},
  change: Change = () => undefined,
): Promise<void> {
  const { run = 'train', method = 'genread' } = input;
  const asked = { run, method, ...input, dataset: trainLines(count) } as RunInput;
  await openRun(asked, ports, new AbortController().signal);
  for await (const { question } of ports.runs.questions(run)) {
    const changed = change(question.question);
    if (changed === null) continue;
    const documents = [{ text: documentOn(question.question) }];
    const result: MethodResult = {
      workflowId: `eval/${run}/${question.id}`,
      method,
      question: question.question,
      outcome: 'answered',
      answer: 'Any',
      evidence: [],
      chain: { documents, passages: [], demonstrationSet: null, reading: 'Any' },
      retrievals: 0,
      usage: NO_USAGE,
      steps: {},
      flags: [],
      ...changed,
    };
    const at = new Date().toISOString();
    await ports.runs.put(run, { id: question.id, result, scores: {}, startedAt: at, endedAt: at });
  }
}
