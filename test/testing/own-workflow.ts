/** A method of one's own, as the package that has it exports its workflow. */
import { answered, questionWorkflow, unanswered } from 'durable-rag/workflows';

/** Names its step: an imported one would bring its prompt and its parser along. */
const confirm = {
  name: 'confirm',
  label: () => 'has much to say of what it confirms '.repeat(100),
};

export const confirmed = questionWorkflow<object, object>(
  'confirmed',
  async ({ question, step, ask }) => {
    const found = await step.retrieve({ query: question, count: 2 });
    const passages = found.map(({ id }) => id);
    const reading = await step.read({ question, passages, demonstrations: [] });
    const isSure = await ask<{ question: string }, boolean>(confirm, { question });
    const chain = { found, reading };
    return isSure && reading !== null
      ? answered(reading, passages, chain)
      : unanswered('unknown', passages, chain);
  },
);
