/** The question-document pairs of a run, as a clustering job takes them (GenRead 3.2.2, step 1). */

import type { QuestionDocument } from '../../core/demonstration-sets.js';
import { hasAnswer } from '../../core/normalize-answer.js';
import { answerSources } from '../../core/passages-read.js';
import type { MethodResult } from '../../core/result.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import type { EmbeddedPage, PairsOnPage } from '../../workflows/activities/clusters.js';
import type { LeftOut } from '../../workflows/cluster-job.js';
import { passageTexts } from '../run/passage-texts.js';
import { manifestOf } from '../run/run-of.js';
import type { Ports } from '../runtime/ports.js';

export type PairPorts = Pick<Ports, 'corpora' | 'methods' | 'passages' | 'runs'>;

/** A question of a run with its document, or the reason why it has none. */
interface Paired {
  pair: QuestionDocument | keyof LeftOut;
  /** Place of the next question. */
  next: number;
}

/**
 * Yields the questions of a run from the place `from` on, each paired with its document, or with
 * the reason why it has none.
 */
export async function* runPairs(
  { run, from, onlyWithAnswer }: PairsOnPage,
  ports: PairPorts,
): AsyncGenerator<Paired> {
  const manifest = await manifestOf(run, ports.runs);
  const { texts } = passageTexts(ports.corpora, ports.passages);
  for await (const { question, next } of ports.runs.questions(run, from)) {
    yield { pair: await pairOf(question), next };
  }

  async function pairOf({ id, question, answers }: RunQuestion): Promise<Paired['pair']> {
    const result = (await ports.runs.get(run, id))?.result;
    if (!result || result.outcome === 'failed') return 'failed';
    const document = (await documentOf(result)).replace(/\s+/g, ' ').trim();
    if (document === '') return 'empty';
    if (onlyWithAnswer && !hasAnswer(document, answers)) return 'withoutAnswer';
    return { question, document };
  }

  /** Returns the first document that the model wrote for the question, else its best passage. */
  async function documentOf(result: MethodResult): Promise<string> {
    const sources = answerSources(result, ports.methods);
    if (sources === undefined || sources === 'unknown') return '';
    const [written] = sources.documents;
    const [best] = sources.passages;
    if (written !== undefined || !best) return written ?? '';
    return (await texts(manifest, [best.id])).get(best.id) ?? '';
  }
}

/** Pairs embedded in one request. */
const EMBEDDED_AT_ONCE = 50;

/**
 * Returns the next question-document pairs of a run, at most 50, which one request embeds. Also
 * returns the number of questions read for them, and the place of the next question; null at the
 * end of the run.
 */
export async function pairsToEmbed(
  from: PairsOnPage,
  ports: PairPorts,
): Promise<EmbeddedPage & { pairs: QuestionDocument[] }> {
  const pairs: QuestionDocument[] = [];
  let questions = 0;
  for await (const { pair, next } of runPairs(from, ports)) {
    questions++;
    if (typeof pair === 'object') pairs.push(pair);
    if (pairs.length === EMBEDDED_AT_ONCE) return { pairs, questions, next };
  }
  return { pairs, questions, next: null };
}

/**
 * Returns the text of a pair to embed: question and document on one line (GenRead 3.2.2, step 2).
 */
export function pairText({ question, document }: QuestionDocument): string {
  return `${question} ${document}`.replace(/\s+/g, ' ').trim();
}
