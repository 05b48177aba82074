/** What stands before a reply and is no part of it. Pure. */

const PREAMBLE =
  /^(?:(?:sure|certainly|of course|okay|ok)(?: thing)?[!.,:]\s{0,2})?(?:(?:here(?: (?:is|are)|['’]s)|(?:below|the following) (?:is|are)) (?:an?|the|my|your|some|two|three)\b[^\n:.!?]{0,120}:\s{0,2})?/i;

/** A text without "Sure! Here is the passage:" before it. */
export function withoutPreamble(text: string): string {
  return text.replace(PREAMBLE, '');
}
