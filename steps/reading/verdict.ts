/** Yes or no, true or false, supported or refuted. Pure. */
import type { ModelOutput } from '../define.js';
import { bracketed } from './bracketed.js';
import { closedText, MISSING } from './cut.js';
import { afterFinalLabel } from './label.js';
import { bareText } from './plain.js';
import { sentencesOf, wordsOf } from './sentences.js';

const WORDS = new Map<string, boolean>([
  ...'true yes correct accurate valid supported supports entailed'
    .split(' ')
    .map((word) => [word, true] as const),
  ...'false no untrue incorrect inaccurate invalid wrong unsupported refuted refutes'
    .split(' ')
    .map((word) => [word, false] as const),
]);
const VERDICT = `(${[...WORDS.keys()].join('|')})`;
/** What may come after a verdict that opens a reply: reasons, but no noun and no other verdict. */
const REASON =
  'as|because|based|for|given|in|it|not|since|that|the|there|these|they|this|though|we|with';
const REASONS = new RegExp(`^(?:${REASON})$`);
const OPENING = new RegExp(
  String.raw`^[("'[]{0,3}${VERDICT}["')\]]{0,3}(?:$|\n| ?[.,;:!–—-]+(?=\s|$)(?! ?(?:or )?${VERDICT}\b)| (?=[("']|(?:${REASON})\b))`,
  'iu',
);

/**
 * Reads one of two verdicts: in brackets, after a label, as the opening of a sentence, or in what a
 * sentence says ("The passage does not support the prediction.").
 *
 * Of an output that was cut only a verdict in brackets, or one that opens the reply and is closed
 * by what follows, is read: "No single passage" is half a sentence, "No, the" is a verdict.
 *
 * @returns undefined when the text says neither, or both, or hedges.
 */
