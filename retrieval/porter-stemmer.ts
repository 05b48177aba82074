/** Stems of words that the rules would stem wrongly. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ...['sky', 'skies'].map((word) => [word, 'sky'] as const),
  ...['inning', 'innings'].map((word) => [word, 'inning'] as const),
  ...['outing', 'outings'].map((word) => [word, 'outing'] as const),
  ...['canning', 'cannings'].map((word) => [word, 'canning'] as const),
  ...['dying', 'lying', 'tying'].map((word) => [word, `${word.charAt(0)}ie`] as const),
  ...['news', 'howe', 'proceed', 'exceed', 'succeed'].map((word) => [word, word] as const),
]);

/**
 * Returns the stem of an English word, which must be lower-case ASCII.
 *
 * Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with Porter's
 * later corrections and those of NLTK's PorterStemmer in its default mode.
 *
 * @example porterStem('relational') // 'relat'
 */
export function porterStem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length <= 2) return word;
  const stem = yToI(pastOrGerund(plural(word)));
  return doubleL(finalE(strip(strip(secondSuffix(stem), STEP_3, 0), STEP_4, 1)));
}

/** Step 1a. */
function plural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return word.slice(0, word.length === 4 ? -1 : -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Step 1b. */
function pastOrGerund(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length === 4 ? -1 : -2);
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const stem = ['ed', 'ing']
    .filter((suffix) => word.endsWith(suffix))
    .map((suffix) => word.slice(0, -suffix.length))
    .find((left) => shape(left).includes('v'));
  if (stem === undefined) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

/** Step 1c: only after a consonant, so that "enjoy" stays. */
function yToI(word: string): string {
  return word.endsWith('y') && word.length > 2 && shape(word.slice(0, -1)).endsWith('c')
    ? `${word.slice(0, -1)}i`
    : word;
}

type Rules = readonly (readonly [suffix: string, replacement: string])[];

/** "suffix replacement, suffix replacement". */
function rules(list: string): Rules {
  return list.split(/,\s*/).map((rule) => {
    const [suffix = '', replacement = ''] = rule.split(' ');
    return [suffix, replacement];
  });
}

const STEP_2 = rules(
  `ational ate, tional tion, enci ence, anci ance, izer ize, bli ble, alli al, entli ent, eli e,
   ousli ous, ization ize, ation ate, ator ate, alism al, iveness ive, fulness ful, ousness ous,
   aliti al, iviti ive, biliti ble, fulli ful`,
);
const STEP_3 = rules('icate ic, ative, alize al, iciti ic, ical ic, ful, ness');
const STEP_4 = rules(
  `al, ance, ence, er, ic, able, ible, ant, ement, ment, ent, sion s, tion t, ou, ism, ate, iti,
   ous, ive, ize`,
);

/** Step 2. */
function secondSuffix(word: string): string {
  if (word.endsWith('alli') && measure(word.slice(0, -4)) > 0) {
    return secondSuffix(word.slice(0, -2));
  }
  if (word.endsWith('logi')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  return strip(word, STEP_2, 0);
}

/** Applies the first rule whose suffix the word has, if the rest measures more than `least`. */
function strip(word: string, list: Rules, least: number): string {
  const rule = list.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const [suffix, replacement] = rule;
  // In step 4 the s or t before "ion" belongs to the measured stem.
  const kept = word.slice(0, word.length - suffix.length);
  const stem = suffix === 'sion' || suffix === 'tion' ? kept + replacement : kept;
  return measure(stem) > least ? kept + replacement : word;
}

/** Step 5a. */
function finalE(word: string): string {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  const m = measure(stem);
  return m > 1 || (m === 1 && !endsShort(stem)) ? stem : word;
}

/** Step 5b. */
function doubleL(word: string): string {
  return word.endsWith('ll') && measure(word.slice(0, -1)) > 1 ? word.slice(0, -1) : word;
}

/** Returns one c or v for each letter; y is a vowel after a consonant. */
function shape(word: string): string {
  let kinds = '';
  for (const letter of word) {
    const vowel = 'aeiou'.includes(letter) || (letter === 'y' && kinds.endsWith('c'));
    kinds += vowel ? 'v' : 'c';
  }
  return kinds;
}

/** Porter's m: how often a vowel is followed by a consonant. */
function measure(stem: string): number {
  return shape(stem).match(/vc/g)?.length ?? 0;
}

function endsDouble(word: string): boolean {
  return word.length >= 2 && word.at(-1) === word.at(-2) && shape(word).endsWith('c');
}

/**
 * Returns whether a word ends in consonant, vowel, consonant other than w, x, y; or consists of a
 * vowel and a consonant.
 */
function endsShort(word: string): boolean {
  const kinds = shape(word);
  return kinds === 'vc' || (kinds.endsWith('cvc') && !/[wxy]$/.test(word));
}
