/** Judges the citations and claims of an answer, and computes scores of the verdicts. Pure. */
import type { Citation } from '../../core/citations.js';
import type { ClaimVerdict, Statement, StatementVerdict } from '../../core/metric.js';
import { harmonicMean } from '../metrics/list-answers.js';

/**
 * The parts of one answer that a judge is asked about: its statements with their citations, and
 * the reference claims that its text should entail.
 */
export interface JudgeInput {
  /** Statements to judge; null if the method does not cite. */
  statements: Statement[] | null;
  /** The passages to which the citation numbers in the answer refer. */
  citations: Citation[];
  /** The answer without its citations. */
  answer: string;
  /** Reference claims; null if the question has none. */
  claims: string[] | null;
}

/**
 * An asynchronous function that asks a judge, with one model call, whether a claim follows from a
 * premise, which is a list of passage ids or a text. Returns true or false; false also if the
 * judge's output stayed unreadable.
 */
export type Entails = (claim: string, premise: string[] | { text: string }) => Promise<boolean>;

/**
 * Returns the judge's verdicts on the statements and on the reference claims of an answer, each in
 * the order of the input; null if the input has null. Each of the `statements` has `supported` and
 * `needed` added (see `judgeStatement`), each of the `claims` is an object of the `claim` and
 * whether the answer entails it (`entailed`). All are judged in parallel.
 */
export async function judgeStatementsAndClaims(
  { statements, citations, answer, claims }: JudgeInput,
  entails: Entails,
): Promise<{ statements: StatementVerdict[] | null; claims: ClaimVerdict[] | null }> {
  // Statements cite positions, and the judge needs passage ids.
  const passageAt = (position: number) =>
    citations.find(({ number }) => number === position + 1)?.passage ?? [];
  const judge: CitationJudge = (cited, claim) => entails(claim, cited.flatMap(passageAt));
  const judgeClaim = async (claim: string) => {
    const entailed = await entails(claim, { text: answer });
    return { claim, entailed };
  };
  const [ofStatements, ofClaims] = await Promise.all([
    statements && Promise.all(statements.map((statement) => judgeStatement(statement, judge))),
    claims && Promise.all(claims.map(judgeClaim)),
  ]);
  return { statements: ofStatements, claims: ofClaims };
}

/**
 * A function that returns whether a claim follows from passages, given by their positions from 0.
 */
type CitationJudge = (cited: readonly number[], claim: string) => Promise<boolean>;

/**
 * Returns a statement with the verdict on it: `supported`, whether its citations together support
 * it, and `needed`, for each citation in order, whether it is needed. None is needed if the
 * statement is not supported. A citation of a supported one is needed if it is the only one, if
 * its passage alone entails the claim, or if the others without it do not.
 *
 * A statement without valid citations is not supported and costs no call. One with a single
 * citation, or one that is not supported, costs one call. A supported one with n citations costs at
 * most 1 + 2n; its citations are judged in parallel.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_autoais`); Gao et al., EMNLP 2023, section 4.3.
 */
export async function judgeStatement(
  statement: Statement,
  judge: CitationJudge,
): Promise<StatementVerdict> {
  const { claim, cited } = statement;
  const supported = cited.length > 0 && (await judge(cited, claim));
  if (!supported || cited.length === 1) {
    return { ...statement, supported, needed: cited.map(() => supported) };
  }
  const needed = cited.map(async (passage) => {
    if (await judge([passage], claim)) return true;
    return !(await judge(cited.toSpliced(cited.indexOf(passage), 1), claim));
  });
  return { ...statement, supported, needed: await Promise.all(needed) };
}

/**
 * Returns the fraction of an answer's statements that their citations support. An answer without
 * statements scores 0, like a missing answer (ALCE leaves such a question out of its averages).
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_autoais`).
 *
 * @param statements The answer's statements, with a judge's verdicts on their citations.
 */
export function citationRecall(statements: readonly StatementVerdict[]): number {
  return share(statements.map(({ supported }) => supported));
}

/**
 * Returns the fraction of an answer's citations that are needed; 0 if it has none.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_autoais`).
 *
 * @param statements The answer's statements, with a judge's verdicts on their citations.
 */
export function citationPrecision(statements: readonly StatementVerdict[]): number {
  return share(statements.flatMap(({ needed }) => needed));
}

/**
 * Returns the harmonic mean of citation precision and citation recall, both computed from the
 * verdicts on the statements of one answer. For a whole data set, LLatrieval takes the harmonic
 * mean of the mean precision and the mean recall instead.
 */
export function citationF1(statements: readonly StatementVerdict[]): number {
  return harmonicMean(citationPrecision(statements), citationRecall(statements));
}

/**
 * Returns the fraction of the reference claims that an answer entails; 0 if there are none.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_claims`).
 */
export function claimRecall(claims: readonly ClaimVerdict[]): number {
  return share(claims.map(({ entailed }) => entailed));
}

function share(found: readonly boolean[]): number {
  return found.length === 0 ? 0 : found.filter(Boolean).length / found.length;
}
