/** The document of a train question, generated (GenRead 3.2.2, step 1). */

import type { Task } from '../../methods/task.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import { generateDocument } from '../../steps/generate-document/implementation.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { modelActivity } from '../runtime/run-model-step.js';
import { type OnPage, readQuestion } from './pages.js';

/** The id of the document is the value; null when it could not be read. */
export type DraftDocumentActivity = (
  input: OnPage & { task: Task },
  call: SentCall,
) => Promise<StepOutput<string | null>>;

/** As the step `generateDocument`, with the question read from the store and the text put there. */
export function draftDocumentActivity(ports: Ports): DraftDocumentActivity {
  const generate = modelActivity(generateDocument, ports);
  return async ({ page, k, task }, call) => {
    const query = await providerCall(call, () => readQuestion(ports.texts, { page, k }));
    const output = await generate({ query, task }, call);
    return providerCall(call, () => draftOutput(output, ports.texts));
  };
}

/** The output with its text in the store. */
export async function draftOutput(
  { ref: _, ...output }: StepOutput<string>,
  texts: Ports['texts'],
): Promise<StepOutput<string | null>> {
  return { ...output, value: output.value === '' ? null : await texts.put(output.value) };
}