export function readVerdict(output: Pick<ModelOutput, 'text' | 'cut'>): boolean | undefined {
  const plain = bareText(closedText(output)).replace(QUOTED, ' ').replace(/["“”]/g, '');
  const inBrackets = distinct(bracketedVerdicts(plain));
  if (inBrackets.length > 0) return inBrackets.length === 1 ? inBrackets[0] : undefined;
  const labelled = afterFinalLabel(plain);
  // "True. The answer is Bell." labels another thing than the verdict.
  const reply = labelled === plain || SAYS.test(labelled) ? labelled : plain;
  return verdictIn(
    sentencesOf(reply).filter((sentence) => !sentence.endsWith('?')),
    output.cut,
  );
}

/** A claim that is quoted: its negations are not those of the verdict. */
const QUOTED = /["“][^"“”\n]{0,300} [^"“”\n]{1,300}["”]/g;
/** Anything that bears on a verdict, a hedge too. */
const SAYS = new RegExp(
  String.raw`\b(?:${VERDICT}|not|partly|partially|part|mostly|unclear|unsure|uncertain|maybe|perhaps|support\w*|contradict\w*|(?:can)?not|undetermined|unknown|neither|both|either)\b|n['’]t\b`,
  'i',
);

function verdictIn(sentences: readonly string[], cut: boolean): boolean | undefined {
  const [first = ''] = sentences;
  if (IN_PART.test(first)) return undefined;
  const opening = openingVerdict(first);
  const but = BUT.exec(first);
  if (opening !== undefined && but) {
    // What half a sentence goes on to say may be the opposite.
    if (cut || statedIn(first.slice(but[0].length)).includes(!opening)) return undefined;
  }
  if (opening !== undefined || cut) return opening;
  return statedVerdict(sentences);
}

/** "Yes, but" and what follows. */
const BUT =
  /^[^\n,;:.–-]{1,20}(?: ?[,;:.–-]){0,2} ?(?:(?:but|however|except|only|although|though) |…)/i;

function bracketedVerdicts(text: string): boolean[] {
  return bracketed(text).flatMap(({ value, start }) => {
    const verdict = WORDS.get(value.toLowerCase());
    if (verdict === undefined) return [];
    return /\b(?:not|never)\W{0,3}$/i.test(text.slice(Math.max(0, start - 10), start))
      ? !verdict
      : verdict;
  });
}

/** "Yes, in part": of a part. */
const IN_PART =
  /^[^\n,;:.(–-]{1,20}(?:[,;:.(–-] ?)(?:but )?(?:only )?(?:partly|partially|in part|somewhat|mostly|largely|to (?:some|a certain) extent)(?!\p{L})/iu;

/** The verdict a sentence opens with; "True or False" opens with none. */
function openingVerdict(sentence: string): boolean | undefined {
  const word = OPENING.exec(sentence)?.[1];
  return word === undefined ? undefined : WORDS.get(word.toLowerCase());
}

/** The verdict that all sentences which state one agree on. */
function statedVerdict(sentences: readonly string[]): boolean | undefined {
  const stated = sentences.flatMap((sentence, i) => {
    // Reasons after a verdict of their own say nothing against it.
    const opening = i === 0 ? undefined : openingVerdict(sentence);
    return opening ?? statedIn(sentence);
  });
  const verdicts = distinct(stated);
  return verdicts.length === 1 ? (verdicts[0] ?? undefined) : undefined;
}

const NO_NEGATION = /\b(?:not (?:only|just|merely)|no doubt|without (?:a |any )?doubt|no less)\b/gi;
/** Where a part begins that is said for itself. */
const PARTS =
  / (?:but|however|although|though|while|whereas|because|since|so|therefore|thus|hence|yet|and)(?= )|;/i;

/** "Yes or no", the question given back. */
const EITHER = new RegExp(String.raw`\b${VERDICT}(?: or | and | nor |\/)${VERDICT}\b`, 'i');

/** The verdicts a sentence states; null for one that is said in a way that leaves it open. */
function statedIn(sentence: string): (boolean | null)[] {
  if (EITHER.test(sentence)) return [null];
  return sentence
    .replace(CLAIM, '$1 ')
    .replace(NO_NEGATION, ' ')
    .split(PARTS)
    .flatMap((part) => statedInPart(part));
}

/** "The claim that Bell was not born in Ulm is true": what it says is not said of the verdict. */
const CLAIM = new RegExp(
  String.raw`\b(claim|statement|assertion|prediction|hypothesis) that .{1,300} (?=(?:is|was) (?:[a-z]+ ){0,2}${VERDICT}\b)`,
  'i',
);

const HEDGES = new Set(
  'may might could would perhaps possibly maybe probably likely unlikely if whether unless either partially partly somewhat unclear uncertain unsure depends'.split(
    ' ',
  ),
);
const NEGATORS = new Set(
  'not never no none neither nor nothing hardly scarcely barely without fail fails failed lack lacks lacking unable insufficient insufficiently little far'.split(
    ' ',
  ),
);

function statedInPart(part: string): (boolean | null)[] {
  if (part.includes(MISSING)) return [];
  const found: (boolean | null)[] = [];
  // What a negation in a clause before reaches, and what is said of a verdict, is left open.
  let open = false;
  for (const clause of part.split(/[,:()–—]/)) {
    const words = wordsOf(clause);
    let negators = 0;
    words.forEach((word, at) => {
      if (NEGATORS.has(word) && !(word === 'no' && at === words.length - 1)) negators++;
      if (HEDGES.has(word)) open = true;
      const verdict = verdictAt(words, at);
      if (verdict === undefined) return;
      found.push(open || negators > 1 ? null : verdict !== (negators === 1));
      if (negators > 0 && words[at + 1] === 'that') open = true;
      negators = 0;
    });
    if (negators > 0) open = true;
  }
  return found;
}

const COPULA = new Set(
  'is are was be been being s as remains considered marked rated deemed'.split(' '),
);
const ADVERBS = new Set(
  'not never no quite entirely fully completely totally clearly indeed also therefore thus hence definitely really strictly actually very directly well'.split(
    ' ',
  ),
);
const OBJECTS = new Set(
  'prediction predictions claim claims answer answers statement question conclusion hypothesis assertion it this that candidate one'.split(
    ' ',
  ),
);
const VERBS: [RegExp, boolean][] = [
  [/^(?:support|supports|supported|supporting|entail|entails|entailed)$/, true],
  [/^(?:refut|contradict|disprov)(?:e|es|ed|s)?$/, false],
];

/** What the word at a place says, where it is the predicate of its clause. */
function verdictAt(words: readonly string[], at: number): boolean | undefined {
  const word = words[at] ?? '';
  for (const [verb, verdict] of VERBS) {
    if (verb.test(word)) return word.endsWith('ed') || hasObject(words, at) ? verdict : undefined;
  }
  const verdict = WORDS.get(word);
  if (verdict === undefined) return undefined;
  if (word === 'yes' || word === 'no') return at === words.length - 1 ? verdict : undefined;
  return isPredicate(words, at) ? verdict : undefined;
}

/** "supports the prediction", "support it", "does not support." */
function hasObject(words: readonly string[], at: number): boolean {
  const after = words.slice(at + 1, at + 8);
  return after.length === 0 || after.some((word) => OBJECTS.has(word));
}

/** "is true", "is not entirely true", "not true", "is the correct one": not "a true story". */
function isPredicate(words: readonly string[], at: number): boolean {
  const named = words[at - 1] === 'the' && OBJECTS.has(words[at + 1] ?? '');
  for (let i = named ? at - 2 : at - 1; i >= 0 && i >= at - 5; i--) {
    const word = words[i] ?? '';
    if (COPULA.has(word)) return true;
    if (!ADVERBS.has(word)) return false;
  }
  return !named && at < 3 && (at + 1 === words.length || REASONS.test(words[at + 1] ?? ''));
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
