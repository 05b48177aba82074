import type { StepOutput } from '../../steps/call.js';
import { generateDocument } from '../../steps/generate-document.js';
import type { PaidClusterActivities } from '../../workflows/activities/clusters.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { modelActivity } from '../runtime/run-model-step.js';
import { readQuestion } from './pages.js';

/** As the step `generateDocument`, with the question read from the store and the text put there. */
export function draftDocumentActivity(ports: Ports): PaidClusterActivities['draftDocument'] {
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
