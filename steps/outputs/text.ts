/** A text of a few sentences. Pure. */
import { saysUnknown } from '../../core/unknown.js';
import { type ModelOutput, mapped, type Output, objectSchema } from './output.js';
import { membersOf, says } from './plain.js';

export interface TextForm {
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
}

/** A text without its heading, its end mark, and the fence or quotes around it. */
export function text({
  form,
  label = 'passage',
  end,
  cut = 'sentences',
}: TextForm): Output<string> {
  const heading = new RegExp(`^\\W{0,4}(?:${label})\\W{0,3}:\\W{0,4}?\\s*`, 'i');

  function readText(output: ModelOutput): string | undefined {
    const parts = end === undefined ? [] : output.text.split(end);
    const ended = parts.length > 1 || !output.cut;
    const marked = end === undefined ? output.text : (parts.find(says) ?? '');
    if (!ended && cut === 'again') return undefined;
    const whole = ended || cut === 'stands' ? marked : wholeSentences(marked);
    return around(whole.trim().replace(heading, ''));
  }

  return {
    schema: objectSchema({ text: { type: 'string' } }),
    form,
    read(output) {
      const [member] = membersOf(output, ['text']) ?? [];
      const said = typeof member === 'string' ? member.trim() : (readText(output) ?? '');
      return says(said) ? said : undefined;
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

/** Returns the text without the fence or the quotes around it. */
function around(text: string): string {
  const [, fenced = text] = /^```\w{0,20}\n(.*)\n```$/s.exec(text) ?? [];
  const [, quoted = fenced] = /^["“]([^"“”]*)["”]$/.exec(fenced) ?? [];
  return quoted.trim();
}
