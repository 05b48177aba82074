/** GenRead as a workflow (Yu et al., ICLR 2023, section 3). */
import { answered, unanswered } from '../../core/result.js';
import type { DocumentPlan } from '../../steps/genread.js';
import type { DemonstrationSetRef } from '../../steps/other.js';
import type { AlgorithmOf } from '../define-method.js';
import type { GeneratedDocument, GenreadOptions, genreadMethod } from './method.js';

/**
 * Writes documents on the question from what the model knows, in parallel with a search if passages
 * are asked for, then reads them together.
 */
export const genread: AlgorithmOf<typeof genreadMethod> = async (asked) => {
  const { question, options, step, flag } = asked;
  const { task, passages: count, readerPrompt, demonstrationSet } = options;
  const set = demonstrationSet ? await step.demonstrationSet({ name: demonstrationSet }) : null;
  const plans = planDocuments(options, set);
  const [texts, retrieved] = await Promise.all([
    Promise.all(plans.map((plan) => step.generateDocument({ query: question, task, ...plan }))),
    count === 0 ? [] : step.retrieve({ query: question, count }),
  ]);

  const documents = generatedDocuments(plans, texts);
  if (documents.length < documentCount(options)) {
    flag('fewerDocuments', 'generateDocument', `${documents.length} of ${documentCount(options)}`);
  }
  const passages = retrieved.map(({ id }) => id);
  const background = { passages, documents: documents.map(({ text }) => text) };
  const reading = await read();

  const chain = {
    documents,
    passages: retrieved,
    demonstrationSet: set?.id ?? null,
    reading,
  };
  if (reading === null) return unanswered('unreadable', passages, chain);
  // Every reply is an answer, also "I do not know him".
  return task === 'dialogue'
    ? { outcome: 'answered', answer: reading, evidence: passages, chain }
    : answered(reading, passages, chain);

  function read(): Promise<string | null> {
    switch (task) {
      case 'openQA':
        return step.readBackground({ ...background, question, readerPrompt });
      case 'factChecking':
        return step.checkClaim({ ...background, claim: question });
      case 'dialogue':
        return step.reply({ ...background, utterance: question });
    }
  }
};

/** Documents of one kind that the paper's reader got (GenRead 4.2.1). */
const DOCUMENTS = 10;

/** Returns how many documents are asked for. */
export function documentCount({
  generation,
  documents,
}: Pick<GenreadOptions, 'documents' | 'generation'>): number {
  return documents ?? (generation === 'zeroShot' ? 1 : DOCUMENTS);
}

/** Returns one plan for each document (GenRead 3.1, 3.2); the order decides ties and Recall@K. */
export function planDocuments(
  chosen: GenreadOptions,
  set: DemonstrationSetRef | null,
): DocumentPlan[] {
  const numbers = Array.from({ length: documentCount(chosen) }, (_, i) => i + 1);
  switch (chosen.generation) {
    case 'zeroShot':
      return [{}];
    case 'sampled':
      return numbers.map((sample) => ({ sample }));
    case 'humanPrompts':
      return numbers.map((humanPrompt) => ({ humanPrompt }));
    case 'clustered':
      return set === null
        ? []
        : numbers.slice(0, set.clusters).map((number) => ({
            demonstrations: { set: set.id, cluster: number - 1 },
          }));
  }
}

/** Pairs the plans with their documents; an unreadable document is left out. */
export function generatedDocuments(
  plans: readonly DocumentPlan[],
  texts: readonly string[],
): GeneratedDocument[] {
  return plans.flatMap(({ demonstrations, ...plan }, i) => {
    const text = texts[i] ?? '';
    if (text === '') return [];
    return [{ text, ...plan, ...(demonstrations ? { cluster: demonstrations.cluster } : {}) }];
  });
}
