/** LLatrieval (Li et al., NAACL 2024, algorithm 1). */

import { z } from 'zod';
import { between, nonEmpty, whole } from '../../../core/options/ranges.js';
import { inIdOrder } from '../../../core/passages-read.js';
import { type Conclusion, unanswered } from '../../../core/result.js';
import type { Passage } from '../../../core/vocabulary.js';
import { count, passageList, section, text } from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import { type CitedAnswer, citedAnswer, concludeCited } from '../cited-answer.js';
import { optionsOf } from '../options.js';
import {
  type Iteration,
  iterationCards,
  type LlatrievalChain,
  type Selection,
  type SupportingDocument,
  type Verification,
} from './chain.js';
import { namedDocuments, nextWindow, selectSupporting, unseen } from './progressive-selection.js';

const demonstration = z.strictObject({
  question: nonEmpty,
  passages: z
    .array(z.strictObject({ title: z.string().default(''), text: nonEmpty }))
    .max(20)
    .default([])
    .describe('what the numbers in the answer cite'),
  answer: nonEmpty,
});

/** Returns why options of the selection have no effect if all passages are taken; else false. */
function takesAll({
  iterations,
  passages,
  supporting,
}: Record<'iterations' | 'passages' | 'supporting', number>) {
  return (
    iterations === 1 &&
    passages <= supporting &&
    'all of the passages are taken, and none is selected'
  );
}

const options = optionsOf(
  {
    supporting: whole(1, 20).default(5).describe('k, supporting documents (LLatrieval 4.1: 5)'),
    passages: whole(1, 200)
      .default(50)
      .describe('N, candidates retrieved for a query (LLatrieval 4.1: 50)'),
    window: whole(2, 100)
      .default(20)
      .describe(
        'w, documents shown at a selection, the supporting ones included (LLatrieval 4.1: 20)',
      ),
    iterations: whole(1, 10).default(4).describe('T, iterations at most (LLatrieval 4.1: 4)'),
    verification: z
      .enum(['classification', 'score'])
      .default('classification')
      .describe('yes or no, or a score held against the threshold (LLatrieval 3.1, 4.2)'),
    threshold: between(0, 10)
      .default(7)
      .describe(
        'tau, the score from which on the documents pass (LLatrieval 3.1 names none: ours)',
      ),
    queryStyle: z
      .enum(['passage', 'question'])
      .default('passage')
      .describe(
        'what asks for missing information (LLatrieval 3.2; table 1: passage is the better)',
      ),
    firstQuery: z
      .enum(['question', 'hypothetical-passage'])
      .default('question')
      .describe('what the first search is made with (LLatrieval A.1: a HyDE passage for ELI5)'),
    summaries: z
      .boolean()
      .default(true)
      .describe('selects by short summaries, else by full texts (LLatrieval A.1: summaries)'),
    answerForm: z
      .enum(['prose', 'list'])
      .default('prose')
      .describe(
        'sentences, or a list of answers (ALCE: prose for ASQA and ELI5, list for QAMPARI)',
      ),
    demonstrations: z
      .array(demonstration)
      .max(5)
      .default([])
      .describe('examples of a cited answer; classification sees the first (ALCE: 2)'),
  },
  {
    refused: {
      window: ({ window, supporting }) =>
        window <= supporting &&
        'must be larger than supporting, or no new document would ever be shown',
    },
    unread: {
      threshold: ({ verification }) =>
        verification !== 'score' && 'only the verification by score has a threshold',
      queryStyle: ({ iterations }) =>
        iterations === 1 && 'a single iteration asks for nothing that is missing',
      window: takesAll,
      summaries: takesAll,
    },
  },
);

/**
 * The method `llatrieval`: retrieves until the model verifies the documents, at most T times, then
 * answers with citations ("LLatrieval: LLM-Verified Retrieval for Verifiable Generation").
 */
