import type { FinalReading } from '../../core/citations.js';
import type { PassageName, Section } from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';
import { passageSection, readingSection } from './parts.js';

/** Shows the cited passages; else what the model wrote, if it is not the answer. */
export function baseView(
  { passages = [], reading, citations }: FinalReading & { passages?: readonly PassageName[] },
  context: ViewContext,
): Section[] {
  return [
    ...(citations ? [] : readingSection(reading, context)),
    ...passageSection(passages, citations),
  ];
}
