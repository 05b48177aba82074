/** Output type: a text of one or more sentences. Pure. */
import { refuses, saysUnknown } from '../../core/unknown.js';
import { type ModelOutput, mapped, type Output, objectSchema } from './output.js';
import { hasWords, isJsonObject, jsonMembers, unwrapText } from './plain.js';

interface TextForm {
  /** Description of the form, shown when the model is asked again. */
  form: string;
  /** Words of a heading before the text, as alternatives of a regular expression. */
  label?: string;
  /** Mark at the end of the text; anything after it is ignored. */
  end?: string;
  /**
   * Way in which a cut text is read: its whole sentences, as it is, or not at all, so that it is
   * asked for again. @default its whole sentences
   */
  cut?: 'sentences' | 'stands' | 'again';
  /** Whether a refusal is accepted, as in a conversation. @default false */
  mayRefuse?: boolean;
}

/**
 * Returns the output type of a text, which is read without its heading, its end mark, and fences,
 * tags or quotes that enclose it. A refusal is unreadable unless `mayRefuse` is set.
 */
export function text({
  form,
  label = 'passage|response',
  end,
  cut = 'sentences',
  mayRefuse = false,
}: TextForm): Output<string> {
  const heading = new RegExp(`^\\W{0,4}(?:${label})\\W{0,3}:[*_]{0,2}\\s*`, 'i');
  const ending = end && new RegExp(`[*_]{0,2}${end.replace(/[[\]]/g, '\\$&')}`, 'i');

  function readText(output: ModelOutput): string | undefined {
    const written = unwrapText(output.text);
    const parts = ending ? written.split(ending) : [written];
    const ended = parts.length > 1 || !output.cut;
    const marked = parts.find(hasWords) ?? '';
    if (!ended && cut === 'again') return undefined;
    const whole = ended || cut === 'stands' ? marked : wholeSentences(marked);
    return unwrapText(whole.trim().replace(heading, ''));
  }

  return {
    schema: objectSchema({ text: { type: 'string' } }),
    form,
    ...(end !== undefined && { looksFor: [end.replace(/[[\]]/g, '\\$&')] }),
    read(output) {
      const [member] = jsonMembers(output, ['text']) ?? [];
      if (typeof member !== 'string' && isJsonObject(output)) return undefined;
      const said = readText(typeof member === 'string' ? { ...output, text: member } : output);
      if (said === undefined || !hasWords(said)) return undefined;
      return !mayRefuse && refuses(said, output.refusals) ? undefined : said;
    },
    longest: (longest) => longest,
  };
}

/** Output type of a passage that is used as a query, on one line; "does not know" is unreadable. */
export const searchText: Output<string> = mapped(
  text({ form: 'a short passage and nothing else', label: '(?:new )?passage' }),
  (passage, { unknown }) =>
    saysUnknown(passage, unknown) ? undefined : passage.replace(/\s+/g, ' '),
);

/**
 * Returns a text up to the end of its last complete sentence or line; empty if no sentence or line
 * is complete. A sentence that ends in ".", "!" or "?" is complete only if white space follows.
 */
export function wholeSentences(text: string): string {
  const ends = [...text.matchAll(/[.!?。！？]["”’)\]]{0,2}(?=\s)|[。！？]|\n/g)];
  const last = ends.at(-1);
  return last ? text.slice(0, last.index + last[0].length) : '';
}
