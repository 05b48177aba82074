/** Metrics of the package that a run uses only if it names them. Pure. */
import { defineMetric, type OwnMetric } from '../../core/metric.js';

/** List of those metrics of this package that a run uses only if its `metrics` name them. */
export const OPTIONAL_METRICS: readonly OwnMetric[] = [
  /** Source: SuRe (Kim et al., ICLR 2024), table 7, after Kamalloo et al., ACL 2023. */
  defineMetric({
    from: 'rubric',
    name: 'llmAccuracy',
    title: 'LLM accuracy',
    applies: ({ answerKind, answers, answerable }) =>
      answerKind !== 'long' && answers.length > 0 && answerable !== false,
    scale: 'yesNo',
    prompt: {
      name: 'llm-accuracy',
      text: `Task: decide whether the answer below is a correct answer to the question. The answers that are known to be correct are given; there is more than one if it can be put in several ways. The answer is correct if it means the same as one of them, however it is worded and however much it says beside. It is not correct if it names something else, contradicts them, leaves the question open, or is vaguer than the question allows. Reply with one word, Yes or No.

Question: {{question}}
Known to be correct: {{goldAnswers}}
Answer: {{answer}}
Is the answer correct?
=== again ===
Your last reply could not be read. Reply with one word, Yes or No.
`,
    },
  }),
];
