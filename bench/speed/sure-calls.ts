/** The search and the seven calls of SuRe in this process, for programs that order them. */
import OpenAI from 'openai';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { fillTemplate } from '../../activities/runtime/template.js';
import type { Retriever } from '../../retrieval/retriever.js';
import {
  type ModelStep,
  maxTokensOf,
  outputOf,
  promptOf,
  variablesOf,
} from '../../steps/define.js';
import { renderPassages } from '../../steps/rendering.js';
import { modelSteps } from '../../steps/table.js';
import { orderedPairs } from '../../workflows/methods/sure/sure.js';

/** What a search found: ids, and the texts as prompts show them. */
export interface Found {
  ids: string[];
  texts: string;
}

/** A candidate with the summary in its support. */
export interface Summarized {
  k: number;
  candidate: string;
  summary: string;
}

/** The prompts and parsers are those of the workflow's steps. */
export interface SureCalls {
  retrieve(question: string): Promise<Found>;
  generateCandidates(question: string, found: Found): Promise<string[]>;
  summarize(question: string, found: Found, candidates: string[], k: number): Promise<Summarized>;
  validate(question: string, summarized: Summarized): Promise<unknown>;
  rankPair(question: string, first: Summarized, second: Summarized): Promise<unknown>;
  pairsOf<T>(items: readonly T[]): [T, T][];
}

export interface SureCallsOptions {
  baseUrl: string;
  model: string;
  retriever: Retriever;
  /** Passages a question. */
  passages: number;
}

/** Calls that keep nothing; what is built of them decides their order. */
export function sureCalls({ baseUrl, model, retriever, passages }: SureCallsOptions): SureCalls {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 });
  const prompts = createPromptLibrary();
  const { generateCandidates, summarize, validate, rankPair } = modelSteps;

  async function call<I, O>(step: ModelStep<I, O>, input: I, texts = ''): Promise<O> {
    const template = await prompts.load('default', promptOf(step, input));
    const variables = { ...variablesOf(step, input), passages: texts };
    const { choices } = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: fillTemplate(template, variables, 0) }],
      temperature: 0,
      max_tokens: maxTokensOf(step, input),
    });
    const value = outputOf(step, input).read({
      text: choices[0]?.message.content ?? '',
      cut: false,
    });
    if (value === undefined)
      throw new Error(`The reply to ${promptOf(step, input)} cannot be read.`);
    return value;
  }

  return {
    async retrieve(question) {
      const ids = (await retriever.search(question, passages)).map(({ id }) => id);
      const texts = renderPassages(await retriever.get(ids));
      const frame = await prompts.load('default', 'passages');
      return { ids, texts: fillTemplate(frame, { passages: texts }, 0) };
    },
    generateCandidates: (question, { ids, texts }) =>
      call(generateCandidates, { question, passages: ids, count: 2, demonstrations: [] }, texts),
    async summarize(question, { ids, texts }, candidates, k) {
      const summary = await call(summarize, { question, passages: ids, candidates, k }, texts);
      return { k, candidate: candidates[k] ?? '', summary };
    },
    validate: (question, { candidate, summary }) =>
      call(validate, { question, candidate, summary }),
    rankPair: (question, first, second) => call(rankPair, { question, first, second }),
    pairsOf: orderedPairs,
  };
}
