/** What a run over questions that stand in a test would take, without a server. */
import type { Ports } from '../../activities/runtime/ports.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { Failure } from '../../core/failure.js';
import type { OwnMetric } from '../../core/metric.js';
import { readGiven } from '../../evaluation/dataset/read-dataset.js';
import { type ReadSubset, takeSubset } from '../../evaluation/dataset/subset.js';
import { metricRegistry } from '../../evaluation/metrics/registry.js';
import { parseRunInput } from '../../interpreters/methods.js';
import { planRun } from '../../interpreters/plan-run.js';
import { registeredSteps } from '../../steps/rubric.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { testPorts } from './ports.js';

/** Every search finds passages of this many characters. */
export function corpora(length: number, searches: [string, number][] = []) {
  return {
    async open(name: string) {
      if (name !== 'sample') throw new Failure('UnknownCorpus', `There is no corpus ${name}.`);
      return {
        async search(query: string, k: number) {
          searches.push([query, k]);
          return Array.from({ length: k }, (_, i) => ({ id: `${i}`, title: '', score: 1 }));
        },
        get: async (ids: readonly string[]) =>
          ids.map((id) => ({ id, title: '', text: 'x'.repeat(length) })),
      };
    },
  };
}

export async function plan(
  lines: object[],
  input: object,
  found: Ports['corpora'] = corpora(4000),
  metrics: OwnMetric[] = [],
  more: Partial<Ports> = {},
) {
  const { steps, prompts } = registeredSteps({ metrics });
  const usual = { run: 'r', method: 'base', dataset: 'd', corpus: 'sample' };
  const spec = parseRunInput({ ...usual, ...input });
  const ports = testPorts(scriptedModel([]), {
    corpora: found,
    describeCorpus: async (name) => ({ name }),
    prompts: createPromptLibrary(undefined, prompts),
    metrics: metricRegistry(metrics),
    steps,
    defaultModel: 'usual',
    ...more,
  });
  const run = await planRun(spec, { read: givenQuestions(lines) }, ports);
  return { spec, run };
}

export const question = (i: number, more: object = {}) => ({
  id: `${i}`,
  question: `Who is number ${i}?`,
  answers: ['A'],
  ...more,
});
export const own = [{ title: '', text: 'x'.repeat(400) }];

export function givenQuestions(lines: readonly object[]): ReadSubset {
  return (subset) => takeSubset(() => readGiven(lines, { scorable: false }), subset);
}
