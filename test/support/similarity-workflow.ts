/** A method for the tests of the embedding steps: retrieves, and reranks what came. */
import { z } from 'zod';
import { answered } from '../../methods/result.js';
import { questionWorkflow } from '../../workflows/question-workflow.js';

const options = z.strictObject({ text: z.string(), count: z.int() });

export const similarity = questionWorkflow(
  {
    name: 'similarity',
    title: 'Similarity',
    source: 'none',
    options,
    callsFormula: '1',
    calls: () => 1,
    figures: 'none',
  },
  async ({ question, options: { text, count }, step }) => {
    const retrieved = await step.retrieve({ query: question, count: 10 });
    const passages = retrieved.map(({ id }) => id);
    const ranked = await step.rankBySimilarity({ text, passages, count });
    const keys = await step.embedTexts({ texts: [text] });
    return answered(ranked[0]?.title ?? '', passages, { retrieved, ranked, keys });
  },
);
