/** A model that says what a test makes of its prompt. */
import type { Completion, CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import { currentStep, type ScriptedStep } from '../../testing/scripted-model.js';
import { completionOf } from './completion.js';

export interface Asked {
  /** Its messages, as one text. */
  prompt: string;
  step: ScriptedStep;
  request: CompletionRequest;
  signal: AbortSignal;
}

type Says = string | Partial<Completion>;

export function modelThatSays(
  say: (asked: Asked) => Says | Promise<Says>,
  provider = 'scripted',
): LanguageModel {
  return {
    provider,
    async complete(request, signal) {
      const prompt = request.messages.map(({ content }) => content).join('\n');
      return completionOf(await say({ prompt, step: currentStep(), request, signal }));
    },
  };
}
