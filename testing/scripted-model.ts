/** A model that plays a script, records every request, and fails when asked more than its script. */
import type { Completion, CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import { Failure } from '../../methods/failure.js';

/** What tells the prompts of the steps apart. */
export const RECOGNIZED = {
  generateCandidates: /name \d+ different answers/,
  summarize: /you are a professional writer/,
  validate: /correctly support the prediction/,
  rankPair: /Decide which of them is the more informative/,
  read: /answer the question at the end in at most 3 words/,
  choose: /answer the question at the end with the choice that is right/,
  summarizeGeneric: /you write for a living/,
  readSummaries: /answer the question below from all of this/,
  reason: /Think step by step first/,
  rankPassages: /in the order in which they help to answer/,
  infer: /if the passages above are enough to answer it/,
  nameConditions: /Name the parts of it that its answer has to fit/,
  recoverCondition: /a few words are replaced by \[X\]/,
  followUp: /by way of follow-up questions, one at a time/,
  selfAsk: /follow-up questions that you ask and answer yourself/,
  metaReason: /by weighing all of the attempts/,
  takeNotes: /after taking notes on the passages/,
  takeNote: /write a reading note on the passage below/,
  answerFromNotes: /by the reading notes on the passages/,
  answerWithEvidence: /answer the question at the end with just one entity/,
  scoreAnswer: /estimate how probable it is that the candidate is the true answer/,
  askSubQueries: /write at most \d+ sub-questions/,
  condenseEvidence: /put together the factual information in the passages/,
  generateDocument: /^Document:$/m,
  readBackground: /in just a few words|a single entity and nothing else|by naming just one entity/,
  checkClaim: /Is the claim true or false\?/,
  reply: /as your turn in the conversation/,
  summarizeDocument: /condense the passage below to at most 50 words/,
  selectDocuments: /choose the \d+ passages above that together/,
  verifyClassify: /judge whether the passages above, taken together, fully support/,
  verifyScore: /rate how well the passages above, taken together/,
  missingInfoQuery: /the passages above may hold only a part/,
  hypotheticalPassage: /write a passage, as it might stand in an encyclopedia/,
  answerWithCitations: /from what the passages above say and nothing else/,
  judgeClaim: /bear out the claim at the end/,
} as const;

export type ScriptedStep = keyof typeof RECOGNIZED;

export interface Line {
  step: ScriptedStep;
  /** Only for prompts that match this as well. */
  when?: RegExp;
  /** Only for the request with this seed: tells samples of one prompt apart. */
  seed?: number;
  /** What the model says, or how the provider fails. */
  say: string | Partial<Completion> | Failure;
  /** Before it says it. */
  delayMs?: number;
}

export interface Recorded {
  step: ScriptedStep;
  prompt: string;
  request: CompletionRequest;
}

export interface ScriptedModel extends LanguageModel {
  readonly requests: Recorded[];
  /** Lines nobody asked for. */
  readonly left: Line[];
}

/** Each line is said once, to the first request it fits. */
export function scriptedModel(script: readonly Line[]): ScriptedModel {
  const requests: Recorded[] = [];
  const left = [...script];
  return {
    provider: 'scripted',
    requests,
    left,
    async complete(request, signal) {
      const prompt = request.messages.map(({ content }) => content).join('\n');
      const step = stepOf(prompt);
      requests.push({ step, prompt, request });
      const next = left.findIndex(
        (line) =>
          line.step === step &&
          (line.when ?? /^/).test(prompt) &&
          (line.seed ?? request.seed) === request.seed,
      );
      const [line] = next < 0 ? [] : left.splice(next, 1);
      if (!line) throw new Failure('BadRequest', `The script has no (more) line for: ${prompt}`);
      if (line.delayMs) await wait(line.delayMs, signal);
      if (line.say instanceof Failure) throw line.say;
      return completion(typeof line.say === 'string' ? { text: line.say } : line.say);
    },
  };
}

/** The step a prompt belongs to. */
export function stepOf(prompt: string): ScriptedStep {
  for (const [step, pattern] of Object.entries(RECOGNIZED)) {
    if (pattern.test(prompt)) return step as ScriptedStep;
  }
  throw new Failure('BadRequest', `No step has this prompt: ${prompt}`);
}

function completion(said: Partial<Completion>): Completion {
  return {
    text: '',
    cut: false,
    usage: { promptTokens: 100, cachedPromptTokens: 40, completionTokens: 10 },
    costUsd: 0.001,
    servedModel: 'scripted-1',
    fingerprint: null,
    ...said,
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(signal.reason as Error);
    });
  });
}
