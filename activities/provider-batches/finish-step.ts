/** What an activity gives back whose completion came by batch. */

import { CALL_DEFAULTS } from '../../core/call-defaults.js';
import type { Completion } from '../../llm/language-model.js';
import type { StepOutput } from '../../steps/call.js';
import type { ModelStep } from '../../steps/define.js';
import { modelSteps } from '../../steps/table.js';
import { draftOutput } from '../jobs/draft-document.js';
import type { Ports } from '../runtime/ports.js';
import { unknownWords } from '../runtime/render-prompt.js';
import { tellingFaults } from '../runtime/step-faults.js';
import { type AnsweredCall, stepOutput } from '../runtime/step-output.js';
import type { Waiter } from './records.js';

/** As the activity itself would have read it. */
export async function finishStep(
  { step: name, input, call, prompt }: Waiter,
  completion: Completion,
  { key, cached }: Pick<AnsweredCall, 'key' | 'cached'>,
  { prompts, steps, texts }: Pick<Ports, 'prompts' | 'steps' | 'texts'>,
): Promise<StepOutput<unknown>> {
  const unknown = await unknownWords(call.prompts ?? CALL_DEFAULTS.prompts, prompts);
  const answered = { unknown, form: call.form, prompt, key, cached };
  if (name === 'draftDocument') {
    const output = stepOutput(modelSteps.generateDocument, input as never, completion, answered);
    return draftOutput(output, texts);
  }
  const step = steps[name] ?? modelSteps[name as keyof typeof modelSteps];
  const telling = tellingFaults(name, step as ModelStep<unknown, unknown>);
  return stepOutput(telling, input, completion, answered);
}
