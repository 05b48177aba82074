/** A language model for tests, which replies by a script and records its requests. */
import { activityInfo } from '@temporalio/activity';
import { Failure } from '../core/failure.js';
import type { Completion, CompletionRequest, LanguageModel } from '../llm/language-model.js';
import type { StepName } from '../steps/table.js';

/**
 * The name of a step to whose requests a scripted model replies: a shipped or custom one. It is
 * also the name of the step's activity.
 */
export type ScriptedStep = StepName | (string & Record<never, never>);

/** A reply of a scripted model, and the conditions on the request to which it is given. */
export interface ScriptedReply {
  /** Name of the step that sends the request. */
  step: ScriptedStep;
  /** Pattern that the prompt must match. @default any prompt */
  when?: RegExp;
  /** Seed that the request must have, to distinguish samples of one prompt. @default any seed */
  seed?: number;
  /** The model's answer, or the provider's failure. */
  say: string | Partial<Completion> | Failure;
  /** Delay before the answer, in milliseconds. */
  delayMs?: number;
}

/** A request that a scripted model received. */
export interface RecordedRequest {
  /** Name of the step that sent it. */
  step: string;
  /** The contents of its messages, one per line. */
  prompt: string;
  request: CompletionRequest;
  /** Position of the reply in the script, from 0; undefined if no reply fits. */
  line?: number;
}

/** A language model that replies by a script and records its requests. */
export interface ScriptedModel extends LanguageModel {
  /** The requests received so far, in order. */
  readonly requests: RecordedRequest[];
  /** The replies that have not been used. */
  readonly left: ScriptedReply[];
}

/**
 * Returns a model that gives each reply once: to the first request that it fits. It can be called
 * only within an activity, whose name is taken as the step's.
 *
 * `complete` throws Failure BadRequest if no reply fits.
 */
export function scriptedModel(script: readonly ScriptedReply[]): ScriptedModel {
  const requests: RecordedRequest[] = [];
  const left = [...script];
  return {
    provider: 'scripted',
    requests,
    left,
    async complete(request, signal) {
      const prompt = request.messages.map(({ content }) => content).join('\n');
      const recorded: RecordedRequest = { step: currentStep(), prompt, request };
      requests.push(recorded);
      const next = left.findIndex(
        (line) =>
          line.step === recorded.step &&
          (line.when ?? /^/).test(prompt) &&
          (line.seed ?? request.seed) === request.seed,
      );
      const [line] = next < 0 ? [] : left.splice(next, 1);
      if (!line) {
        throw new Failure(
          'BadRequest',
          `The script has no reply left for ${recorded.step}: ${prompt}`,
        );
      }
      recorded.line = script.indexOf(line);
      if (line.delayMs) await wait(line.delayMs, signal);
      if (line.say instanceof Failure) throw line.say;
      return completion(typeof line.say === 'string' ? { text: line.say } : line.say);
    },
  };
}

/**
 * Returns the name of the running activity, which is that of its step; throws outside an activity.
 */
export function currentStep(): string {
  return activityInfo().activityType;
}

function completion(said: Partial<Completion>): Completion {
  return {
    text: '',
    end: 'finished',
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
