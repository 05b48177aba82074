/** A model that replies to the steps of SuRe and of the base reader, each after the same time. */
import { serveModel } from './mock-server.js';

/** A summary of a usual length, 600 characters. */
const SUMMARY = 'The archive of the harbour names it among the works of that year. '
  .repeat(10)
  .slice(0, 600);

serveModel(replyTo);

/** Recognises the step by words of its prompt. */
function replyTo(prompt: string): string {
  if (prompt.includes('different answers that could be the correct one')) {
    return '(a) Marta Lindqvist, (b) Otto Renner';
  }
  if (prompt.includes('supports the given prediction')) return `${SUMMARY} [DONE]`;
  if (prompt.includes('correctly support the prediction')) return 'True';
  if (prompt.includes('Passage 1 or Passage 2')) return 'Passage 1';
  if (prompt.includes('answer the question at the end')) return 'Marta Lindqvist';
  throw new Error(`The mock model does not know this prompt: ${prompt.slice(-200)}`);
}
