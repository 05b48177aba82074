/** Telling an answer from the statement that there is none. Pure. */

/** Whether an answer says that there is none. */
export function saysUnknown(answer: string): boolean {
  return /^(?:(?:it |this |the answer )?(?:is |remains )?(?:unknown|unclear|not (?:known|specified|stated|mentioned|provided|given|found|available))|n\/?a|none|no answer|(?:i |we )?(?:do not|don't|don’t|cannot|can't|can’t) (?:know|say|tell|determine|answer)|(?:it )?cannot be (?:determined|answered)|(?:the )?(?:passages?|text|context) (?:do|does) not)\b/i.test(
    answer.trim(),
  );
}
