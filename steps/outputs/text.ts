/** A text of a few sentences. Pure. */
import { refuses, saysUnknown } from '../../core/unknown.js';
import { type ModelOutput, mapped, type Output, objectSchema } from './output.js';
import { isJsonObject, membersOf, says, unwrapped } from './plain.js';

interface TextForm {
  form: string;
  /** The words of a heading before it, as alternatives of a pattern. */
  label?: string;
  /** The mark that ends it; what follows is no part of it. */
  end?: string;
  /**
   * What happens to a cut text: its whole sentences are taken, it is taken as it is, or it is asked
   * again.
   */
  cut?: 'sentences' | 'stands' | 'again';
  /** Whether a refusal is a text too, as a reply in a conversation is. @default false */
  mayRefuse?: boolean;
}

/**
 * A text without its heading, its end mark, and the fence, tags or quotes around it. A refusal is
 * unreadable.
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
    const written = unwrapped(output.text);
    const parts = ending ? written.split(ending) : [written];
    const ended = parts.length > 1 || !output.cut;
    const marked = parts.find(says) ?? '';
    if (!ended && cut === 'again') return undefined;
    const whole = ended || cut === 'stands' ? marked : wholeSentences(marked);
    return unwrapped(whole.trim().replace(heading, ''));
  }

  return {
    schema: objectSchema({ text: { type: 'string' } }),
    form,
    ...(end !== undefined && { looksFor: [end.replace(/[[\]]/g, '\\$&')] }),
    read(output) {
      const [member] = membersOf(output, ['text']) ?? [];
      if (typeof member !== 'string' && isJsonObject(output)) return undefined;
      const said = readText(typeof member === 'string' ? { ...output, text: member } : output);
      if (said === undefined || !says(said)) return undefined;
      return !mayRefuse && refuses(said, output.refusals) ? undefined : said;
    },
    longest: (longest) => longest,
  };
}

/** A passage to search with, on one line. */
export const searchText: Output<string> = mapped(
  text({ form: 'a short passage and nothing else', label: '(?:new )?passage' }),
  (passage, { unknown }) =>
    saysUnknown(passage, unknown) ? undefined : passage.replace(/\s+/g, ' '),
);

/** Returns the text up to the end of its last whole sentence or line; may be empty. */
export function wholeSentences(text: string): string {
  const ends = [...text.matchAll(/[.!?。！？]["”’)\]]{0,2}(?=\s)|[。！？]|\n/g)];
  const last = ends.at(-1);
  return last ? text.slice(0, last.index + last[0].length) : '';
}
