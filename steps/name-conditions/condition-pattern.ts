/** Finds a part of a question in it. Pure. */

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/** Finds a part of a question in any letter case, from word border to word border. */
export function conditionPattern(condition: string): RegExp {
  const literal = condition.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const within = UNSPACED.test(condition);
  return new RegExp(within ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu');
}
