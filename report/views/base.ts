/** Base, and whatever ends in an answer read from passages. Pure. */
import type { FinalReading } from '../../core/citations.js';
import type { PassageName, Section } from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';
import { passageSection, readingSection } from './parts.js';

/** Where the answer cites, the passages say what; else what the model wrote, if it is not the answer. */
export function baseView(
  { passages = [], reading, citations }: FinalReading & { passages?: readonly PassageName[] },
  context: ViewContext,
): Section[] {
  return [
    ...(citations ? [] : readingSection(reading, context)),
    ...passageSection(passages, citations),
  ];
}
