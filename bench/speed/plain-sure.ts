/** The peer: SuRe's seven calls as a script that forgets everything when it ends. */
import OpenAI from 'openai';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { fillTemplate } from '../../activities/runtime/template.js';
import { orderedPairs } from '../../methods/rank-candidates.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { type ModelStep, maxTokensOf, promptOf } from '../../steps/define.js';
import { modelSteps } from '../../steps/model-steps.js';
import { renderPassages } from '../../steps/rendering/passages.js';

export interface PlainSureOptions {
  baseUrl: string;
  model: string;
  retriever: Retriever;
}

/** Asks the same prompts along the same dependencies as the workflow, in this process. */
export function plainSure({ baseUrl, model, retriever }: PlainSureOptions) {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 });
  const prompts = createPromptLibrary();

  async function call<I, O>(step: ModelStep<I, O>, input: I, passages = ''): Promise<O> {
    const template = await prompts.load('default', promptOf(step, input));
    const content = fillTemplate(template, { ...step.variables(input), passages }, 0);
    const { choices } = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content }],
      temperature: 0,
      max_tokens: maxTokensOf(step, input),
    });
    const value = step.parse({ text: choices[0]?.message.content ?? '', cut: false }, input);
    if (value === undefined)
      throw new Error(`The reply to ${promptOf(step, input)} cannot be read.`);
    return value;
  }

  return async (question: string, count: number): Promise<void> => {
    const ids = (await retriever.search(question, count)).map(({ id }) => id);
    const texts = renderPassages(await retriever.get(ids));
    const frame = await prompts.load('default', 'passages');
    const passages = fillTemplate(frame, { passages: texts }, 0);

    const { generateCandidates, summarize, validate, rankPair } = modelSteps;
    const asked = { question, passages: ids, count: 2, demonstrations: [] };
    const candidates = await call(generateCandidates, asked, passages);
    const summaries = candidates.map((_, k) =>
      call(summarize, { question, passages: ids, candidates, k }, passages).then((summary) => ({
        k,
        summary,
      })),
    );
    const verdicts = candidates.map(async (candidate, k) => {
      const summary = (await summaries[k])?.summary ?? '';
      return call(validate, { question, candidate, summary });
    });
    const votes = orderedPairs(summaries).map(async ([one, other]) =>
      call(rankPair, { question, first: await one, second: await other }),
    );
    await Promise.all([...verdicts, ...votes]);
  };
}
