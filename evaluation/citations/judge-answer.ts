/** Judges the citations and claims of an answer, and computes scores of the verdicts. Pure. */
import type { Citation } from '../../core/citations.js';
import type { ClaimVerdict, Statement, StatementVerdict } from '../../core/metric.js';
import { harmonicMean } from '../metrics/list-answers.js';

/** The parts of an answer that a judge is asked about. */
export interface JudgeInput {
  /** Statements to judge; null if the answer did not have to cite. */
  statements: Statement[] | null;
  /** The passages that the citation numbers in the answer refer to. */
  citations: Citation[];
  /** The answer without its citations. */
  answer: string;
  /** Reference claims; null if the question has none. */
  claims: string[] | null;
}

/** Tells by one model call whether a claim follows from passages, given by id, or from a text. */
export type Entails = (claim: string, premise: string[] | { text: string }) => Promise<boolean>;

/**
 * Returns the verdicts on all statements and claims of an answer; null for those that are null. All
 * are judged in parallel.
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
 * Tells whether a claim follows from passages, given by their positions from 0.
 */
type CitationJudge = (cited: readonly number[], claim: string) => Promise<boolean>;

/**
 * Returns the verdict on a statement. A statement without valid citations costs no call and is not
 * supported. One with a single citation costs one call; one with n costs one call if it is not
 * supported, else at most 1 + 2n. The citations are judged in parallel.
 *
 * A citation is needed if its passage alone entails the claim, or the others without it do not.
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
 * Returns the share of statements that their citations support. An answer without statements scores
 * 0, like a missing answer (ALCE leaves such a question out of its averages).
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_autoais`).
 */
export function citationRecall(statements: readonly StatementVerdict[]): number {
  return share(statements.map(({ supported }) => supported));
}

/**
 * Returns the share of citations that are needed; 0 without citations.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_autoais`).
 */
export function citationPrecision(statements: readonly StatementVerdict[]): number {
  return share(statements.flatMap(({ needed }) => needed));
}

/**
 * Returns the F1 of an answer's citation recall and precision. Over a data set, ALCE takes the
 * means of recall and precision, and LLatrieval's citation F1 is the `harmonicMean` of those two.
 */
export function citationF1(statements: readonly StatementVerdict[]): number {
  return harmonicMean(citationPrecision(statements), citationRecall(statements));
}

/**
 * Returns the share of the reference claims that an answer entails, without its citations.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_claims`).
 */
export function claimRecall(claims: readonly ClaimVerdict[]): number {
  return share(claims.map(({ entailed }) => entailed));
}

function share(found: readonly boolean[]): number {
  return found.length === 0 ? 0 : found.filter(Boolean).length / found.length;
}
