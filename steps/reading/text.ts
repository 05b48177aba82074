/** Small readings of model output that several parsers share. Pure. */

/** The letter of a position: 0 -> a, 25 -> z. */
export function letter(position: number): string {
  return String.fromCharCode(97 + position);
}

/** "(a) Paris, (b) Lyon" */
export function lettered(items: readonly string[], separator = ', '): string {
  return items.map((item, k) => `(${letter(k)}) ${item}`).join(separator);
}

/** What a short answer is once labels, quotes, markup and the closing full stop are off it. */
export function cleanAnswer(text: string): string {
  let answer = text.replace(/[*_`]{2,}|`/g, '').trim();
  let before = '';
  // A handful of layers is all that models write.
  for (let layer = 0; layer < 8 && before !== answer; layer++) {
    before = answer;
    answer = answer
      .replace(/^(?:(?:the\s+)?(?:final\s+|correct\s+)?answer\s*(?:is|:|=)\s*:?|[-•>]\s)\s*/i, '')
      .replace(/^[\s,;:]+/, '')
      .replace(SOURCE, '');
    answer = unquote(dropFullStop(withoutEnd(answer, /[\s,;:、，；。]/)));
  }
  return answer;
}

const READ = '(?:the )?(?:passages?|notes?|documents?|sources?|texts?|context)';
/** Where an answer is said to stand: "[1][2]", "(passage 3)", ", according to passage 1". */
const SOURCE = new RegExp(
  String.raw`(?: ?\[\d{1,2}(?:, ?\d{1,2}){0,9}\]){1,9}[.,]?$| ?\((?:see |from |in |according to )?${READ}(?: (?:number )?#?\d{1,2})?[^()\p{L}]{0,20}\)[.,]?$|,? (?:according to|as (?:stated|mentioned|described|shown|indicated|noted|given|named) in|based on) ${READ}(?: (?:number )?#?\d{1,2})?[^\p{L}]{0,20}$`,
  'iu',
);

/** Without the characters at the end that are of a kind; a pattern would try each run of them. */
function withoutEnd(text: string, kind: RegExp): string {
  let end = text.length;
  while (end > 0 && kind.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Keeps the full stop of an abbreviation such as "D.C." or "Jr." */
function dropFullStop(text: string): string {
  return /(?:\b\p{L}\.\p{L}\.|\b(?:Jr|Sr|St|Dr|Mr|Mrs|Ms|Inc|Ltd|Co|Corp|No)\.)$/u.test(text)
    ? text
    : withoutEnd(text, /\./);
}

function unquote(text: string): string {
  const quoted =
    /^(?:"([^"]*)"|'(.*)'|“([^”]*)”|‘(.*)’|«([^»]*)»|\*(.*)\*|\[([^[\]]*)\]|<([^<>]*)>|\{([^{}]*)\})$/s.exec(
      text,
    );
  return quoted ? (quoted.slice(1).find((inner) => inner !== undefined) ?? '').trim() : text;
}

/** Text that cannot open or close the tags it is quoted between. */
export function takenApart(text: string, tag: string): string {
  return text.replace(new RegExp(`<(?=/?${tag})`, 'gi'), '< ');
}
