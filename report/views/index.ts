/** The parts of views. */

export type {
  Block,
  Card,
  Chip,
  PassageItem,
  PassageName,
  Section,
  Tone,
  TreeNode,
} from '../../core/section.js';
export type { View, ViewContext } from '../../core/view.js';
export {
  cards,
  chip,
  note,
  passageSection,
  passages,
  readingSection,
  section,
  table,
  text,
  titles,
} from './parts.js';
export { drawSections } from './terminal.js';
