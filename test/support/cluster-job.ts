/** What the tests of GenRead's clustering share: train questions on two topics, and their model. */
import type { CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import type { ClusterInput } from '../../workflows/cluster-job.js';
import { tokens } from './completion.js';
import { sharedHarness } from './harness.js';
import { modelThatSays } from './saying.js';

export interface TrainLine {
  id: string;
  question: string;
  answers: string[];
}

/** Every other one on rivers, the rest on poets. */
export function trainLines(count: number): TrainLine[] {
  return Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? { id: `q${i}`, question: `Which river water flows by town ${i}?`, answers: [`River ${i}`] }
      : { id: `q${i}`, question: `Which poet wrote verse poem ${i}?`, answers: [`Poet ${i}`] },
  );
}

/** Writes on rivers when asked about one, else on poets; `say` answers in its place. */
export function topicModel(say: (question: string) => string | undefined = () => undefined) {
  const requests: CompletionRequest[] = [];
  const model = modelThatSays(({ prompt, request }) => {
    requests.push(request);
    const question = /(?:Question|Statement): (.*)\nDocument:/.exec(prompt)?.[1] ?? '';
    const number = /\d+/.exec(question)?.[0] ?? '';
    const text = question.includes('river')
      ? `River ${number} is a river whose water flows by the town.`
      : `Poet ${number} wrote the verse of that poem, a poet.`;
    const took = { usage: tokens(100, 10), costUsd: 0.001, servedModel: 'scripted-1' };
    return { text: say(question) ?? text, ...took };
  });
  return { ...model, requests };
}

/** The workers of the test file, and what has a job of its own done by them. */
export async function clusterHarness(
  model: LanguageModel,
  changes: Parameters<typeof sharedHarness>[1] = {},
) {
  const harness = await sharedHarness(model, changes);
  let jobs = 0;
  return {
    harness,
    async run(input: Partial<ClusterInput>) {
      const job = { name: 'topics', clusters: 2, pairs: 2, ...input } as ClusterInput;
      const workflowId = `${harness.id}-${jobs++}`;
      return (await harness.client.startClusters(job, { workflowId })).result();
    },
  };
}
