/** The steps of GenRead (Yu et al., ICLR 2023). */
import type { QuestionDocument } from '../core/demonstration-sets.js';
import type { Task } from '../core/task.js';
import type { Passage } from '../core/vocabulary.js';
import { defineStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { choice } from './outputs/choice.js';
import { shortAnswer } from './outputs/short-answer.js';
import { text } from './outputs/text.js';
import { wrapInTags } from './rendering.js';

/**
 * The input of the step that generates a background document: its subject, its task, and how it is
 * generated.
 */
export interface GenerateDocumentInput extends DocumentPlan {
  /** The question, sub-query, claim or utterance that the document is about. */
  query: string;
  /** Task; dialogue has the prompt of openQA (GenRead B.1.2). @default 'openQA' */
  task?: Task;
  /** Set for a short document, as in ALLIES (C.4); GenRead sets no length (B.1.2). */
  short?: true;
}

/**
 * The way in which a document is generated: as one of several samples, by one of the human
 * prompts, or by demonstrations. With no field set: by the zero-shot prompt.
 */
export interface DocumentPlan {
  /** Number of the sample of the same prompt, from 1. */
  sample?: number;
  /** Number of the human prompt, from 1. */
  humanPrompt?: number;
  /** The demonstration set, and its cluster, from 0, whose question-document pairs are shown. */
  demonstrations?: { set: string; cluster: number };
}

/**
 * Number of GenRead's diverse human prompts: 10 (table 21). The first of them is the zero-shot
 * prompt.
 */
export const HUMAN_PROMPTS = 10;

/**
 * Declaration of step 1 of GenRead: writes a background document from the model's knowledge
 * (GenRead 3.1, 3.2; ALLIES 4.3, Retrieve'). Its output is the text; empty if the model's reply
 * stayed unreadable. A document that is cut at the token limit is used as it is.
 */
export const generateDocument = defineStep<GenerateDocumentInput, string>({
  name: 'generateDocument',
  label: (input) => `${planLabel(input)}for "${input.query}"`,
  prompt: { among: prompts(), of: promptFor },
  maxTokens: 300,
  // Nucleus sampling only: the paper names p but no temperature (GenRead 3.2, footnote 1).
  sampling: ({ sample }) =>
    sample === undefined ? { temperature: 0 } : { temperature: 1, topP: 0.95 },
  sample: ({ sample = 0 }) => sample,
  async kept({ demonstrations, task }, { demonstrationSets }): Promise<Record<string, string>> {
    if (!demonstrations) return {};
    const pairs = await demonstrationSets.pairs(demonstrations.set, demonstrations.cluster);
    return { demonstrations: renderDocumentExamples(pairs, task) };
  },
  output: text({ form: 'the document only', label: '(?:background )?document', cut: 'stands' }),
  fallback: () => '',
});

function planLabel({ sample, humanPrompt, demonstrations }: DocumentPlan): string {
  if (sample !== undefined) return `sample ${sample} `;
  if (humanPrompt !== undefined) return `prompt ${humanPrompt} `;
  return demonstrations ? `cluster ${demonstrations.cluster + 1} ` : '';
}

function prompts(): string[] {
  const human = Array.from({ length: HUMAN_PROMPTS - 1 }, (_, i) => `generate-document-${i + 2}`);
  const names = ['generate-document', 'generate-document-for-claim'];
  const byExample = names.map((name) => `${name}-by-example`);
  return [...names, ...byExample, ...human, 'generate-short-document'];
}

function promptFor({
  task,
  humanPrompt = 1,
  demonstrations,
  short,
}: GenerateDocumentInput): string {
  if (short) return 'generate-short-document';
  const name = task === 'factChecking' ? 'generate-document-for-claim' : 'generate-document';
  if (demonstrations) return `${name}-by-example`;
  return humanPrompt === 1 ? name : `${name}-${humanPrompt}`;
}

/** Returns question-document pairs as text for a prompt, each in numbered `<example>` tags. */
export function renderDocumentExamples(pairs: readonly QuestionDocument[], task?: Task): string {
  const label = task === 'factChecking' ? 'Statement' : 'Question';
  const texts = pairs.map(
    ({ question, document }) => `${label}: ${question}\nDocument: ${document}`,
  );
  return wrapInTags(texts, 'example');
}

/**
 * The texts that GenRead's readers are shown: retrieved passages, by id, and the texts of
 * generated documents; either list may be empty.
 */
export interface Background {
  /** Ids of the retrieved passages, in the order shown. */
  passages: string[];
  /** Texts of generated documents, shown after the passages. */
  documents: string[];
}

/**
 * The common part of the readers' declarations. A generated document is shown like a passage
 * (GenRead 4.3.1), on one line as in the authors' run.
 */
const reading = {
  label: ({ documents, passages }: Background) =>
    `${documents.length} documents, ${passages.length} passages`,
  passages({ passages, documents }: Background): (string | Passage)[] {
    const generated = documents.map((document, i) => ({
      id: `document-${i + 1}`,
      title: '',
      text: document.replace(/\s*\n\s*/g, ' '),
    }));
    return [...passages, ...generated];
  },
};

const answer = shortAnswer();

/**
 * Declaration of step 2 of GenRead for questions: answers from the documents (GenRead 3.1,
 * appendix B.1.3), by reader prompt 1, 2 or 3. Its output is a short answer, "unknown" if the
 * model does not know; null if the model's reply stayed unreadable. It has ten tokens as in the
 * authors' run, and more if the answer is cut.
 */
export const readBackground = defineStep<
  Background & { question: string; readerPrompt: number },
  string | null
>({
  name: 'readBackground',
  ...reading,
  prompt: {
    among: ['read-background-1', 'read-background-2', 'read-background-3'],
    of: ({ readerPrompt }) => `read-background-${readerPrompt}`,
  },
  maxTokens: 10,
  output: answer,
  fallback(output) {
    const whole = { ...output, cut: false };
    return answer.read(whole) ?? answer.long?.(whole) ?? null;
  },
  oracle: (_, gold) => shownAnswer(gold),
});

/** The verdict on a claim, as data sets label claims; unknown if the model does not know. */
type ClaimVerdict = 'supports' | 'refutes' | 'unknown';

/**
 * Declaration of step 2 of GenRead for claims: decides whether the documents support or refute a
 * claim (GenRead 3.1, appendix B.1.3). Its output is 'supports', 'refutes' or 'unknown'; null if
 * the model's reply stayed unreadable.
 */
export const checkClaim = defineStep<Background & { claim: string }, ClaimVerdict | null>({
  name: 'checkClaim',
  ...reading,
  prompt: 'check-claim',
  maxTokens: 10,
  output: choice<ClaimVerdict>(
    [
      { value: 'supports', wordings: ['True', 'Yes', 'Supports', 'Supported'] },
      { value: 'refutes', wordings: ['False', 'No', 'Refutes', 'Refuted'] },
    ],
    {
      label: 'answer|verdict',
      subject: '(?:the|this) (?:claim|statement)',
      form: 'one word, True or False',
      unknown: 'unknown',
    },
  ),
  costliest: () => 'supports',
});

/**
 * Declaration of step 2 of GenRead for dialogue: replies to an utterance from the documents
 * (GenRead 3.1, appendix B.1.3). Its output is the reply; null if the model's reply stayed
 * unreadable. It has at most fifty tokens as in the authors' run; a cut reply is used as it is.
 */
export const reply = defineStep<Background & { utterance: string }, string | null>({
  name: 'reply',
  ...reading,
  prompt: 'reply',
  maxTokens: 50,
  output: text({
    form: 'your turn in the conversation',
    label: 'reply|answer',
    cut: 'stands',
    mayRefuse: true,
  }),
});
