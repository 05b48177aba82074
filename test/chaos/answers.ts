/** What the questions of a run came to, and what they come to where nothing goes wrong. */
import type { MethodResult } from '../../core/result.js';
import type { MethodName } from '../../interpreters/methods.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import type { Corpora } from '../../retrieval/retriever.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import { testPorts } from '../support/ports.js';
import { modelThatSays } from '../support/saying.js';
import { answerTo } from './fault-model.js';

/** Searches of all of them find so many passages. */
export const OPTIONS = { passages: 2 };

/** A question that nobody else asks. */
export interface Inventor {
  id: string;
  question: string;
  golden_answers: string[];
}

export function inventors(count: number): Inventor[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `q${i}`,
    question: `What did inventor number ${i} make?`,
    golden_answers: [`answer ${i}`],
  }));
}

/** In the order of the questions. */
export async function answersOf(
  runs: Pick<RunStore, 'questions' | 'get'>,
  run: string,
): Promise<object[]> {
  const answers: object[] = [];
  for await (const { question } of runs.questions(run)) {
    const answer = await runs.get(run, question.id);
    answers.push(
      answer?.result ? comparable(question.id, answer.result) : { id: question.id, ...answer },
    );
  }
  return answers;
}

/** The same by the model and the method alone, without a server, a store or a worker. */
export async function undisturbed(
  method: MethodName,
  questions: readonly Inventor[],
  corpora: Corpora,
): Promise<object[]> {
  const ports = testPorts(
    modelThatSays(({ prompt }) => answerTo(prompt)),
    { corpora },
  );
  const answers: object[] = [];
  for (const { id, question } of questions) {
    const input = { question, options: OPTIONS, retrieval: { corpus: 'sample' } };
    answers.push(comparable(id, await answerInProcess(method, input, ports)));
  }
  return answers;
}

/** A result without what may differ: when it was given, and how often it was asked again. */
function comparable(id: string, { outcome, answer, evidence, chain }: MethodResult): object {
  return { id, outcome, answer, evidence, chain };
}
