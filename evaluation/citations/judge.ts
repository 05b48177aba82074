import type { Statement, StatementVerdict } from '../../core/metric.js';

/** Whether a claim follows from passages, named by their positions: nothing but numbers travels. */
export type CitationJudge = (cited: readonly number[], claim: string) => Promise<boolean>;

/**
 * Judges one statement. A statement without citations that exist costs no call and is not
 * supported; one with a single citation costs one call; one with n costs 1 when not supported,
 * else at most 1 + 2n. The calls of different citations do not wait for each other.
 *
 * A citation is needed when its passage alone entails the claim, or the others without it do not.
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
