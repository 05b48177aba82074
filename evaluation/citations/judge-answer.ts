import type { Citation } from '../../core/citations.js';
import type { ClaimVerdict, Statement, StatementVerdict } from '../../core/metric.js';
import { judgeStatement } from './judge.js';

export interface ToJudge {
  /** Null where the answer was not to cite. */
  statements: Statement[] | null;
  /** What the numbers in the answer stand for. */
  citations: Citation[];
  /** The answer without its citations. */
  answer: string;
  /** Null where the question has no reference claims. */
  claims: string[] | null;
}

/** Whether a claim follows from passages, by their ids, or from a text; one call. */
export type Entails = (claim: string, premise: string[] | { text: string }) => Promise<boolean>;

export interface AnswerVerdicts {
  statements: StatementVerdict[] | null;
  claims: ClaimVerdict[] | null;
}

/** Asks about all statements and claims of an answer, none waiting for another. */
export async function judgeWhole(task: ToJudge, entails: Entails): Promise<AnswerVerdicts> {
  const [statements, claims] = await Promise.all([
    judgeCitations(task, entails),
    judgeClaims(task, entails),
  ]);
  return { statements, claims };
}

/** Statements name what they cite by position; the judge is shown the passages' ids. */
async function judgeCitations(
  { statements, citations }: ToJudge,
  entails: Entails,
): Promise<StatementVerdict[] | null> {
  if (statements === null) return null;
  const idsOf = (cited: readonly number[]) =>
    cited.flatMap(
      (position) => citations.find(({ number }) => number === position + 1)?.passage ?? [],
    );
  const judge = (cited: readonly number[], claim: string) => entails(claim, idsOf(cited));
  return Promise.all(statements.map((statement) => judgeStatement(statement, judge)));
}

async function judgeClaims(
  { claims, answer }: ToJudge,
  entails: Entails,
): Promise<ClaimVerdict[] | null> {
  if (claims === null) return null;
  return Promise.all(
    claims.map(async (claim) => ({ claim, entailed: await entails(claim, { text: answer }) })),
  );
}