export const llatrieval = defineMethod({
  module: import.meta.url,
  name: 'llatrieval',
  title: 'LLatrieval: retrieval until the documents are verified, then a cited answer',
  source: 'LLatrieval (Li et al., NAACL 2024), section 3, algorithm 1, appendix A',
  options,
  passagesRead: ({ supporting, iterations }: LlatrievalChain) =>
    inIdOrder(
      iterations.flatMap(({ found }) => found),
      supporting.map(({ id }) => id),
    ),
  facts: {
    verificationPassed: ({ iterations }: LlatrievalChain) =>
      iterations.at(-1)?.verification?.passed,
    firstVerificationPassed: ({ iterations }: LlatrievalChain) =>
      iterations[0]?.verification?.passed,
    iterations: {
      of: ({ iterations }: LlatrievalChain) => iterations.length,
      most: ({ iterations }) => iterations,
    },
    mostSearches: ({ iterations }) => iterations,
    documentsSeen: {
      of: ({ documentsRead }: LlatrievalChain) => documentsRead,
      most: ({ iterations, passages }) => iterations * passages,
    },
    documentsFound: {
      of: ({ documentCandidates }: LlatrievalChain) => documentCandidates,
      most: ({ iterations, passages }) => iterations * passages,
    },
    texts: {
      summaries: ({ supporting }: LlatrievalChain) =>
        supporting.flatMap(({ summary = [] }) => summary),
    },
  },
  cites: ({ answerForm }) => answerForm,
  view(chain: LlatrievalChain) {
    const { supporting, iterations, documentsRead, citations, passed } = chain;
    const cited = new Set(citations.map(({ number }) => number));
    const summaries = new Map(supporting.map(({ id, summary }) => [id, summary]));
    const documents = passageList(supporting, ({ id }, i) => ({
      number: i + 1,
      cited: cited.has(i + 1),
      blocks: text(summaries.get(id), 'Selected by'),
    }));
    return [
      ...section('Supporting documents', documents, { note: passed ? 'verified' : 'not verified' }),
      ...section('Iterations', iterationCards(iterations), {
        note: `${iterations.length}, ${count(documentsRead, 'document')} offered`,
      }),
    ];
  },
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, k=5 N=50 w=20 T=4: ASQA 57.7/61.1, QAMPARI 24.3/34.4, ELI5 16.5/71.3 (BGE-large alone: 55.9/57.5, 17.3/24.0)',

  /**
   * Retrieves, selects the k documents that best support an answer, and verifies them. As long as
   * they do not suffice, searches for what they lack. Then answers with citations to them.
   */
  async algorithm(asked): Promise<Conclusion<LlatrievalChain>> {
    const { question, options, step, flag } = asked;
    const { supporting: k, passages: count, window, demonstrations } = options;
    const verifyStep = options.verification === 'score' ? 'verifyScore' : 'verifyClassify';
    const titles = new Map<string, string>();
    const summaries = new Map<string, Promise<string | null>>();
    const iterations: Iteration[] = [];
    let supporting: string[] = [];
    let query = await firstQuery();

    while (iterations.length < options.iterations) {
      if (supporting.length > 0) query = await missingInfoQuery();
      const found = await step.retrieve({ query, count });
      const candidates = unseen(found, titles);
      for (const { id, title } of candidates) titles.set(id, title);

      const selections = await selectFrom(candidates.map(({ id }) => id));
      const verification = supporting.length > 0 ? await verify() : null;
      iterations.push({ query, found, selections, verification });
      // Without documents nothing can be missing, and the next search would be the same.
      if (verification === null || verification.passed) break;
    }
    return supporting.length > 0
      ? answer()
      : unanswered('unknown', [], await chainOf({ reading: null, citations: [] }));

    async function firstQuery(): Promise<string> {
      if (options.firstQuery === 'question') return question;
      return (await step.hypotheticalPassage({ question })) ?? question;
    }

    async function missingInfoQuery(): Promise<string> {
      const style = options.queryStyle;
      const missing = await step.missingInfoQuery({ question, passages: supporting, style });
      return missing ?? question;
    }

    /** Selects progressively: lines 8 to 10. No window waits for the summaries of a later one. */
    async function selectFrom(candidates: string[]): Promise<Selection[]> {
      const asked = options.summaries && supporting.length + candidates.length > k;
      const [selections] = await Promise.all([
        slideOver(candidates),
        ...(asked ? candidates.map(summaryOf) : []),
      ]);
      return selections;
    }

    async function slideOver(candidates: string[]): Promise<Selection[]> {
      const selections: Selection[] = [];
      for (let waiting = candidates; waiting.length > 0; ) {
        const next = nextWindow(supporting, waiting, window);
        waiting = waiting.slice(next.length);
        const named = await select([...supporting, ...next], selections.length + 1);
        supporting = selectSupporting(supporting, next, named ?? [], k);
        selections.push({ candidates: next, named, supporting });
      }
      return selections;
    }

    /** Returns the selected numbers; null if there are at most k, so that all are taken. */
    async function select(shown: string[], selection: number): Promise<number[] | null> {
      if (shown.length <= k) return null;
      const iteration = iterations.length + 1;
      const documents = await Promise.all(shown.map(shortForm));
      const named = await step.selectDocuments({
        question,
        count: k,
        documents,
        iteration,
        selection,
      });
      const chosen = namedDocuments(shown, named).length;
      if (chosen < k) {
        const where = `selection ${selection} of iteration ${iteration}`;
        flag('fewerSelected', 'selectDocuments', `${chosen} of ${k}, ${where}`);
      }
      return named;
    }

    /** Returns the document as a selection shows it: its summary, or its id for the full text. */
    async function shortForm(id: string): Promise<string | Passage> {
      const text = options.summaries ? await summaryOf(id) : null;
      return text === null ? id : { id, title: titles.get(id) ?? '', text };
    }

    function summaryOf(passage: string): Promise<string | null> {
      const summary = summaries.get(passage) ?? step.summarizeDocument({ question, passage });
      summaries.set(passage, summary);
      return summary;
    }

    async function verify(): Promise<Verification> {
      const documents = { question, passages: supporting };
      if (options.verification === 'score') {
        const score = await step.verifyScore(documents);
        return { passed: score !== null && score >= options.threshold, score };
      }
      const [demonstration = null] = demonstrations;
      return { passed: (await step.verifyClassify({ ...documents, demonstration })) === true };
    }

    async function answer(): Promise<Conclusion<LlatrievalChain>> {
      const { verification } = iterations.at(-1) ?? {};
      if (!verification?.passed) {
        flag('notVerified', verifyStep, `after ${iterations.length} of ${options.iterations}`);
      }
      const { answerForm } = options;
      const cited = await citedAnswer(asked, supporting, answerForm, demonstrations);
      const conclusion = concludeCited(cited, supporting, await chainOf(cited));
      const score = verification?.score;
      return typeof score === 'number' && cited.reading !== null
        ? { ...conclusion, confidence: score / 10 }
        : conclusion;
    }

    async function chainOf({
      reading,
      citations,
    }: Pick<CitedAnswer, 'reading' | 'citations'>): Promise<LlatrievalChain> {
      return {
        supporting: await Promise.all(supporting.map(described)),
        iterations,
        passed: iterations.at(-1)?.verification?.passed ?? false,
        documentsRead: titles.size,
        documentCandidates: iterations.reduce((sum, { found }) => sum + found.length, 0),
        reading,
        citations,
      };
    }

    async function described(id: string): Promise<SupportingDocument> {
      const summary = await summaries.get(id);
      const title = titles.get(id) ?? '';
      return typeof summary === 'string' ? { id, title, summary } : { id, title };
    }
  },
});
