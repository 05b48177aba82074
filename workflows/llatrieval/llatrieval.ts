/** LLatrieval as a workflow (Li et al., NAACL 2024, algorithm 1). */

import { type Conclusion, unanswered } from '../../core/result.js';
import type { Passage } from '../../core/vocabulary.js';
import { type CitedAnswer, citedAnswer, concludeCited } from '../cited-answer.js';
import type { AlgorithmOf } from '../define-method.js';
import type {
  Iteration,
  LlatrievalChain,
  llatrievalMethod,
  Selection,
  SupportingDocument,
  Verification,
} from './method.js';
import { namedDocuments, nextWindow, selectSupporting, unseen } from './progressive-selection.js';

/**
 * Retrieves, selects the k documents that best support an answer, and verifies them; as long as
 * they do not suffice, searches for what they lack. Then answers with citations to them.
 */
export const llatrieval: AlgorithmOf<typeof llatrievalMethod> = async (asked) => {
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
    // Without documents nothing can be missing: the next search would be the same.
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

  /** Progressive selection: lines 8 to 10. No window waits for the summaries of a later one. */
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

  /** Returns the selected numbers; null when there are no more than k, so that all are taken. */
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

  /** Returns what a selection shows of a document: its summary, else all of it. */
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
};
