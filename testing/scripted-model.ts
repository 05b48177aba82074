/** A model that follows a script, records every request, and fails when asked more than its script. */
import { activityInfo } from '@temporalio/activity';
import { Failure } from '../core/failure.js';
import type { Completion, CompletionRequest, LanguageModel } from '../llm/language-model.js';
import type { StepName } from '../steps/table.js';

/** The name of a step, which is that of its activity: a shipped one, or one of your own. */
export type ScriptedStep = StepName | (string & Record<never, never>);

/** What a scripted model says, and to which request. */
export interface Line {
  step: ScriptedStep;
  /** Only for prompts that match this too. */
  when?: RegExp;
  /** Only for the request with this seed: tells samples of one prompt apart. */
  seed?: number;
  /** The model's answer, or the provider's failure. */
  say: string | Partial<Completion> | Failure;
  /** How long it waits before the answer. */
  delayMs?: number;
}

/** A request that a scripted model was asked. */
export interface Recorded {
  step: string;
  prompt: string;
  request: CompletionRequest;
  /** The place of the line in the script; undefined if there was none. */
  line?: number;
}

/** A model that says lines, and keeps what it was asked. */
export interface ScriptedModel extends LanguageModel {
  readonly requests: Recorded[];
  /** Lines nobody asked for. */
  readonly left: Line[];
}

/**
 * Returns a model that says each line once, to the first request it fits. It must be asked by a
 * worker: a step is recognised by its activity.
 */
export function scriptedModel(script: readonly Line[]): ScriptedModel {
  const requests: Recorded[] = [];
  const left = [...script];
  return {
    provider: 'scripted',
    requests,
    left,
    async complete(request, signal) {
      const prompt = request.messages.map(({ content }) => content).join('\n');
      const recorded: Recorded = { step: currentStep(), prompt, request };
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
          `The script has no (more) line for ${recorded.step}: ${prompt}`,
        );
      }
      recorded.line = script.indexOf(line);
      if (line.delayMs) await wait(line.delayMs, signal);
      if (line.say instanceof Failure) throw line.say;
      return completion(typeof line.say === 'string' ? { text: line.say } : line.say);
    },
  };
}

/** Returns the step that asks the model: the name of the running activity. */
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
